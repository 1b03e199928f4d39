//! The texts in the sources of a crate, without comments and tests.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, LitStr, Macro};

use crate::sources::modules;

/// Returns each string literal, after the path of its module.
pub(crate) fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (module, source) in modules(folder) {
        let mut found = Texts(Vec::new());
        source.items.iter().for_each(|item| found.visit_item(item));
        all.extend(found.0.into_iter().map(|text| (module.join("::"), text)));
    }
    all
}

struct Texts(Vec<String>);

impl Texts {
    fn in_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.in_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = syn::parse_str::<LitStr>(&literal.to_string());
                    self.0.extend(text.ok().map(|text| text.value()));
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, text: &LitStr) {
        self.0.push(text.value());
    }

    fn visit_macro(&mut self, called: &Macro) {
        self.in_tokens(called.tokens.clone());
    }

    /// Comments of items are attributes.
    fn visit_attribute(&mut self, _: &Attribute) {}
}
