//! Import text: the same answer twice; a server or errors, at places that exist; what is read without a note is what a
//! strict JSON parser reads; and what is taken is taken as the same servers again once it is written out.

use std::collections::BTreeMap;

use serde_json::Value;
use toolgate_core::import::{AddPreview, Registered, ServerDraft, add_one, edit_one, import_many};
use toolgate_core::mask::mask;
use toolgate_core::server::ServerConfig;
use toolgate_core::{Code, Limits};

const NOTHING: Registered<'static> = Registered { names: &[], servers: 0 };

/// The input is the text.
pub fn check(input: &[u8]) {
    text(&String::from_utf8_lossy(input));
}

/// The same for a text.
pub fn text(text: &str) {
    let added = add_one(text, &Limits::default());
    assert_eq!(added, add_one(text, &Limits::default()), "not the same twice: {text:?}");
    check_many(text, &added);
    if let Some(server) = &added.server {
        check_written(server);
    }
    check_places(text, &added);
    check_leniency(text, &added);
}

/// What is imported has names that differ, and is imported again as the same; what cannot be added as one server is
/// refused as an import too, save where there are several, or where it has no name.
fn check_many(text: &str, added: &AddPreview) {
    let preview = import_many(text, &NOTHING, &Limits::default());
    assert_eq!(
        preview,
        import_many(text, &NOTHING, &Limits::default()),
        "not the same twice: {text:?}"
    );
    let of_entries = preview.entries.iter().any(|entry| !entry.errors.is_empty());
    let refused = of_entries || !preview.errors.is_empty();
    match preview.accepted() {
        Ok(accepted) => {
            assert!(!refused && !accepted.servers.is_empty(), "{text:?}");
            let servers: BTreeMap<&str, &ServerConfig> = accepted
                .servers
                .iter()
                .map(|server| (server.display_name.as_deref().unwrap(), &server.config))
                .collect();
            assert_eq!(servers.len(), accepted.servers.len(), "a name twice: {text:?}");
            match &added.server {
                Some(server) => assert!(accepted.servers == [server.clone()], "{text:?}"),
                None => assert_eq!(added.errors[0].code, Code::ImportSeveralServers, "{text:?}"),
            }
            let written = serde_json::to_string(&BTreeMap::from([("mcpServers", &servers)])).unwrap();
            let again = import_many(&written, &NOTHING, &Limits::default()).accepted().unwrap();
            assert_eq!(again.notes, [], "{written}");
            let again: BTreeMap<&str, &ServerConfig> = again
                .servers
                .iter()
                .map(|server| (server.display_name.as_deref().unwrap(), &server.config))
                .collect();
            assert!(again == servers, "{written}");
        }
        Err(refusal) => {
            assert!(refused, "{text:?}");
            if added.server.is_some() {
                assert_eq!(refusal.first.code, Code::ImportNameMissing, "{text:?}");
            }
        }
    }
}

/// What was taken, written out, is taken again as the same; so is what an editor shows of it.
fn check_written(server: &ServerDraft) {
    let name = server.display_name.as_deref().unwrap_or("unnamed");
    let write = |config: &ServerConfig| {
        serde_json::to_string(&BTreeMap::from([("mcpServers", BTreeMap::from([(name, config)]))])).unwrap()
    };
    let written = write(&server.config);
    let again = add_one(&written, &Limits::default());
    assert_eq!((&again.errors, &again.notes), (&Vec::new(), &Vec::new()), "{written}");
    let again = again.server.unwrap();
    assert!(
        again.display_name.as_deref() == Some(name) && again.config == server.config,
        "{written}"
    );
    let masked = mask(&server.config);
    for saved in [&server.config, &masked] {
        let edited = edit_one(&write(&masked), saved, &Limits::default());
        assert!(
            edited.server.as_ref().is_some_and(|edited| edited.config == *saved),
            "{written}: {:?}",
            edited.errors
        );
    }
}

/// Every diagnostic stands at a line and column that the text has.
fn check_places(text: &str, AddPreview { server, errors, notes }: &AddPreview) {
    assert_ne!(server.is_some(), !errors.is_empty(), "a server or errors: {text:?}");
    let one_kind_of_line_end = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = one_kind_of_line_end.split('\n').collect();
    for diagnostic in errors.iter().chain(notes) {
        let Some(line) = diagnostic.line else {
            assert!(
                matches!(diagnostic.code, Code::ImportEmpty | Code::ImportJsonRelaxed),
                "{diagnostic} has no place: {text:?}"
            );
            continue;
        };
        let line = lines[usize::try_from(line).unwrap() - 1];
        let column = usize::try_from(diagnostic.column.unwrap()).unwrap();
        // One beyond the last is the end of the line; a CR of CRLF is one more.
        assert!(
            (1..=line.encode_utf16().count() + 2).contains(&column),
            "{diagnostic} at column {column}: {text:?}"
        );
    }
}

/// What is read without the note about leniencies is JSON, and JSON is read, save where it is too deep.
fn check_leniency(text: &str, AddPreview { errors, notes, .. }: &AddPreview) {
    let is_json = |code| {
        !matches!(
            code,
            Code::ImportJsonInvalid | Code::ImportJsonTooDeep | Code::ImportEmpty
        )
    };
    let read = errors.iter().all(|error| is_json(error.code));
    let relaxed = notes.iter().any(|note| note.code == Code::ImportJsonRelaxed);
    let strict = serde_json::from_str::<Value>(text);
    // Duplicate keys end the reading before the notes are complete, but the note about leniencies comes first.
    if read && !relaxed {
        assert!(strict.is_ok(), "read, but it is not JSON: {text:?}: {strict:?}");
    }
    if strict.is_ok() && !read {
        assert!(
            errors[0].code == Code::ImportJsonTooDeep,
            "it is JSON, but: {}: {text:?}",
            errors[0]
        );
    }
}
