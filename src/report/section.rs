//! A part of a page.

use super::html::Mood;

/// One result.
pub(super) struct Section {
    pub title: String,
    /// What was found.
    pub result: (String, Mood),
    pub about: String,
    pub body: String,
}
