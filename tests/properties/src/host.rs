//! The properties of the host: what reads the bytes of servers and files, and what answers messages.

mod served;

crate::properties! {
    bridge
    events
    files
    lines
    messages
}
