//! Parts against the golden unit `reservation`, cycle by cycle.
