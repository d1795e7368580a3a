//! Masked editing: what comes back unchanged restores what was saved; a value that is restored is the one its own
//! placeholder stands for, or the one that was written; and no refusal tells a value.

use std::collections::BTreeSet;

use toolgate_core::mask::{detach, holds_placeholder, mask, placeholder, restore};
use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{HttpConfig, ProtocolVersion, ServerConfig, StdioConfig};

use crate::parts::Parts;

/// Stands in every saved secret, and nowhere else.
const MARK: &str = "[saved]";

/// The parts are two configurations, the saved one and the edited one. Of each the first byte is the transport and the
/// number of names with values, then come the parts of the configuration itself.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let saved = config(&mut parts, &|text| format!("{MARK}{}", text.replace(MARK, "")));
    let edited = config(&mut parts, &|text| text.replace(MARK, ""));

    let masked = mask(&saved);
    assert!(restore(masked.clone(), Some(&saved)).unwrap() == saved);
    assert!(restore(masked.clone(), Some(&masked)).unwrap() == masked);
    assert!(mask(&masked) == masked, "masking twice is masking once");
    assert!(restore(detach(&saved), Some(&saved)).unwrap() == saved);
    let shown = serde_json::to_string(&detach(&saved)).unwrap();
    let open = match &saved {
        ServerConfig::Http(_) => String::new(),
        ServerConfig::Stdio(config) => format!("{}{}", config.command, config.cwd.as_deref().unwrap_or_default()),
    };
    assert!(!shown.contains(MARK) || open.contains(MARK), "a secret is shown: {shown}");
    assert!(!format!("{saved:?}").contains(MARK), "a secret is in the Debug output");

    match restore(edited.clone(), Some(&saved)) {
        Ok(restored) => check_restored(&saved, &edited, &restored),
        Err(refusal) => {
            for reason in refusal.reasons() {
                assert!(!format!("{reason:?}").contains(MARK), "{reason} tells a secret");
            }
        }
    }
    // A new server takes no placeholder, and otherwise stays as it is.
    let texts = texts(&edited);
    match restore(edited.clone(), None) {
        Ok(restored) => {
            assert!(restored == edited);
            assert!(!texts.iter().any(|text| holds_placeholder(text)), "{texts:?}");
        }
        Err(_) => assert!(texts.iter().any(|text| holds_placeholder(text)), "{texts:?}"),
    }
}

fn config(parts: &mut Parts<'_>, secret: &dyn Fn(String) -> String) -> ServerConfig {
    let kind = parts.number();
    let protocol_version = ProtocolVersion::ALL[kind % 5];
    let count = kind / 16 % 6;
    let values = |parts: &mut Parts<'_>| {
        let mut values = NamedValues::new();
        for _ in 0..count {
            let name = parts.text().replace(MARK, "");
            let _ = values.insert(name, secret(parts.text()));
        }
        values
    };
    if kind & 8 == 0 {
        let url = parts.text();
        // In a URL its query is the secret; what is no URL counts as one as a whole.
        let url = match url.split_once('?') {
            Some((endpoint, query)) => format!("{}?{}", endpoint.replace(MARK, ""), secret(query.to_owned())),
            None => secret(url),
        };
        ServerConfig::Http(HttpConfig {
            headers: values(parts),
            url,
            protocol_version,
        })
    } else {
        ServerConfig::Stdio(StdioConfig {
            command: parts.text().replace(MARK, ""),
            cwd: Some(parts.text().replace(MARK, "")).filter(|cwd| !cwd.is_empty()),
            env: values(parts),
            args: (0..count).map(|_| secret(parts.text())).collect(),
            protocol_version,
        })
    }
}

/// Every text of a configuration, names included.
fn texts(config: &ServerConfig) -> Vec<&str> {
    match config {
        ServerConfig::Http(config) => std::iter::once(config.url.as_str())
            .chain(config.headers.iter().flat_map(|(name, value)| [name, value]))
            .collect(),
        ServerConfig::Stdio(config) => std::iter::once(config.command.as_str())
            .chain(config.cwd.as_deref())
            .chain(config.args.iter().map(String::as_str))
            .chain(config.env.iter().flat_map(|(name, value)| [name, value]))
            .collect(),
    }
}

/// Nothing is invented: each value is the one written, or the saved one of the field whose placeholder was written.
fn check_restored(saved: &ServerConfig, edited: &ServerConfig, restored: &ServerConfig) {
    match (edited, restored) {
        (ServerConfig::Http(edited), ServerConfig::Http(restored)) => {
            let saved = match saved {
                ServerConfig::Http(saved) => Some(saved),
                ServerConfig::Stdio(_) => None,
            };
            if edited.url == placeholder("url") {
                assert_eq!(Some(&restored.url), saved.map(|saved| &saved.url));
            } else {
                assert_eq!(restored.url, edited.url);
            }
            check_values(
                "headers",
                saved.map(|saved| &saved.headers),
                &edited.headers,
                &restored.headers,
            );
        }
        (ServerConfig::Stdio(edited), ServerConfig::Stdio(restored)) => {
            let saved = match saved {
                ServerConfig::Stdio(saved) => Some(saved),
                ServerConfig::Http(_) => None,
            };
            assert_eq!((&restored.command, &restored.cwd), (&edited.command, &edited.cwd));
            check_values("env", saved.map(|saved| &saved.env), &edited.env, &restored.env);
            assert_eq!(restored.args.len(), edited.args.len());
            let mut used = BTreeSet::new();
            for (written, restored) in edited.args.iter().zip(&restored.args) {
                if !holds_placeholder(written) {
                    assert_eq!(restored, written);
                    continue;
                }
                let args = saved.map(|saved| saved.args.as_slice()).unwrap_or_default();
                let index = (0..args.len()).find(|index| *written == placeholder(&format!("args/{index}")));
                let index = index.expect("an argument's own placeholder");
                assert_eq!(*restored, args[index]);
                assert!(used.insert(index), "an argument is restored twice");
            }
        }
        _ => panic!("another transport"),
    }
}

fn check_values(field: &str, saved: Option<&NamedValues>, edited: &NamedValues, restored: &NamedValues) {
    assert_eq!(restored.len(), edited.len());
    for ((name, written), (restored_name, restored)) in edited.iter().zip(restored.iter()) {
        assert_eq!(restored_name, name);
        if holds_placeholder(written) {
            assert_eq!(written, placeholder(&format!("{field}/{name}")));
            assert_eq!(Some(restored), saved.and_then(|saved| saved.get(name)));
        } else {
            assert_eq!(restored, written);
        }
    }
}
