//! `docs/partners.md` is true: its conversation is held with a host, and every answer is the one that is printed there.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::support::{Bench, page};
use crate::{URL, serve};

const DOCUMENT: &str = include_str!("../../../docs/partners.md");

/// The methods with their parameters and printed results, in the order of the document.
fn conversation() -> Vec<(String, String, Option<String>)> {
    let blocks = DOCUMENT.split("```text\n").skip(1);
    let text: String = blocks.map(|block| block.split("```").next().unwrap()).collect();
    let requests = text.split('→').skip(1);
    requests
        .map(|request| {
            let (asked, answered) = match request.split_once('←') {
                Some((asked, answered)) => (asked, Some(answered.to_owned())),
                None => (request, None),
            };
            let (method, params) = asked.trim().split_once(' ').unwrap();
            // What stands in brackets is for people.
            let params = params.rsplit_once('}').unwrap().0.to_owned() + "}";
            (method.to_owned(), params, answered)
        })
        .collect()
}

/// Words in capitals stand for what a host makes, the same each time; `…` for any text.
#[derive(Default)]
struct Words(HashMap<String, String>);

impl Words {
    fn filled_in(&self, text: &str) -> String {
        self.0
            .iter()
            .fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }

    fn check(&mut self, printed: &Value, got: &Value, at: &str) {
        match (printed, got) {
            (Value::Object(printed), Value::Object(got)) => {
                assert_eq!(printed.len(), got.len(), "{at}: {got:?}");
                for (key, value) in printed {
                    self.check(value, &got[key], &format!("{at}.{key}"));
                }
            }
            (Value::Array(printed), Value::Array(got)) => {
                assert_eq!(printed.len(), got.len(), "{at}: {got:?}");
                for (printed, got) in printed.iter().zip(got) {
                    self.check(printed, got, at);
                }
            }
            (Value::String(printed), Value::String(got)) if printed == "…" => assert!(!got.is_empty(), "{at}"),
            (Value::String(printed), Value::String(got))
                if printed.len() > 1 && printed.bytes().all(|byte| byte.is_ascii_uppercase()) =>
            {
                assert!(!self.0.values().any(|known| known == got), "{at}: {got} is not new");
                self.0.insert(printed.clone(), got.clone());
            }
            _ => assert_eq!(printed, got, "{at}"),
        }
    }
}

#[tokio::test]
async fn the_conversation_is_as_it_is_printed() {
    let mut bench = Bench::new();
    let server = bench.active_server(URL).await;
    bench.discover(&server, &["search"]).await;
    let mut words = Words::default();
    words.0.insert("SERVER".to_owned(), server);
    let conversation = conversation();
    assert!(conversation.len() > 10);
    for (method, params, printed) in conversation {
        let params: Value = serde_json::from_str(&words.filled_in(&params)).expect(&params);
        let sent = params["callId"] == json!("CALL-1");
        let running = bench.start(&method, params);
        if method == "servers.refresh" {
            let (pages, _closing) = bench.attempt().await.connect();
            pages.send(Ok(page(&["search", "write"]))).unwrap();
        }
        if sent {
            serve(&mut bench).await.call().await.say("3 pages found.");
        }
        let got = running
            .await
            .unwrap()
            .unwrap_or_else(|error| panic!("{method}: {error}"));
        if let Some(printed) = printed {
            let printed: Value = serde_json::from_str(&words.filled_in(&printed)).expect(&printed);
            words.check(&printed, &got, &method);
        }
    }
}
