//! Servers that answer a call in an odd way: the envelope, the error, the result, its numbers.

use super::{Behaviour, row};
use crate::script::{Answer, Asked, On, Script};

/// Odd envelopes.
pub(super) const ENVELOPES: &[Behaviour] = &[
    row("id-as-text", "The id comes back as a string.", || {
        message(|asked| well(&format!("\"{}\"", asked.id)))
    }),
    row("id-as-float", "The id comes back as 1.0 and the like.", || {
        message(|asked| well(&format!("{}.0", asked.id)))
    }),
    row("id-with-exponent", "The id comes back with an exponent.", || {
        message(|asked| well(&format!("{}e0", asked.id)))
    }),
    row("id-null", "The id comes back as null.", || message(|_| well("null"))),
    row("id-missing", "The id does not come back.", || {
        message(|_| r#"{"jsonrpc":"2.0","result":{"content":[]}}"#.to_owned())
    }),
    row("id-array", "The id comes back in an array.", || {
        message(|asked| well(&format!("[{}]", asked.id)))
    }),
    row("id-2-64", "The id is 2 to the power of 64 plus itself.", || {
        message(|asked| well(&format!("1844674407370955161{}", asked.id)))
    }),
    row("id-negative", "The id comes back negative.", || {
        message(|asked| well(&format!("-{}", asked.id)))
    }),
    row("id-twice", "Two ids, the right one last.", || {
        message(|asked| format!(r#"{{"jsonrpc":"2.0","id":4711,{WELL},"id":{}}}"#, asked.id))
    }),
    row("jsonrpc-missing", "No jsonrpc.", || {
        message(|asked| format!(r#"{{"id":{},{WELL}}}"#, asked.id))
    }),
    row("jsonrpc-1-0", "jsonrpc 1.0.", || {
        message(|asked| format!(r#"{{"jsonrpc":"1.0","id":{},{WELL}}}"#, asked.id))
    }),
    row("extra-fields", "Fields nobody asked for.", || {
        message(|asked| asked.with(&format!(r#"{WELL},"zzz":1e999,"params":[]"#)))
    }),
    row("result-and-error", "A result and an error.", || {
        message(|asked| asked.with(&format!(r#"{WELL},"error":{{"code":-1,"message":"remote text"}}"#)))
    }),
    row("result-and-null-error", "A result and an error that is null.", || {
        message(|asked| asked.with(&format!(r#"{WELL},"error":null"#)))
    }),
    row("error-and-null-result", "An error and a result that is null.", || {
        message(|asked| asked.with(r#""result":null,"error":{"code":-7,"message":"remote text"}"#))
    }),
    row("neither", "Neither result nor error.", || {
        message(|asked| asked.with(r#""zzz":1"#))
    }),
    row("result-and-method", "A result in a request.", || {
        message(|asked| asked.with(&format!(r#"{WELL},"method":"ping""#)))
    }),
    row("call-batch", "The answer in an array.", || {
        message(|asked| {
            format!(
                r#"[{{"jsonrpc":"2.0","method":"notifications/x"}},{}]"#,
                well(&asked.id)
            )
        })
    }),
    row(
        "call-batch-of-two",
        "Two answers in an array, one of them another's.",
        || message(|asked| format!("[{},{}]", well("4711"), well(&asked.id))),
    ),
    row("call-empty-batch", "An empty array.", || message(|_| "[]".to_owned())),
    row("error-bare", "An empty error.", || {
        message(|asked| asked.with(r#""error":{}"#))
    }),
    row("error-text", "An error that is a text.", || {
        message(|asked| asked.with(r#""error":"remote text""#))
    }),
    row("error-null", "An error that is null, and nothing else.", || {
        message(|asked| asked.with(r#""error":null"#))
    }),
    row("error-code-text", "An error whose code is a text.", || {
        message(|asked| asked.with(r#""error":{"code":"-32603","message":"remote text"}"#))
    }),
    row("error-code-float", "An error whose code is a fraction.", || {
        message(|asked| asked.with(r#""error":{"code":-1.5,"message":"remote text"}"#))
    }),
    row("error-code-huge", "An error whose code has thirty digits.", || {
        message(|asked| asked.with(r#""error":{"code":123456789012345678901234567890,"message":"remote text"}"#))
    }),
    row("error-message-object", "An error whose message is an object.", || {
        message(|asked| asked.with(r#""error":{"code":-1,"message":{"a":1}}"#))
    }),
    row(
        "error-data-numbers",
        "An error whose data no floating point number can be.",
        || message(|asked| asked.with(r#""error":{"code":-1,"message":"m","data":[18446744073709551616,1e400,-0]}"#)),
    ),
    row("error-1-mib", "An error of a mebibyte.", || {
        message(|asked| asked.with(&format!(r#""error":{{"code":-1,"message":"{}"}}"#, "x".repeat(1 << 20))))
    }),
];

/// Odd results.
pub(super) const RESULTS: &[Behaviour] = &[
    row("result-empty", "An empty result.", || result("{}")),
    row("result-null", "A result that is null.", || result("null")),
    row("result-text", "A result that is a text.", || result(r#""remote text""#)),
    row("result-number", "A result that is a number.", || result("7")),
    row("result-array", "A result that is the content.", || {
        result(r#"[{"type":"text","text":"a"}]"#)
    }),
    row("content-null", "Content that is null.", || {
        result(r#"{"content":null}"#)
    }),
    row("content-text", "Content that is a text.", || {
        result(r#"{"content":"a"}"#)
    }),
    row("content-object", "Content that is one block.", || {
        result(r#"{"content":{"type":"text","text":"a"}}"#)
    }),
    row("content-twice", "Two contents.", || {
        result(r#"{"content":[{"type":"text","text":"a"}],"content":[{"type":"text","text":"b"}]}"#)
    }),
    row(
        "content-odd-blocks",
        "null, a number, a text and an array between texts.",
        || {
            result(
                r#"{"content":[{"type":"text","text":"a"},null,7,"remote text",[],{},{"type":5},{"type":"text","text":"b"}]}"#,
            )
        },
    ),
    row("content-unknown-kind", "A block of a kind nobody has heard of.", || {
        result(r#"{"content":[{"type":"hologram","data":"x"},{"type":"text","text":"a"}]}"#)
    }),
    row("content-text-missing", "Text blocks without text.", || {
        result(
            r#"{"content":[{"type":"text"},{"type":"text","text":null},{"type":"text","text":7},{"type":"text","text":"a"}]}"#,
        )
    }),
    row(
        "content-image-odd",
        "An image without type, and one whose data is no base64.",
        || {
            result(
                r#"{"content":[{"type":"image","data":"AAAA"},{"type":"image","mimeType":"image/png","data":"!!"}]}"#,
            )
        },
    ),
    row("content-image-3-mib", "An image of 3 MiB of base64.", || {
        result(&format!(
            r#"{{"content":[{{"type":"image","mimeType":"image/png","data":"{}"}}]}}"#,
            "A".repeat(3 << 20)
        ))
    }),
    row(
        "content-link-odd",
        "A resource link without an address, and one to a script.",
        || {
            result(
                r#"{"content":[{"type":"resource_link","name":"a"},{"type":"resource_link","name":"b","uri":"javascript:alert(1)"}]}"#,
            )
        },
    ),
    row(
        "content-resource-odd",
        "An embedded resource that is a text, and one with neither text nor blob.",
        || {
            result(
                r#"{"content":[{"type":"resource","resource":"a"},{"type":"resource","resource":{"uri":"file:///a"}}]}"#,
            )
        },
    ),
    row(
        "content-annotations-odd",
        "Annotations of a block that are of other types.",
        || {
            result(
                r#"{"content":[{"type":"text","text":"a","annotations":{"audience":["system"],"priority":"high"},"_meta":5}]}"#,
            )
        },
    ),
    row("content-half-character", "A text with half a character.", || {
        result(r#"{"content":[{"type":"text","text":"a\ud83d"},{"type":"text","text":"b"}]}"#)
    }),
    row("content-ansi", "A text with escape sequences and NUL.", || {
        result(r#"{"content":[{"type":"text","text":"\u001b[2J\u0000\u202eb"}]}"#)
    }),
    row("content-10-000-blocks", "Ten thousand texts.", || {
        result(&format!(
            r#"{{"content":[{}]}}"#,
            vec![r#"{"type":"text","text":"a"}"#; 10_000].join(",")
        ))
    }),
    row("content-2-mib", "A text of 2 MiB.", || {
        result(&format!(
            r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#,
            "x".repeat(2 << 20)
        ))
    }),
    row("is-error-text", "isError is a text.", || {
        result(r#"{"content":[{"type":"text","text":"a"}],"isError":"true"}"#)
    }),
    row("is-error-null", "isError is null.", || {
        result(r#"{"content":[{"type":"text","text":"a"}],"isError":null}"#)
    }),
    row("is-error-structured", "isError beside structured content.", || {
        result(r#"{"content":[{"type":"text","text":"a"}],"isError":true,"structuredContent":{"b":1}}"#)
    }),
    row("structured-null", "Structured content that is null.", || {
        result(r#"{"content":[],"structuredContent":null}"#)
    }),
    row("structured-array", "Structured content that is an array.", || {
        result(r#"{"content":[],"structuredContent":[1,"a"]}"#)
    }),
    row(
        "structured-deep",
        "Structured content nested five thousand deep.",
        || {
            result(&format!(
                r#"{{"content":[],"structuredContent":{}{}}}"#,
                "[".repeat(5000),
                "]".repeat(5000)
            ))
        },
    ),
    row("structured-twice", "Structured content with a key twice.", || {
        result(r#"{"content":[],"structuredContent":{"a":1,"b":2,"a":3}}"#)
    }),
    row(
        "structured-odd-keys",
        "Structured content with keys that programs trip over.",
        || result(r#"{"content":[],"structuredContent":{"__proto__":1,"$serde_json::private::Number":"7","":2}}"#),
    ),
    row(
        "result-looks-like-others",
        "A result with the fields of every other result.",
        || {
            result(
                r#"{"content":[{"type":"text","text":"a"}],"tools":[],"contents":[],"messages":[],"prompts":[],"action":"accept","protocolVersion":"2025-11-25"}"#,
            )
        },
    ),
    row("result-meta-odd", "_meta that is a text.", || {
        result(r#"{"content":[{"type":"text","text":"a"}],"_meta":"remote text"}"#)
    }),
];

/// Odd numbers.
pub(super) const NUMBERS: &[Behaviour] = &[
    row("number-2-53", "An integer one above those of JavaScript.", || {
        number("9007199254740993")
    }),
    row("number-2-64", "2 to the power of 64.", || {
        number("18446744073709551616")
    }),
    row(
        "number-min-i64",
        "The smallest integer of 64 bits, and one less.",
        || number("[-9223372036854775808,-9223372036854775809]"),
    ),
    row("number-40-digits", "An integer of forty digits.", || {
        number("1234567890123456789012345678901234567890")
    }),
    row("number-long-fraction", "A fraction of thirty digits.", || {
        number("0.123456789012345678901234567890")
    }),
    row("number-minus-zero", "-0, -0.0 and 0.0.", || number("[-0,-0.0,0.0]")),
    row("number-1e400", "A number too large for floating point.", || {
        number("1e400")
    }),
    row("number-1e-400", "A number too small for floating point.", || {
        number("1e-400")
    }),
    row("number-exponent-huge", "An exponent of ten digits.", || {
        number("1e9999999999")
    }),
    row("number-spellings", "1.0, 1E5, 1e+05 and 100000.", || {
        number("[1.0,1E5,1e+05,100000]")
    }),
    row("number-1-mib", "A number of a mebibyte of digits.", || {
        number(&"7".repeat(1 << 20))
    }),
    row("number-nan", "NaN.", || number("NaN")),
    row("number-infinity", "-Infinity.", || number("-Infinity")),
    row("number-leading-zero", "A number with a leading zero.", || number("007")),
    row("number-plus", "A number with a plus.", || number("+7")),
    row("number-hex", "A hexadecimal number.", || number("0x7")),
    row("number-bare-point", "Numbers that begin or end with a point.", || {
        number("[.5,5.]")
    }),
];

const WELL: &str = r#""result":{"content":[{"type":"text","text":"well"}]}"#;

/// A good answer with this id.
fn well(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},{WELL}}}"#)
}

/// This message in answer to a call.
fn message(make: fn(&Asked) -> String) -> Script {
    Script::default().instead(On::Rpc("tools/call"), Answer::Message(make))
}

fn result(result: &str) -> Script {
    Script::default().instead(On::Rpc("tools/call"), Answer::Result(result.to_owned()))
}

/// A result with this number as its structured content.
fn number(number: &str) -> Script {
    result(&format!(r#"{{"content":[],"structuredContent":{{"n":{number}}}}}"#))
}
