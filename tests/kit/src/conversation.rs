//! What a server of a script answers to a request.

use serde_json::Value;

use crate::script::{Answer, Asked, Ending, Era, Framing, Script};
use crate::wire::{Received, answer, chunked, headed};

const SESSION: &str = "kit-session";

/// The result of a call whose stream was asked for again: by then its arguments are gone.
const RESUMED_CALL: &str = r#"{"content":[{"type":"text","text":"resumed"}]}"#;

/// The bytes of the answer, and what happens then.
pub(crate) fn reply(script: &Script, request: &Received) -> (Vec<u8>, Ending) {
    let rpc = request.rpc();
    let instead = script.instead.iter().find(|(on, _)| on.fits(request));
    match instead {
        Some((_, Answer::Http { status, headers, body })) => (answer(*status, headers, body), Ending::Close),
        Some((_, Answer::Bytes(bytes, ending))) => (bytes.clone(), *ending),
        Some((_, Answer::Error { status, code, data })) => {
            let body = message(request, &error(*code, data.as_deref()));
            (json(*status, &[], &body), Ending::Close)
        }
        Some((_, Answer::Message(make))) => {
            let message = make(&asked(script, request, &rpc));
            (framed(script, &session(script, &rpc), &[], &message), Ending::Close)
        }
        Some((_, Answer::Headed(status, headers))) => {
            let message = asked(script, request, &rpc).message;
            (headed(*status, headers, message.as_bytes()), Ending::Close)
        }
        Some((_, Answer::Stream(make))) => {
            let stream = make(&asked(script, request, &rpc));
            let head = ["Content-Type: text/event-stream"];
            (headed(200, &head, stream.as_bytes()), Ending::Close)
        }
        Some((_, Answer::Page(make))) => {
            let result = make(&asked(script, request, &rpc));
            let body = message(request, &format!(r#""result":{result}"#));
            (framed(script, &[], &[], &body), Ending::Close)
        }
        Some((_, Answer::Made(make, ending))) => (make(&asked(script, request, &rpc)), *ending),
        Some((_, Answer::Result(result))) => {
            let body = message(request, &format!(r#""result":{result}"#));
            (framed(script, &[], &[], &body), Ending::Close)
        }
        Some((_, Answer::Batch(result))) => {
            let answer = message(request, &format!(r#""result":{result}"#));
            let body = format!(r#"[{{"jsonrpc":"2.0","method":"notifications/x"}},{answer}]"#);
            (json(200, &[], &body), Ending::Close)
        }
        None => (behave(script, request, &rpc), Ending::Close),
    }
}

/// The message that answers one which came by standard input; `None` where there is none to send.
pub(crate) fn message_to(script: &Script, request: &Received) -> Option<String> {
    let rpc = request.rpc();
    let instead = script.instead.iter().find(|(on, _)| on.fits(request));
    let body = request.json();
    body.get("id")?;
    let fields = match instead.map(|(_, answer)| answer) {
        Some(Answer::Error { code, data, .. }) => error(*code, data.as_deref()),
        Some(Answer::Result(result)) => format!(r#""result":{result}"#),
        Some(Answer::Page(make)) => format!(r#""result":{}"#, make(&asked(script, request, &rpc))),
        Some(Answer::Batch(result)) => {
            let answer = message(request, &format!(r#""result":{result}"#));
            return Some(format!(r#"[{{"jsonrpc":"2.0","method":"notifications/x"}},{answer}]"#));
        }
        // Whatever stands for an answer here.
        Some(Answer::Http { body, .. }) => return Some(String::from_utf8_lossy(body).into_owned()),
        Some(Answer::Message(make)) => return Some(make(&asked(script, request, &rpc))),
        Some(Answer::Bytes(..) | Answer::Made(..) | Answer::Headed(..) | Answer::Stream(_)) => {
            return None;
        }
        None => {
            let said = body.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion");
            let version = said.and_then(Value::as_str).unwrap_or_default();
            if script.era == Era::Discover && rpc != "initialize" && !script.versions.contains(&version) {
                let data = serde_json::json!({"supported": script.versions, "requested": version}).to_string();
                error(-32022, Some(&data))
            } else {
                well(script, request, &rpc)
            }
        }
    };
    Some(message(request, &fields))
}

fn behave(script: &Script, request: &Received, rpc: &str) -> Vec<u8> {
    match request.method.as_str() {
        "POST" => {}
        "DELETE" if script.session => return answer(200, &[], b""),
        "GET" if script.framing == Framing::Resumed && !request.header("last-event-id").is_empty() => {
            return resumed(script, request);
        }
        _ => return answer(405, &[], b""),
    }
    if let Some(refusal) = refusal(script, request, rpc) {
        return refusal;
    }
    if request.json().get("id").is_none() {
        return answer(202, &[], b"");
    }
    let headers = session(script, rpc);
    let message = message(request, &well(script, request, rpc));
    if script.framing == Framing::Resumed && matches!(rpc, "tools/list" | "tools/call") {
        // The event's id holds the request's: that is all a server needs to know when it is asked again.
        let stream = format!(
            "id: {rpc} {}\nretry: 1\ndata:\n\n",
            request.json().get("id").unwrap_or(&Value::Null)
        );
        return chunked(200, &[event_stream()], stream.as_bytes(), 4096);
    }
    let prelude = if matches!(rpc, "tools/list" | "tools/call") {
        script.prelude.as_slice()
    } else {
        &[]
    };
    framed(script, &headers, prelude, &message)
}

/// The header that opens a session, where this request does.
fn session(script: &Script, rpc: &str) -> Vec<(&'static str, String)> {
    let opens = script.session && script.era == Era::Initialize && rpc == "initialize";
    opens
        .then(|| ("Mcp-Session-Id", SESSION.to_owned()))
        .into_iter()
        .collect()
}

/// The request, as an odd answer needs to know it.
pub(crate) fn asked(script: &Script, request: &Received, rpc: &str) -> Asked {
    let body = request.json();
    let cursor = body.pointer("/params/cursor").and_then(Value::as_str);
    Asked {
        id: body.get("id").unwrap_or(&Value::Null).to_string(),
        message: message(request, &well(script, request, rpc)),
        cursor: cursor.unwrap_or_default().to_owned(),
    }
}

/// The fields of the answer of a server that behaves well, whatever the transport.
fn well(script: &Script, request: &Received, rpc: &str) -> String {
    match rpc {
        "initialize" if script.era == Era::Initialize => {
            format!(
                r#""result":{{"protocolVersion":"{}","capabilities":{},"serverInfo":{{"name":"kit","version":"1.0"}}}}"#,
                negotiated(script, request),
                script.capabilities
            )
        }
        "server/discover" if script.era == Era::Discover => {
            let versions = serde_json::json!(script.versions);
            format!(
                r#""result":{{"resultType":"complete","supportedVersions":{versions},"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"kit","version":"1.0"}}}}}}"#,
                script.capabilities
            )
        }
        "tools/list" => match page(script, request) {
            Some(result) => format!(r#""result":{result}"#),
            None => error(-32602, None),
        },
        "tools/call" => format!(r#""result":{}"#, called(script, request)),
        "ping" => r#""result":{}"#.to_owned(),
        _ => error(-32601, None),
    }
}

/// The result of a call: its arguments as they came, as structured content and as a text.
fn called(script: &Script, request: &Received) -> String {
    let arguments = request.arguments();
    let text = Value::from(arguments.as_str());
    let kind = match script.era {
        Era::Initialize => "",
        Era::Discover => r#""resultType":"complete","#,
    };
    format!(r#"{{{kind}"content":[{{"type":"text","text":{text}}}],"structuredContent":{arguments}}}"#)
}

fn resumed(script: &Script, request: &Received) -> Vec<u8> {
    let event = request.header("last-event-id").join("");
    let (rpc, id) = event.split_once(' ').unwrap_or_default();
    let result = match rpc {
        "tools/call" => RESUMED_CALL,
        _ => script.pages.first().map_or("{}", |page| page.result.as_str()),
    };
    events(
        &[],
        &[&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)],
        "\n",
        4096,
    )
}

/// What a correct server refuses: a request outside its session, or without the headers of its revision.
fn refusal(script: &Script, request: &Received, rpc: &str) -> Option<Vec<u8>> {
    match script.era {
        Era::Initialize => {
            if !(script.session && script.checks_session) || matches!(rpc, "initialize" | "server/discover") {
                return None;
            }
            match request.header("mcp-session-id").as_slice() {
                [SESSION] => None,
                [] => Some(json(400, &[], &message(request, &error(-32000, None)))),
                _ => Some(json(404, &[], &message(request, &error(-32001, None)))),
            }
        }
        Era::Discover => {
            let body = request.json();
            let said = body.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion");
            let version = said.and_then(Value::as_str).unwrap_or_default();
            let headers_fit =
                request.header("mcp-protocol-version") == [version] && request.header("mcp-method") == [rpc];
            if rpc != "initialize" && !headers_fit {
                return Some(json(400, &[], &message(request, &error(-32020, None))));
            }
            if rpc != "initialize" && !script.versions.contains(&version) {
                let data = serde_json::json!({"supported": script.versions, "requested": version}).to_string();
                return Some(json(400, &[], &message(request, &error(-32022, Some(&data)))));
            }
            None
        }
    }
}

fn negotiated(script: &Script, request: &Received) -> String {
    let body = request.json();
    let asked = body.pointer("/params/protocolVersion").and_then(Value::as_str);
    asked
        .filter(|asked| script.versions.contains(asked))
        .or_else(|| script.versions.first().copied())
        .unwrap_or_default()
        .to_owned()
}

fn page<'a>(script: &'a Script, request: &Received) -> Option<&'a str> {
    let body = request.json();
    let cursor = body.pointer("/params/cursor").and_then(Value::as_str);
    script
        .pages
        .iter()
        .find(|page| page.cursor.as_deref() == cursor)
        .map(|page| page.result.as_str())
}

fn error(code: i64, data: Option<&str>) -> String {
    let data = data.map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
    // The text stands for what a server may say; no test wants to see it again.
    format!(r#""error":{{"code":{code},"message":"remote text"{data}}}"#)
}

fn message(request: &Received, fields: &str) -> String {
    let id = request
        .json()
        .get("id")
        .map_or_else(|| "null".to_owned(), Value::to_string);
    format!(r#"{{"jsonrpc":"2.0","id":{id},{fields}}}"#)
}

fn json(status: u16, headers: &[(&'static str, String)], body: &str) -> Vec<u8> {
    let mut headers = headers.to_vec();
    headers.push(("Content-Type", "application/json".to_owned()));
    answer(status, &headers, body.as_bytes())
}

fn framed(script: &Script, headers: &[(&'static str, String)], prelude: &[String], message: &str) -> Vec<u8> {
    let messages: Vec<_> = prelude.iter().map(String::as_str).chain([message]).collect();
    match script.framing {
        Framing::Json => json(200, headers, message),
        Framing::Events(end, chunk) => events(headers, &messages, end.as_str(), chunk),
        Framing::Resumed => events(headers, &messages, "\n", 4096),
    }
}

fn events(headers: &[(&'static str, String)], messages: &[&str], end: &str, chunk: usize) -> Vec<u8> {
    let mut stream = format!(": the kit{end}");
    for message in messages {
        stream.extend(["event: message", end]);
        for line in message.lines() {
            stream.extend(["data: ", line, end]);
        }
        stream.push_str(end);
    }
    let mut headers = headers.to_vec();
    headers.push(event_stream());
    chunked(200, &headers, stream.as_bytes(), chunk)
}

fn event_stream() -> (&'static str, String) {
    ("Content-Type", "text/event-stream".to_owned())
}
