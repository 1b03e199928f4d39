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

/// Serialises an enum of [`named!`] as the name of its variant.
#[macro_export]
macro_rules! serialize_by_name {
    ($Enum:ty) => {
        impl $crate::serde::Serialize for $Enum {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        $crate::schema_by_name!($Enum);
    };
}

/// Declares the schema of an enum that is serialised as the name of its variant.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! schema_by_name {
    ($Enum:ty) => {
        impl $crate::schemars::JsonSchema for $Enum {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($Enum).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::schemars::json_schema!({ "type": "string", "enum": <$Enum>::NAMES })
            }
        }
    };
}

#[cfg(not(feature = "schema"))]
#[macro_export]
#[doc(hidden)]
macro_rules! schema_by_name {
    ($Enum:ty) => {};
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
