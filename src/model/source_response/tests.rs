//! Directed tests by section of `docs/source-response.md`.
