//! One macro for every numbered list of the wire: the enum, the conversion from a number, and the table that the
//! generators of Scala, C and documentation walk. One more for constants that are no list.

/// One row of a numbered list, or one constant, for generators and tools that print names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The name in upper snake case, the same in Rust constants, Scala, C and the documentation.
    pub name: &'static str,
    /// The number on the wire or in the register block.
    pub value: u32,
    /// The documentation of the row, lines joined by spaces.
    pub doc: &'static str,
}

macro_rules! declare {
    ($(#[$meta:meta])* $name:ident : $repr:ty { $( #[doc = $doc:literal] $variant:ident = $value:literal, $label:literal; )+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr($repr)]
        pub enum $name { $( #[doc = $doc] $variant = $value, )+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [$name] = &[$( $name::$variant, )+];
            /// The table behind the generated Scala, C and documentation.
            pub const ROWS: &'static [$crate::Row] =
                &[$( $crate::Row { name: $label, value: $value, doc: $doc }, )+];
            /// The name used in every language and in messages.
            pub const fn name(self) -> &'static str {
                match self { $( $name::$variant => $label, )+ }
            }
            /// The value for a number, if there is one.
            // Most callers ask for one value or a few, and are left with a comparison.
            #[inline(always)]
            pub const fn from_number(number: $repr) -> Option<$name> {
                match number { $( $value => Some($name::$variant), )+ _ => None }
            }
            /// The number.
            pub const fn number(self) -> $repr { self as $repr }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result { f.write_str(self.name()) }
        }
    };
}
pub(crate) use declare;

macro_rules! constants {
    ($(#[$meta:meta])* $table:ident { $( #[doc = $doc:literal] $name:ident = $value:literal; )+ }) => {
        $( #[doc = $doc] pub const $name: u32 = $value; )+
        $(#[$meta])*
        pub const $table: &[$crate::Row] =
            &[$( $crate::Row { name: stringify!($name), value: $name, doc: $doc }, )+];
    };
}
pub(crate) use constants;
