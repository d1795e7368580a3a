//! What models read: nothing is lost, nothing can be forged.

use toolgate_core::json;
use toolgate_core::model_text::agent::{InlineLimit, preview, readable_file};
use toolgate_core::model_text::partner::partner_result;
use toolgate_core::model_text::{Resources, model_result};
use toolgate_core::outcome::{CallOutcome, from_error, from_result};
use toolgate_core::{Code, Limits};
use toolgate_properties::core::outcome::headings;
use toolgate_properties::read_back;

use crate::random::Random;

const TRIES: u64 = 3000;

#[test]
fn structured_content_reads_back_as_the_same_value() {
    for seed in 0..TRIES {
        let mut random = Random::new(seed);
        let structured = if seed % 10 == 0 {
            random.deep_json(30)
        } else {
            random.json(6)
        };
        let outcome = from_result(&format!("{{\"structuredContent\":{structured}}}"));
        let content = model_result(&outcome, Resources::Noted).unwrap().content;
        let details = content.strip_prefix("## Details\n\n").expect("details");
        let read = read_back::value(details);
        assert!(
            json::equal(&read, &structured),
            "seed {seed}\n{structured}\nwas written as\n{details}\nand read as\n{read}"
        );
    }
}

#[test]
fn error_details_read_back_as_the_same_value() {
    for seed in 0..TRIES {
        let data = Random::new(seed).json(5);
        let outcome = from_error(&format!("{{\"code\":-1,\"message\":\"m\",\"data\":{data}}}"));
        let content = model_result(&outcome, Resources::Noted).unwrap().content;
        let rest = content
            .strip_prefix("The server answered with the error -1: `m`")
            .expect("the message");
        if data == "null" {
            assert_eq!(rest, "");
            continue;
        }
        let details = rest.strip_prefix("\n\n## Error details\n\n").expect("error details");
        assert!(json::equal(&read_back::value(details), &data), "seed {seed}: {content}");
    }
}

#[test]
fn the_message_of_an_error_is_no_section() {
    for seed in 0..TRIES {
        let message = Random::new(seed).string();
        let outcome = from_error(&format!("{{\"code\":-1,\"message\":{message},\"data\":0}}"));
        let content = model_result(&outcome, Resources::Noted).unwrap().content;
        let headings = headings(&content);
        assert_eq!(headings.len(), 2, "seed {seed}: {content}");
        assert!(headings[0].starts_with("The server answered with the error -1:"));
        assert_eq!(headings[1], "## Error details");
    }
}

#[test]
fn sections_are_those_that_were_written() {
    for seed in 0..TRIES {
        let mut random = Random::new(seed);
        let (result, texts) = random_result(&mut random);
        let outcome = from_result(&result);
        for resources in [Resources::Noted, Resources::Shown] {
            let read = model_result(&outcome, resources).unwrap();
            let own = match read.content.strip_prefix(&texts) {
                Some(own) => own,
                // There is nothing after the texts.
                None => read.content.strip_prefix(texts.trim_end()).expect("the texts"),
            };
            let headings = headings(own);
            let mut expected = vec!["## Details", "## Resources", "## Notes"];
            expected.retain(|heading| headings.contains(heading));
            assert_eq!(headings, expected, "seed {seed}\n{result}\n{own}");
            if result.contains("\"structuredContent\"") {
                assert!(headings.contains(&"## Details"), "seed {seed}\n{own}");
            }
            assert_eq!(
                read,
                model_result(&outcome, resources).unwrap(),
                "seed {seed}: not the same twice"
            );
        }
    }
}

/// A result without odd texts, and what its texts come to with the empty line after them.
fn random_result(random: &mut Random) -> (String, String) {
    let mut blocks = Vec::new();
    let mut texts = Vec::new();
    for _ in 0..random.below(4) {
        blocks.push(match random.below(6) {
            0 => {
                texts.push("text");
                "{\"type\":\"text\",\"text\":\"text\"}".to_owned()
            }
            1 => format!(
                "{{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":{}}}",
                random.string()
            ),
            2 => format!(
                "{{\"type\":\"resource_link\",\"uri\":{},\"name\":{},\"mimeType\":{}}}",
                random.string(),
                random.string(),
                random.string()
            ),
            3 => format!(
                "{{\"type\":\"resource\",\"resource\":{{\"uri\":{},\"mimeType\":{},\"text\":{}}}}}",
                random.string(),
                random.string(),
                random.string()
            ),
            4 => format!("{{\"type\":{}}}", random.string()),
            _ => random.json(2),
        });
    }
    let structured = match random.below(2) {
        0 => format!(",\"structuredContent\":{}", random.json(4)),
        _ => String::new(),
    };
    let result = format!(
        "{{\"content\":[{}]{structured},\"isError\":{}}}",
        blocks.join(","),
        random.json(1)
    );
    let mut texts = texts.join("\n\n");
    if !texts.is_empty() {
        texts.push_str("\n\n");
    }
    (result, texts)
}

#[test]
fn a_long_result_is_whole_in_its_file_and_begins_in_its_preview() {
    for seed in 0..TRIES {
        let mut random = Random::new(seed);
        let content = model_result(
            &from_result(&format!("{{\"structuredContent\":{}}}", random.json(5))),
            Resources::Noted,
        )
        .unwrap()
        .content;
        let limits = Limits {
            line_chars: 1 + random.below(20),
            preview_chars: 1 + random.below(30),
            ..Limits::default()
        };
        let file = readable_file(&content, &limits);
        assert_eq!(file.lines, file.text.lines().count());
        // Only line breaks were added.
        let mut rest = content.chars().peekable();
        for character in file.text.chars() {
            if rest.peek() == Some(&character) {
                rest.next();
            } else {
                assert_eq!(character, '\n', "seed {seed}");
            }
        }
        assert_eq!(rest.next(), None, "seed {seed}: the file ends early");
        let longest = file
            .text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line).chars().count())
            .max()
            .unwrap();
        assert!(longest <= limits.line_chars, "seed {seed}: a line of {longest}");

        let limit = InlineLimit::new(Some(1 + random.below(40)), &limits).unwrap();
        assert_eq!(limit.is_exceeded_by(&content), content.chars().count() > limit.chars());
        let preview = preview(&content, &file, "tool-results/1.txt", limit, &limits);
        let (head, shown) = preview.split_once("\n\n").unwrap();
        assert!(head.contains("`tool-results/1.txt`"));
        assert!(content.starts_with(shown));
        assert!(shown.chars().count() <= limits.preview_chars.min(limit.chars()));
    }
}

#[test]
fn a_partner_never_reads_more_than_its_limit() {
    let limits = Limits {
        partner_text_bytes: 100,
        ..Limits::default()
    };
    let mut too_large = 0;
    for seed in 0..TRIES {
        let (result, _) = random_result(&mut Random::new(seed));
        let outcome = from_result(&result);
        let whole = model_result(&outcome, Resources::Shown).unwrap();
        let read = partner_result(&outcome, &limits).unwrap();
        if whole.content.len() <= 100 {
            assert_eq!(read, whole);
        } else {
            too_large += 1;
            assert_eq!(read.error_code, Some(Code::PartnerResultSizeLimit));
            assert!(read.is_error && read.content.starts_with("The call was carried out"));
        }
    }
    assert!(too_large > 100, "the limit was hardly tried");
}

#[test]
fn outcomes_survive_the_bridge() {
    for seed in 0..TRIES {
        let mut random = Random::new(seed);
        let (result, _) = random_result(&mut random);
        let outcome = from_result(&result);
        let carried = CallOutcome::from_json(&outcome.to_json()).expect("an outcome");
        assert_eq!(carried.to_json(), outcome.to_json(), "seed {seed}");
        // What a page says a model reads is what the host says.
        let of = |outcome: &CallOutcome| model_result(outcome, Resources::Noted).unwrap().content;
        assert_eq!(of(&carried), of(&outcome), "seed {seed}");
    }
}
