//! Configuration: TOML files, opensm option files, register values.
