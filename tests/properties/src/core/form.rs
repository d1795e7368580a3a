//! The form of a tool's arguments: any schema and any arguments give one; it shows what is there as it is spelled; and an
//! edit changes its place and nothing else.

use toolgate_core::form::{Choices, FormControl, FormModel, FormNode, number_or_text};
use toolgate_core::json::{JsonText, equal, literal, place_of, remove_at, set_at, value_at};

use crate::parts::Parts;

/// Places of a form, at most, with those that say that there are more.
const PLACES: usize = 1_100;
/// Of a long form so many places are edited.
const EDITED: usize = 60;

/// The parts are a schema, arguments, which alternatives are chosen, and what is written into the fields.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let (schema, arguments) = (parts.text(), parts.text());
    let chosen = parts.number();
    let written = parts.text();
    let value = number_or_text(&written);
    check_number(&written, &value);
    let choices = Choices::from([("/a".to_owned(), chosen % 16), (String::new(), chosen / 16)]);
    read_and_edit(&schema, &arguments, &choices, &value);
}

/// A number stays as it is spelled, and what is none stays as text.
fn check_number(written: &str, value: &str) {
    let json = JsonText::parse(value).unwrap();
    if json.as_str().starts_with('"') {
        assert!(equal(value, &literal(written.trim())), "{written:?}");
    } else {
        assert_eq!(value, written.trim());
    }
}

/// Reads the form and edits each of its places with a value; how many edits there were.
pub fn read_and_edit(schema: &str, arguments: &str, choices: &Choices, value: &str) -> usize {
    let model = FormModel::new(schema);
    let Some(form) = model.read(arguments, choices) else {
        assert!(
            JsonText::parse(arguments).map_or(true, |arguments| !arguments.as_str().starts_with('{')),
            "no form for {arguments:?}"
        );
        return 0;
    };
    assert_eq!(model.read(arguments, choices).as_ref(), Some(&form), "not the same twice");
    let mut nodes = Vec::new();
    each(&form, &mut |node| nodes.push(node));
    assert!(nodes.len() <= PLACES, "{} places", nodes.len());
    let mut edits = 0;
    let step = nodes.len().div_ceil(EDITED).max(1);
    for node in nodes.into_iter().step_by(step) {
        check_shown(arguments, node);
        for alternative in 0..node.alternatives.len().min(4) {
            if let Some(after) = model.choose(arguments, choices, &node.path, alternative) {
                assert!(model.read(&after, choices).is_some(), "{after}");
            }
        }
        if !node.path.is_empty() && !matches!(node.control, FormControl::Json { .. }) {
            edits += usize::from(check_edit(arguments, node, value));
        }
    }
    edits
}

/// What a place shows is what is there.
fn check_shown(arguments: &str, node: &FormNode) {
    let present = value_at(arguments, &node.path);
    assert_eq!(node.present, present.is_some(), "{}", node.path);
    assert!(place_of(arguments, &node.path).is_some());
    match (&node.control, present) {
        (FormControl::Text { text: Some(text) }, Some(present)) => assert!(equal(present, &literal(text)), "{}", node.path),
        (FormControl::Number { text: Some(text), .. }, Some(present)) if node.unfitting_json.is_none() => {
            assert_eq!(text, present, "{}", node.path);
        }
        (
            FormControl::Options {
                options,
                selected: Some(selected),
                ..
            },
            Some(present),
        ) => assert!(equal(&options[*selected].json, present), "{}", node.path),
        (FormControl::Text { text: Some(_) } | FormControl::Number { text: Some(_), .. }, None) => {
            panic!("{} shows what is not there", node.path);
        }
        _ => {}
    }
}

/// Whether the place could be edited.
fn check_edit(arguments: &str, node: &FormNode, value: &str) -> bool {
    let path = node.path.as_str();
    let Some(edited) = set_at(arguments, path, value) else {
        assert!(!node.present, "{path} of {arguments} cannot be set");
        return false;
    };
    assert_eq!(value_at(&edited, path), Some(value));
    let compact = |text: &str| JsonText::parse(text).unwrap();
    if node.present {
        let back = set_at(&edited, path, value_at(arguments, path).unwrap()).unwrap();
        assert_eq!(compact(&back), compact(arguments), "{path}: something else was changed");
    } else {
        // What was put in goes again, but for the objects on the way to it.
        let removed = remove_at(&edited, path).unwrap();
        assert_eq!(value_at(&removed, path), None);
        if path.matches('/').count() == 1 {
            assert_eq!(compact(&removed), compact(arguments), "{path}: something else was changed");
        }
    }
    assert!(place_of(&edited, path).is_some());
    true
}

fn each<'a>(node: &'a FormNode, look: &mut impl FnMut(&'a FormNode)) {
    look(node);
    let (FormControl::Object { fields: below, .. } | FormControl::List { items: below, .. }) = &node.control else {
        return;
    };
    for node in below {
        each(node, look);
    }
}
