//! What servers and files say is shown by a terminal and obeyed by none: through everything that the program prints.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use toolgate_testkit::{Answer, HttpServer, On, Page, Script};

use crate::support::{Data, Serve, error, text};

/// Colours, the clipboard (OSC 52), a link (OSC 8), a title and the bell; the same with C1; line tricks; what turns text
/// around or has no face.
const HOSTILE: &str = "\u{1b}[31mred\u{1b}]52;c;cHduZWQ=\u{7}\u{1b}]8;;http://evil.example\u{1b}\\link\u{9b}2J\
                       \u{9d}0;title\u{9c}\r\u{8}\u{7f}\u{85}\u{202e}gnp\u{200b}\u{2066}\u{feff}\u{e0041}\u{2028}";

/// Fails where a terminal would obey anything, or hide it. Line feeds and tabs are our own.
fn is_inert(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what} is no text"));
    let hidden = |character: char| {
        character.is_control() && !matches!(character, '\n' | '\t')
            || matches!(
                u32::from(character),
                0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe0000..=0xe0fff
            )
    };
    assert_eq!(text.find(hidden), None, "{what}: {text:?}");
}

/// JSON text of a string with all of it, as it is where JSON lets it be.
fn raw_json() -> String {
    let mut text = String::from("\"");
    for character in HOSTILE.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            _ if u32::from(character) < 0x20 => write!(text, "\\u{:04x}", u32::from(character)).unwrap(),
            _ => text.push(character),
        }
    }
    text + "\""
}

/// A server all of whose words are hostile: of itself, of its tool, of its result, and in an error.
async fn hostile_server(fails: bool) -> HttpServer {
    let said = raw_json();
    let tool = format!(
        r#"{{"name":"first","title":{said},"description":{said},"inputSchema":{{"type":"object","properties":{{"p":{{"type":"string","description":{said}}}}}}}}}"#
    );
    let mut script = Script {
        pages: vec![Page::only(format!(r#"{{"tools":[{tool}]}}"#))],
        ..Script::default()
    };
    script = if fails {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32000,"message":{said},"data":{said}}}}}"#);
        script.instead(On::Every, Answer::typed(500, "application/json", body))
    } else {
        let result =
            format!(r#"{{"content":[{{"type":"text","text":{said}}}],"structuredContent":{{{said}:{said}}}}}"#);
        script.instead(On::Rpc("tools/call"), Answer::Result(result))
    };
    HttpServer::play(script).await.unwrap()
}

/// The requests that bring up everything such servers say, with parameters that hold it, too.
fn requests(good: &str, bad: &str) -> Vec<(&'static str, Value)> {
    let id = |text: &str| json!({"id": text});
    vec![
        ("servers.discover", id(good)),
        (
            "tools.setPermission",
            json!({"id": good, "nativeName": "first", "permission": "allow"}),
        ),
        (
            "tools.testCall",
            json!({"id": good, "nativeName": "first", "argumentsJson": "{}"}),
        ),
        ("servers.discover", id(bad)),
        ("servers.list", json!({"reveal": true})),
        ("servers.readConfig", json!({"id": HOSTILE})),
        ("storage.remove", json!({"fileName": HOSTILE})),
        (HOSTILE, json!({})),
        (
            "servers.create",
            json!({"displayName": HOSTILE, "config": {"type": "http", "url": HOSTILE}}),
        ),
        (
            "servers.import",
            json!({"text": format!("{{\"mcpServers\":{{{}:{{\"command\":1}}}}}}", raw_json())}),
        ),
    ]
}

/// A file that somebody else put among the registrations.
fn plant_file(data: &Data) {
    let folder = data.path().join("_tauritavern/mcp/registrations");
    std::fs::create_dir_all(&folder).unwrap();
    let name = HOSTILE.replace('/', "").replace('\u{2028}', "\n");
    std::fs::write(folder.join(format!("{name}.json")), format!("{{{}", raw_json())).unwrap();
}

fn register(data: &Data, url: &str) -> String {
    let config = json!({"type": "http", "url": url, "headers": {}, "protocolVersion": "auto"});
    let created = data.rpc(&[
        "servers.create",
        &json!({"displayName": "odd", "config": config}).to_string(),
    ]);
    let id = created["id"].as_str().unwrap().to_owned();
    data.rpc(&["servers.setState", &json!({"id": id, "state": "active"}).to_string()]);
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_is_printed_is_obeyed() {
    let (good, bad) = (hostile_server(false).await, hostile_server(true).await);
    let urls = [good.url(), bad.url()];
    // The program is waited for, and the servers answer meanwhile.
    tokio::task::spawn_blocking(move || {
        let data = Data::new();
        let ids = urls.map(|url| register(&data, &url));
        plant_file(&data);
        std::fs::write(data.path().join("settings.json"), format!("{{{}", raw_json())).unwrap();
        by_rpc(&data, &ids);
        by_serve(&data, &ids);
        by_bridge(&data, &ids);
    })
    .await
    .unwrap();
}

fn by_rpc(data: &Data, [good, bad]: &[String; 2]) {
    let (mut said, mut refused) = (0, 0);
    for (method, params) in requests(good, bad) {
        // An argument cannot hold what a file cannot: parameters come by standard input.
        let mut child = data
            .command(&["rpc", method, "-"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(params.to_string().as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        is_inert(&output.stdout, method);
        is_inert(&output.stderr, method);
        let printed = if output.status.success() {
            &output.stdout
        } else {
            &output.stderr
        };
        let value: Value = serde_json::from_slice(printed).unwrap();
        refused += usize::from(!output.status.success());
        // It is all there, as the value that it is.
        said += usize::from(value.to_string().contains("red\\u001b]52;c;cHduZWQ="));
    }
    assert!(
        said >= 2 && refused >= 4,
        "{said} answers with the words, {refused} refusals"
    );
}

fn by_serve(data: &Data, [good, bad]: &[String; 2]) {
    let mut command = data.command(&["serve", "--port", "0", "--no-open"]);
    let serve = Serve::start(command.env("TOOLGATE_LOG", "trace"));
    is_inert(serve.line.as_bytes(), "the address");
    for (method, params) in requests(good, bad) {
        is_inert(&data.run(&["rpc", method, &params.to_string()]).stdout, method);
    }
    #[cfg(unix)]
    {
        let ended = serve.signal("TERM");
        assert!(ended.stderr.contains("settings"), "{}", ended.stderr);
        is_inert(ended.stderr.as_bytes(), "the log");
    }
}

fn by_bridge(data: &Data, [good, bad]: &[String; 2]) {
    let mut command = data.command(&["bridge"]);
    let mut child = command
        .env("TOOLGATE_LOG", "trace")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for (id, (method, params)) in requests(good, bad).into_iter().enumerate() {
        writeln!(
            input,
            "{}",
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        )
        .unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    is_inert(&output.stdout, "the bridge");
    is_inert(&output.stderr, "its log");
    let lines = text(&output.stdout).lines();
    let messages: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    // Beside the events.
    let answers = messages.iter().filter(|message| message.get("id").is_some());
    assert_eq!(answers.count(), requests(good, bad).len());
}

#[test]
fn errors_of_the_program_and_of_its_arguments_are_inert() {
    let hostile = HOSTILE.replace('\u{2028}', "\n");
    let data = Data::new();
    let folder = data.path().join(&hostile);
    let folder = folder.to_str().unwrap();
    let file = data.path().join("file");
    std::fs::create_dir_all(data.path()).unwrap();
    std::fs::write(&file, "").unwrap();
    let beneath = file.join(&hostile);
    for (arguments, code) in [
        (vec!["serve", "--no-open", "--token-file", folder], 1),
        (vec!["serve", "--no-open", "--data-dir", beneath.to_str().unwrap()], 1),
        (vec!["bridge", "--data-dir", beneath.to_str().unwrap()], 1),
        (vec!["serve", "--port", &hostile], 2),
        (vec!["serve", "--allow-origin", &hostile], 2),
        (vec!["serve", "--allow-host", &hostile], 2),
        (vec![hostile.as_str()], 2),
    ] {
        let output = data.run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        is_inert(&output.stderr, "an error");
        is_inert(&output.stdout, "nothing");
        assert!(!output.stderr.is_empty());
    }
    let refused = data.run(&["rpc", "--data-dir", beneath.to_str().unwrap(), "host.info"]);
    is_inert(&refused.stderr, "an error of rpc");
    assert_eq!(error(&refused)["data"]["code"], "mcp.data_directory_unusable");
}
