//! The properties of core, natively and as WebAssembly.

crate::properties! {
    alias
    catalog
    form
    import
    json
    legacy
    mask
    outcome
    page
    schema
}
