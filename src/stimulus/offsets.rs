//! Where signals are in the word vectors, found once.

/// Makes a struct of the offsets of signals, by group and name.
macro_rules! offsets {
    ($($group:ident: $($name:ident)*;)*) => {
        /// Offsets of the signals in the word vectors.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Io {
            $($(pub $name: usize,)*)*
        }

        impl Io {
            pub(super) fn new(l: &crate::signals::Layout) -> Io {
                Io { $($($name: l.$group(stringify!($name)),)*)* }
            }
        }
    };
}
pub(super) use offsets;
