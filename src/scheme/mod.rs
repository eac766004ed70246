//! Schemes of congestion management as choices. A scheme is a row of the [catalogue](Scheme::ALL); each choice is a closed
//! enum in a file of its own, with the arithmetic of its rules, which the golden units and the golden fabric share. The
//! RTL shares nothing with them.

/// A closed list of alternatives, each with its name in lists.
macro_rules! choice {
    ($(#[$doc:meta])* $choice:ident { $($(#[$about:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice {
            $($(#[$about])* $variant,)*
        }

        impl $choice {
            /// Name in lists.
            pub fn name(self) -> &'static str {
                match self {
                    $($choice::$variant => $name,)*
                }
            }
        }
    };
}

pub mod any_up;
mod catalogue;
pub mod chunk;
pub mod detector;
pub mod isolation;
pub mod marking;
pub mod notification;
pub mod organisation;
pub mod packet;
pub mod rate;
pub mod reservation;
pub mod response;
pub mod window;

pub use catalogue::{Row, Scheme};
pub use detector::Detector;
pub use isolation::Isolation;
pub use marking::Marking;
pub use notification::Notification;
pub use organisation::Organisation;
pub use response::Response;
