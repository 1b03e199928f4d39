//! The modules of a crate: their files, and the names that they re-export.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{Attribute, Item, UseTree, Visibility};

/// The path to a module from the crate's root.
pub(crate) type Module = Vec<String>;

/// The content of a module's file, without tests.
pub(crate) struct Source {
    pub items: Vec<Item>,
    /// Names that its imports bring into scope, with their paths.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The paths of private imports, which it does not re-export.
    pub kept: BTreeSet<Vec<String>>,
}

/// Returns every module that has its own file.
pub(crate) fn modules(folder: &Path) -> BTreeMap<Module, Source> {
    let mut all = BTreeMap::new();
    let root = ["lib.rs", "main.rs"].map(|name| folder.join(name));
    let root = root.iter().find(|path| path.exists()).unwrap();
    read(root, folder, &Vec::new(), &mut all);
    all
}

fn read(file: &Path, folder: &Path, module: &Module, all: &mut BTreeMap<Module, Source>) {
    let text = fs::read_to_string(file).unwrap();
    let mut items = syn::parse_file(&text).unwrap().items;
    items.retain(|item| !is_test(attributes(item)));
    let mut imports = BTreeMap::new();
    let mut kept = BTreeSet::new();
    for item in &items {
        if let Item::Use(import) = item {
            let mut own = BTreeMap::new();
            named(&import.tree, &Vec::new(), &mut own);
            if matches!(import.vis, Visibility::Inherited) {
                kept.extend(own.values().cloned());
            }
            imports.extend(own);
        }
        if let Item::Mod(child) = item
            && child.content.is_none()
        {
            let name = child.ident.to_string();
            let inner = folder.join(&name);
            let files = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
            let file = files.iter().find(|path| path.exists()).unwrap();
            let module = [module.as_slice(), &[name]].concat();
            read(file, &inner, &module, all);
        }
    }
    all.insert(module.clone(), Source { items, imports, kept });
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Use(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    })
}

/// Returns the names that an import brings into scope, each with its path; `*` represents itself.
fn named(tree: &UseTree, before: &[String], names: &mut BTreeMap<String, Vec<String>>) {
    let with = |name: String| [before, &[name]].concat();
    match tree {
        UseTree::Path(path) => named(&path.tree, &with(path.ident.to_string()), names),
        UseTree::Name(name) if name.ident == "self" => {
            names.insert(before.last().cloned().unwrap_or_default(), before.to_vec());
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            names.insert(name.clone(), with(name));
        }
        UseTree::Rename(rename) => {
            let path = with(rename.ident.to_string());
            names.insert(rename.rename.to_string(), path);
        }
        UseTree::Glob(_) => {
            let star = format!("* of {}", before.join("::"));
            names.insert(star, before.to_vec());
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| named(tree, before, names)),
    }
}
