//! The inputs of `tests/corpus/` that are the host's: what must hold for any input holds for these. See `docs/fuzzing.md`.

use toolgate_properties::host;

fn replay(name: &str) {
    for property in host::ALL {
        if property.name == name {
            property.replay();
        }
    }
}

#[test]
fn bridge_messages() {
    replay("bridge");
}

#[test]
fn event_streams() {
    replay("events");
}

#[test]
fn files_on_disk() {
    replay("files");
}

#[test]
fn lines_of_output() {
    replay("lines");
}

#[test]
fn messages_of_servers() {
    replay("messages");
}

#[test]
fn every_property_is_tried() {
    let names: Vec<&str> = host::ALL.iter().map(|property| property.name).collect();
    assert_eq!(names, ["bridge", "events", "files", "lines", "messages"]);
}
