//! The files.
