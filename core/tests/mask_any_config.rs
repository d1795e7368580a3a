//! Masked editing on generated configurations: what comes back unchanged restores what was saved; nothing masked shows a
//! value; nothing moved is taken.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/random.rs"]
mod random;

use toolgate_core::mask::{detach, holds_placeholder, is_masked, mask, placeholder, restore};
use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{HttpConfig, ProtocolVersion, ServerConfig, StdioConfig};

use random::Random;

impl Random {
    fn text(&mut self) -> String {
        const PIECES: [&str; 24] = [
            "a",
            "B",
            "0",
            "-",
            "_",
            ".",
            "!",
            "~",
            "*",
            "'",
            "(",
            ")",
            "/",
            "%",
            "%2F",
            " ",
            "{{",
            "}}",
            "{{DSH_MCP_SAVED:url}}",
            "{{DSH_MCP_SAVED:",
            "args%2F0",
            "é",
            "搜",
            "🦀",
        ];
        (0..self.below(5)).map(|_| self.pick(&PIECES)).collect()
    }

    fn values(&mut self) -> NamedValues {
        let mut values = NamedValues::new();
        for _ in 0..self.below(5) {
            let (name, value) = (self.text(), self.text());
            let _ = values.insert(name, value);
        }
        values
    }

    fn config(&mut self) -> ServerConfig {
        let protocol_version = ProtocolVersion::ALL[self.below(5)];
        if self.below(2) == 0 {
            const URLS: [&str; 7] = [
                "https://example.com/",
                "https://example.com/?",
                "https://u@example.com/",
                "https://example.com/a?b={{DSH_MCP_SAVED:url}}",
                "https://example.com/%7B%7BDSH_MCP_SAVED:url%7D%7D",
                "{{DSH_MCP_SAVED:url}}",
                "",
            ];
            ServerConfig::Http(HttpConfig {
                url: self.pick(&URLS).to_owned(),
                headers: self.values(),
                protocol_version,
            })
        } else {
            ServerConfig::Stdio(StdioConfig {
                command: self.text(),
                args: (0..self.below(12)).map(|_| self.text()).collect(),
                env: self.values(),
                cwd: (self.below(2) == 0).then(|| self.text()),
                protocol_version,
            })
        }
    }
}

#[test]
fn masked_and_saved_unchanged_is_the_same_configuration() {
    let mut choices = Random::new(0x5eed_0002);
    for _ in 0..10_000 {
        let saved = choices.config();
        let masked = mask(&saved);
        assert_eq!(restore(masked.clone(), Some(&saved)).as_ref(), Ok(&saved));
        // As an editor does that was given the masked one: nothing changes there either.
        assert_eq!(restore(masked.clone(), Some(&masked)).as_ref(), Ok(&masked));
    }
}

#[test]
fn what_is_kept_apart_and_read_again_is_the_same_configuration() {
    let mut choices = Random::new(0x5eed_0006);
    for _ in 0..10_000 {
        let saved = choices.config();
        let detached = detach(&saved);
        assert_eq!(restore(detached.clone(), Some(&saved)).as_ref(), Ok(&saved));
        match (&detached, &saved) {
            (ServerConfig::Http(config), _) => assert_eq!(config.url, placeholder("url")),
            (ServerConfig::Stdio(_), ServerConfig::Stdio(saved)) => {
                let has_secrets = !saved.args.is_empty() || !saved.env.is_empty();
                assert_eq!(is_masked(&detached), has_secrets);
            }
            (ServerConfig::Stdio(_), ServerConfig::Http(_)) => panic!("another transport"),
        }
    }
}

#[test]
fn one_placeholder_makes_a_configuration_masked() {
    let http = |url: &str, value: Option<&str>| {
        let headers = value
            .map(|value| ("X".to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        is_masked(&ServerConfig::Http(HttpConfig {
            url: url.to_owned(),
            headers: NamedValues::from_pairs(headers).unwrap(),
            protocol_version: ProtocolVersion::Auto,
        }))
    };
    let url = "https://example.com/mcp";
    assert!(!http(url, None));
    assert!(!http(url, Some("1")));
    assert!(http(&placeholder("url"), None));
    assert!(http(&placeholder("url"), Some("1")));
    assert!(http(url, Some(&placeholder("headers/X"))));
    let stdio = |argument: &str, value: &str| {
        is_masked(&ServerConfig::Stdio(StdioConfig {
            command: "a".to_owned(),
            args: vec![argument.to_owned()],
            env: NamedValues::from_pairs(vec![("X".to_owned(), value.to_owned())]).unwrap(),
            cwd: None,
            protocol_version: ProtocolVersion::Auto,
        }))
    };
    assert!(!stdio("b", "1"));
    assert!(stdio(&placeholder("args/0"), "1"));
    assert!(stdio("b", &placeholder("env/X")));
}

#[test]
fn every_masked_value_is_its_own_placeholder() {
    let mut choices = Random::new(0x5eed_0003);
    for _ in 0..5_000 {
        match mask(&choices.config()) {
            ServerConfig::Http(config) => {
                for (name, value) in config.headers.iter() {
                    assert_eq!(value, placeholder(&format!("headers/{name}")));
                }
            }
            ServerConfig::Stdio(config) => {
                for (index, argument) in config.args.iter().enumerate() {
                    assert_eq!(*argument, placeholder(&format!("args/{index}")));
                }
                for (name, value) in config.env.iter() {
                    assert_eq!(value, placeholder(&format!("env/{name}")));
                }
            }
        }
    }
}

#[test]
fn what_is_moved_is_refused() {
    let mut choices = Random::new(0x5eed_0004);
    let mut moved = 0;
    for _ in 0..5_000 {
        let saved = choices.config();
        let ServerConfig::Http(mut edited) = mask(&saved) else {
            continue;
        };
        // Every value goes to the next name.
        let (names, mut values): (Vec<_>, Vec<_>) = edited
            .headers
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .unzip();
        if names.len() < 2 {
            continue;
        }
        values.rotate_left(1);
        edited.headers = NamedValues::from_pairs(names.iter().cloned().zip(values).collect()).unwrap();
        let refusal = restore(ServerConfig::Http(edited), Some(&saved)).unwrap_err();
        assert_eq!(refusal.reasons().count(), names.len());
        moved += 1;
    }
    assert!(moved > 500);
}

#[test]
fn a_new_server_takes_no_placeholder() {
    let mut choices = Random::new(0x5eed_0005);
    for _ in 0..5_000 {
        let config = choices.config();
        let texts: Vec<&str> = match &config {
            ServerConfig::Http(config) => config
                .headers
                .iter()
                .flat_map(|(name, value)| [name, value])
                .chain([config.url.as_str()])
                .collect(),
            ServerConfig::Stdio(config) => config
                .env
                .iter()
                .flat_map(|(name, value)| [name, value])
                .chain(config.args.iter().map(String::as_str))
                .chain([config.command.as_str()])
                .chain(config.cwd.as_deref())
                .collect(),
        };
        let count = texts.iter().filter(|text| holds_placeholder(text)).count();
        match restore(config.clone(), None) {
            Ok(restored) => assert_eq!((count, restored), (0, config)),
            Err(refusal) => assert_eq!(refusal.reasons().count(), count),
        }
    }
}
