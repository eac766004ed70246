//! Reads and writes networks.
