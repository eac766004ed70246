//! What a caller is told.

use std::fmt;

/// Why a call did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller's argument; the text names the field and what is legal.
    Argument(String),
    /// The golden model itself failed, which is a fault of quell: the unit is of no more use.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(text) | Error::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

/// An argument that is not legal.
pub(super) fn argument<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Argument(text.into()))
}
