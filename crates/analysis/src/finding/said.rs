//! What a finding says, and how its statements are declared.

use serde::Serialize;

/// The kind of news that a finding is, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing to judge.
    #[default]
    Plain,
    /// The requirement is shown to hold.
    Good,
    /// Nothing contradicts the requirement, but the evidence is not sufficient.
    Open,
    /// The requirement is not met.
    Bad,
}

/// The label of the findings that make up a verdict.
pub const ANSWER: &str = "Answer";

/// The label of a comparison with a reference, which as an answer is a sentence.
pub const CHECK: &str = "Check";

/// The label of a number of misses, which as an answer needs a word for what it counts.
pub const MISSED: &str = "Missed";

/// A finding in English.
pub struct Said {
    /// A word for the kind of finding, which is the name of its remark.
    pub label: &'static str,
    /// What kind of news it is as the first finding of an answer.
    pub standing: Standing,
    pub words: String,
}

impl Said {
    /// Neither contradicts a requirement nor shows that it holds.
    pub(crate) fn new(label: &'static str, words: impl Into<String>) -> Self {
        Self { label, standing: Standing::Open, words: words.into() }
    }

    pub(crate) fn answer(standing: Standing, words: impl Into<String>) -> Self {
        Self::new(ANSWER, words).judged(standing)
    }

    pub(crate) fn judged(self, standing: Standing) -> Self {
        Self { standing, ..self }
    }

    /// Returns it as the first sentence of an answer.
    pub fn verdict(self) -> String {
        match self.label {
            ANSWER => self.words,
            MISSED => format!("Deadlines missed: {}", self.words),
            _ => self.named(),
        }
    }

    pub fn named(self) -> String {
        format!("{}: {}", self.label, self.words)
    }
}

/// The name of a statement in code, and the lines that describe it.
#[cfg(feature = "schema")]
pub(crate) type Statement = (&'static str, &'static [&'static str]);

/// Declares the statements about a subject: the variant and its fields, then its label, its standing unless it is
/// `Open`, and after `:` its words as the arguments of `format!`, or after `=` an expression for them. Where label or
/// standing depend on the fields, `=>` and an expression for the whole [`Said`] follow instead. In expressions, fields
/// are references.
macro_rules! statements {
    ($(#[$about:meta])* $subject:ident {$(
        $(#[doc = $doc:literal])*
        $name:ident $(($whole:ident: $inner:ty))? $({ $($(#[$of:meta])* $field:ident: $type:ty),* $(,)? })?
            $($label:literal $(, $standing:ident)? $(: $words:literal $(, $value:expr)*;)? $(= $text:expr;)?)?
            $(=> $said:expr;)?
    )*}) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum $subject {
            $($(#[doc = $doc])* $name $(($inner))? $({ $($(#[$of])* $field: $type),* })?,)*
        }

        #[cfg(feature = "schema")]
        impl $subject {
            /// The name of each statement, and the lines that describe it.
            pub(crate) const STATEMENTS: &[crate::finding::said::Statement] =
                &[$((stringify!($name), &[$($doc),*])),*];
        }

        impl $subject {
            pub fn said(&self) -> crate::finding::said::Said {
                match self {
                    $(Self::$name $(($whole))? $({ $($field),* })? => {
                        $(
                            crate::finding::said::Said::new($label, $(format!($words $(, $value)*))? $($text)?)
                                $(.judged(crate::finding::said::Standing::$standing))?
                        )?
                        $($said)?
                    })*
                }
            }
        }
    };
}
pub(super) use statements;
