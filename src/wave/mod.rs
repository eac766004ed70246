//! Waveforms.
