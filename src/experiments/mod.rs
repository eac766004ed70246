//! Whole runs: regressions and scenarios.
