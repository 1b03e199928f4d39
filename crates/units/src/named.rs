//! Enums whose variants have names.

/// Declares an enum, and the name of each variant after `=`. The enum gets `ALL` and `NAMES` (in
/// order), `name` and `named`.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $seen:vis enum $Enum:ident { $($(#[$of:meta])* $Variant:ident = $name:literal),+ $(,)? }
    ) => {
        $(#[$about])*
        $seen enum $Enum { $($(#[$of])* $Variant),+ }

        #[allow(dead_code, reason = "few enums need all of it")]
        impl $Enum {
            /// Every variant, in order.
            $seen const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];
            /// The name of each variant, in order.
            $seen const NAMES: &[&str] = &[$($name),+];

            /// Returns the variant's name.
            #[must_use]
            $seen const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name),+ }
            }

            /// Returns the variant of that name.
            #[must_use]
            $seen fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$Variant),)+ _ => None }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    named! {
        #[derive(Debug, Clone, Copy, PartialEq)]
        enum Side {
            Left = "left",
            Right = "on the right",
        }
    }

    #[test]
    fn a_variant_is_found_by_its_name() {
        assert_eq!(Side::ALL.map(Side::name), Side::NAMES);
        assert_eq!(Side::named("on the right"), Some(Side::Right));
        assert_eq!(Side::named("Left"), None);
    }
}
