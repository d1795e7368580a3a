//! `toolgate rpc`

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use toolgate_host::ownership::{self, Claim, Ownership, Patience, Role};
use toolgate_host::secret::Secret;

use crate::support::{Data, error, result, server};

#[test]
fn without_a_host_it_owns_the_data_for_one_request() {
    let data = Data::new();
    let made = data.rpc(&["servers.create", &server("Docs")]);
    let list = data.rpc(&["servers.list"]);
    assert_eq!(list["servers"][0]["id"], made["id"]);
    assert!(!data.host_json().exists());
}

#[test]
fn it_is_a_client_of_the_host_that_runs() {
    let data = Data::new();
    let serve = data.serve(&["--no-open"]);
    let made = data.rpc(&["servers.create", &server("Docs")]);
    assert_eq!(data.rpc(&["servers.list"])["servers"][0]["id"], made["id"]);
    let output = data.run(&["rpc", "no.such"]);
    assert_eq!(error(&output)["data"]["code"], "mcp.bridge_method_unknown");
    // The host holds the data all the while, so nobody else can have answered.
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(data.host_json()).unwrap()).unwrap();
    assert_eq!(record["pid"], serve.pid());
}

#[test]
fn many_at_once_all_succeed() {
    let data = Data::new();
    let running: Vec<_> = (0..6)
        .map(|number| {
            let params = server(&format!("Server {number}"));
            data.command(&["rpc", "servers.create", &params]).spawn().unwrap()
        })
        .collect();
    for child in running {
        let made = result(&child.wait_with_output().unwrap());
        assert!(made["id"].is_string(), "{made}");
    }
    let list = data.rpc(&["servers.list"]);
    assert_eq!(list["servers"].as_array().unwrap().len(), 6);
}

#[test]
fn results_are_indented_and_errors_are_json_with_exit_code_1() {
    let data = Data::new();
    let output = data.run(&["rpc", "servers.list", "{}"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("{\n  \"servers\": []"), "{text}");
    for (arguments, code) in [
        (&["rpc", "no.such"][..], "mcp.bridge_method_unknown"),
        (&["rpc", "servers.list", "[]"], "mcp.bridge_params_invalid"),
        (
            &["rpc", "servers.list", "{\"revealed\":true}"],
            "mcp.bridge_params_invalid",
        ),
        (&["rpc", "servers.list", "{reveal"], "mcp.bridge_params_invalid"),
        (&["rpc", "servers.list", ""], "mcp.bridge_params_invalid"),
    ] {
        let error = error(&data.run(arguments));
        assert_eq!(error["data"]["code"], code, "{error}");
        assert!(error["message"].as_str().unwrap().len() > 20, "{error}");
        assert!(error["code"].is_i64(), "{error}");
    }
    let broken = error(&data.run(&["rpc", "servers.list", "{\n  reveal"]));
    assert_eq!(
        (&broken["data"]["line"], &broken["data"]["column"]),
        (&2.into(), &3.into()),
        "{broken}"
    );
}

#[test]
fn parameters_can_come_from_standard_input() {
    let data = Data::new();
    let mut command = data.command(&["rpc", "servers.create", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(server("Docs").as_bytes())
        .unwrap();
    let made = result(&child.wait_with_output().unwrap());
    assert!(made["id"].is_string(), "{made}");
}

/// Owns the data as a host would that takes clients at this port.
fn pose_as_host(data: &Data, port: u16) -> Ownership {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let claim = runtime.block_on(ownership::claim(&data.path(), Role::Serve, Patience::default()));
    let Claim::Owned(ownership) = claim.unwrap() else {
        panic!("not owned");
    };
    ownership.take_clients(port, &Secret::random().unwrap()).unwrap();
    ownership
}

#[test]
fn a_request_whose_answer_is_lost_is_not_sent_again() {
    let data = Data::new();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let _ownership = pose_as_host(&data, listener.local_addr().unwrap().port());
    let child = data
        .command(&["rpc", "servers.create", &server("Docs")])
        .spawn()
        .unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let mut received = Vec::new();
    let mut part = [0; 4096];
    while !received.windows(4).any(|four| four == b"Docs") {
        let length = stream.read(&mut part).unwrap();
        received.extend_from_slice(&part[..length]);
    }
    drop(stream);
    let error = error(&child.wait_with_output().unwrap());
    assert_eq!(error["data"]["code"], "mcp.host_connection_lost", "{error}");
    assert!(
        error["message"].as_str().unwrap().contains("may have been carried out"),
        "{error}"
    );
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "it was sent again");
}

#[test]
fn a_host_that_refuses_is_quoted() {
    let data = Data::new();
    let real = Data::new();
    let serve = real.serve(&["--no-open"]);
    // The right port with a wrong token.
    let _ownership = pose_as_host(&data, serve.port());
    let error = error(&data.run(&["rpc", "host.info"]));
    assert_eq!(error["data"]["code"], "mcp.host_refused", "{error}");
    assert!(error["message"].as_str().unwrap().contains("403"), "{error}");
}

#[test]
fn a_host_that_ends_before_anything_was_sent_is_replaced() {
    let data = Data::new();
    // A port that nothing listens at.
    let port = {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.local_addr().unwrap().port()
    };
    let ownership = pose_as_host(&data, port);
    let child = data.command(&["rpc", "host.info"]).spawn().unwrap();
    // Time for a try or two, which leave no trace that could be waited for; without it the test would still hold.
    std::thread::sleep(Duration::from_millis(200));
    drop(ownership);
    result(&child.wait_with_output().unwrap());
}

#[test]
fn a_call_by_itself_needs_no_running_host_and_one_with_an_id_does() {
    let data = Data::new();
    let unknown = "11111111-1111-4111-8111-111111111111";
    let call = format!(r#"{{"id":"{unknown}","nativeName":"a","argumentsJson":"{{}}"}}"#);
    let outcome = result(&data.run(&["rpc", "tools.testCall", &call]));
    assert_eq!(outcome["code"], "mcp.call_registration_not_found", "{outcome}");
    let with_id = call.replace("{\"id\"", "{\"callId\":\"c\",\"id\"");
    for (method, params) in [
        ("tools.startTestCall", r#"{"callId":"c"}"#),
        ("tools.cancelTestCall", r#"{"callId":"c"}"#),
        ("tools.testCall", &with_id),
        ("partners.openSession", r#"{"kind":"partner","partnerId":"p"}"#),
        ("partners.turn", r#"{"sessionId":"s"}"#),
        ("partners.call", r#"{"sessionId":"s","alias":"a","argumentsJson":"{}"}"#),
        ("partners.cancel", r#"{"callId":"c"}"#),
        ("partners.closeSession", r#"{"sessionId":"s"}"#),
        ("agent.prepare", r#"{"profile":{"tools":{"allow":[]}}}"#),
        ("agent.call", r#"{"invocationId":"i","alias":"a","argumentsJson":"{}"}"#),
        ("agent.end", r#"{"invocationId":"i"}"#),
        (
            "legacy.startCall",
            r#"{"executionCallId":"8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a"}"#,
        ),
    ] {
        let error = error(&data.run(&["rpc", method, params]));
        assert_eq!(error["data"]["code"], "mcp.host_required", "{error}");
    }
    let serve = data.serve(&["--no-open"]);
    result(&data.run(&["rpc", "tools.startTestCall", r#"{"callId":"c"}"#]));
    let outcome = result(&data.run(&["rpc", "tools.testCall", &with_id]));
    assert_eq!(outcome["outcome"], "not_sent", "{outcome}");
    let again = error(&data.run(&["rpc", "tools.testCall", &with_id]));
    assert_eq!(again["data"]["code"], "mcp.call_already_dispatched", "{again}");
    drop(serve);
}

#[test]
fn the_usage_asks_for_no_folder() {
    // With the folder given, as the environment gives it, the usage would name it as if it were required.
    let output = Data::new().run(&["rpc"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("Usage: toolgate rpc [OPTIONS] <METHOD> [PARAMS_JSON]"),
        "{text}"
    );
}
