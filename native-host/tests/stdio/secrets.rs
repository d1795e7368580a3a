//! A secret in arguments, environment and folder, which the server says again wherever it can, never comes out.
