//! Feeds anything to the property `files`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::host::files::check(input));
