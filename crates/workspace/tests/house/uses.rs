//! Which file of a crate uses which. A name that a file only re-exports counts for the file that
//! defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::Item;
use syn::visit::{self, Visit};

use crate::circle::Graph;
use crate::sources::{Module, Source, modules};

type Modules = BTreeMap<Module, Source>;

/// Returns the graph of the files of a crate, by the paths of their modules.
pub(crate) fn graph(folder: &Path) -> Graph {
    let modules = modules(folder);
    let uses = |(module, source): (&Module, &Source)| {
        let paths = paths(source);
        let used = paths.iter().filter_map(|path| origin(&modules, module, path));
        let used = used.filter(|used| used != module).map(|used| name(&used));
        (name(module), used.collect())
    };
    modules.iter().map(uses).collect()
}

/// Returns the graph of folders: which folder or file uses which others of the same folder, by what
/// is in them. A re-export is a use, and so is naming what a folder re-exports.
pub(crate) fn sibling_graph(folder: &Path) -> Graph {
    let modules = modules(folder);
    let mut graph = Graph::new();
    for (module, source) in &modules {
        let mut paths = paths(source);
        paths.extend(source.imports.values().cloned());
        let ends = [origin, named];
        let used = paths.iter().flat_map(|path| ends.map(|end| end(&modules, module, path)));
        for used in used.flatten() {
            let shared = module.iter().zip(&used).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (module.get(..=shared), used.get(..=shared)) {
                graph.entry(name(user)).or_default().insert(name(used));
            }
        }
    }
    graph
}

fn name(module: &[String]) -> String {
    format!("crate::{}", module.join("::"))
}

/// Returns every path in a file that may name something of the crate.
fn paths(source: &Source) -> BTreeSet<Vec<String>> {
    let mut found = Paths(source.kept.clone());
    let items = source.items.iter();
    items.filter(|item| !matches!(item, Item::Use(_))).for_each(|item| found.visit_item(item));
    found.0
}

struct Paths(BTreeSet<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.0.insert(segments.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        self.in_tokens(invoked.tokens.clone());
        visit::visit_macro(self, invoked);
    }

    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}
}

impl Paths {
    /// Collects names with `::` between them.
    fn in_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.0.insert(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    // The group after `pub` defines the visibility, and uses nothing.
                    if path.last().is_none_or(|before| before != "pub") {
                        self.in_tokens(group.stream());
                    }
                    self.0.insert(std::mem::take(&mut path));
                    colons = 0;
                }
                _ => {
                    self.0.insert(std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.0.insert(path);
    }
}

/// Returns the module whose file defines what a path names; `None` if that is not in this crate.
fn origin(modules: &Modules, from: &Module, path: &[String]) -> Option<Module> {
    let (at, rest) = named_with_rest(modules, from, path)?;
    let Some(next) = rest.first() else { return Some(at) };
    let imported = modules.get(&at)?.imports.get(next);
    let handed_on = imported.filter(|path| path.as_slice() != rest);
    Some(handed_on.and_then(|path| origin(modules, &at, path)).unwrap_or(at))
}

/// Returns the last module that a path names, which may only re-export the rest of it.
fn named(modules: &Modules, from: &Module, path: &[String]) -> Option<Module> {
    named_with_rest(modules, from, path).map(|(module, _)| module)
}

fn named_with_rest<'p>(
    modules: &Modules,
    from: &Module,
    path: &'p [String],
) -> Option<(Module, &'p [String])> {
    let mut at = from.clone();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            at = Vec::new();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|segment| segment == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child = [from.as_slice(), &[first.to_owned()]].concat();
            if !modules.contains_key(&child) {
                return None;
            }
        }
    }
    while let [next, after @ ..] = rest {
        let child = [at.as_slice(), std::slice::from_ref(next)].concat();
        if !modules.contains_key(&child) {
            break;
        }
        (at, rest) = (child, after);
    }
    Some((at, rest))
}
