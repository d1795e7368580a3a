//! Headers and environment variables as a value of Rust: names once each, in order; equal whatever the order; values not
//! in `Debug`.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used)]
#![cfg(not(target_arch = "wasm32"))]

use toolgate_core::named_values::NamedValues;

fn values(pairs: &[(&str, &str)]) -> NamedValues {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    NamedValues::from_pairs(pairs.iter().map(own).collect()).unwrap()
}

#[test]
fn a_name_stands_once_and_its_case_matters() {
    let mut some = NamedValues::new();
    assert!(some.is_empty());
    assert!(some.insert("X".to_owned(), "1".to_owned()));
    assert!(!some.is_empty());
    assert!(!some.insert("X".to_owned(), "2".to_owned()), "it is there already");
    assert!(
        some.insert("x".to_owned(), "3".to_owned()),
        "another case is another name"
    );
    assert_eq!(some.len(), 2);
    assert_eq!(
        (some.get("X"), some.get("x"), some.get("y")),
        (Some("1"), Some("3"), None)
    );
    assert_eq!(some.iter().collect::<Vec<_>>(), [("X", "1"), ("x", "3")]);
    let doubled = [("A", "1"), ("B", "2"), ("B", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(NamedValues::from_pairs(doubled.to_vec()), Err("B".to_owned()));
}

#[test]
fn equality_asks_for_names_and_values_and_not_for_the_order() {
    let one = values(&[("A", "1"), ("B", "2")]);
    assert_eq!(one, values(&[("B", "2"), ("A", "1")]));
    assert_eq!(NamedValues::new(), NamedValues::default());
    for other in [
        values(&[("A", "1"), ("B", "3")]),
        values(&[("A", "1"), ("C", "2")]),
        values(&[("A", "1")]),
        values(&[("A", "1"), ("B", "2"), ("C", "3")]),
        NamedValues::new(),
    ] {
        assert_ne!(one, other);
        assert_ne!(other, one);
    }
}

#[test]
fn it_is_written_and_read_as_an_object_and_debug_shows_names_alone() {
    let some = values(&[("b", "secret"), ("a", "")]);
    let text = r#"{"b":"secret","a":""}"#;
    assert_eq!(serde_json::to_string(&some).unwrap(), text);
    assert_eq!(serde_json::from_str::<NamedValues>(text).unwrap(), some);
    assert_eq!(format!("{some:?}"), r#"{"b", "a"}"#);
    let refused = |text: &str| serde_json::from_str::<NamedValues>(text).unwrap_err().to_string();
    assert!(refused(r#"{"a":"1","a":"2"}"#).starts_with("a name stands twice"));
    assert!(
        refused("[]").contains("expected an object whose values are strings"),
        "{}",
        refused("[]")
    );
}
