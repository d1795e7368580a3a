//! `toolgate serve`

use std::net::TcpListener;
use std::time::Duration;

use crate::support::{Data, Serve, mode, server, text, wait_for};

#[test]
fn one_line_says_where_it_answers() {
    let data = Data::new();
    let serve = data.serve(&["--no-open"]);
    assert!(serve.line.starts_with("Toolgate: http://127.0.0.1:"), "{}", serve.line);
    assert_eq!(serve.token().len(), 64);
    let answer = serve.get("/");
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let answer = serve.get(&format!("/?token={}", serve.token()));
    assert!(answer.contains("set-cookie: toolgate_session_"), "{answer}");
    assert_eq!(mode(&data.path()), 0o700);
    assert_eq!(mode(&data.host_json()), 0o600);
}

#[cfg(unix)]
#[test]
fn signals_end_it_cleanly_and_quickly() {
    for signal in ["TERM", "INT"] {
        let data = Data::new();
        let serve = data.serve(&["--no-open"]);
        // A connection that stays open does not hold it up.
        let _idle = std::net::TcpStream::connect(("127.0.0.1", serve.port())).unwrap();
        let ended = serve.signal(signal);
        assert_eq!(ended.status.code(), Some(0), "{signal}: {}", ended.stderr);
        assert!(ended.took < Duration::from_secs(3), "{signal}: {:?}", ended.took);
        assert_eq!(ended.stdout, "", "one line and no more");
        assert!(!data.host_json().exists());
        assert_eq!(data.rpc(&["servers.list"])["servers"], serde_json::json!([]));
    }
}

#[cfg(unix)]
#[test]
fn logs_hold_no_secret_even_when_everything_is_logged() {
    let data = Data::new();
    let mut command = data.command(&["serve", "--port", "0", "--no-open"]);
    let serve = Serve::start(command.env("TOOLGATE_LOG", "trace"));
    let id = data.rpc(&["servers.create", &server("Docs")])["id"]
        .as_str()
        .unwrap()
        .to_owned();
    data.rpc(&["servers.setState", &format!(r#"{{"id":"{id}","state":"active"}}"#)]);
    // Nothing listens at port 1; the failure goes through every layer.
    data.run(&["rpc", "servers.refresh", &format!(r#"{{"id":"{id}"}}"#)]);
    serve.get(&format!("/?token={}", serve.token()));
    let token = serve.token().to_owned();
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(data.host_json()).unwrap()).unwrap();
    let client_token = record["clients"]["token"].as_str().unwrap().to_owned();
    let ended = serve.signal("TERM");
    assert!(ended.stderr.contains("ready"), "{}", ended.stderr);
    for secret in [token.as_str(), &client_token, "very-secret-header"] {
        assert!(!ended.stderr.contains(secret), "{}", ended.stderr);
    }
}

#[test]
fn a_second_one_prints_the_address_of_the_first_and_ends() {
    let data = Data::new();
    let first = data.serve(&["--no-open"]);
    let second = data.run(&["serve", "--no-open"]);
    assert!(second.status.success(), "{second:?}");
    assert_eq!(text(&second.stdout), first.line);
    assert!(!text(&second.stderr).contains("not used"), "{second:?}");
    let third = data.run(&[
        "serve",
        "--no-open",
        "--port",
        "7640",
        "--allow-host",
        "toolgate.example",
    ]);
    assert!(third.status.success(), "{third:?}");
    assert_eq!(text(&third.stdout), first.line);
    let said = text(&third.stderr);
    assert!(said.contains("runs on this data directory already"), "{said}");
    assert!(said.contains("--port, --allow-host: not used"), "{said}");
    assert!(first.get("/").starts_with("HTTP/1.1 401 "), "the first goes on");
}

#[test]
fn what_a_killed_one_left_behind_does_not_count() {
    let data = Data::new();
    let mut first = data.serve(&["--no-open"]);
    let left_port = first.port();
    first.kill();
    assert!(data.host_json().exists());
    // Whoever listens there now gets nothing of ours.
    let stranger = TcpListener::bind(("127.0.0.1", left_port)).unwrap();
    stranger.set_nonblocking(true).unwrap();
    data.rpc(&["servers.create", &server("Docs")]);
    assert!(stranger.accept().is_err(), "a request went to a stale port");
    let second = data.serve(&["--no-open"]);
    assert_ne!(second.line, first.line);
    assert!(stranger.accept().is_err());
    assert_eq!(data.rpc(&["servers.list"])["servers"][0]["displayName"], "Docs");
}

#[test]
fn a_torn_host_json_does_not_count() {
    let data = Data::new();
    for torn in ["", "{\"schemaVersion\":1,\"pid\":", "\0\0\0\0"] {
        data.write_host_json(torn);
        data.rpc(&["host.info"]);
        data.write_host_json(torn);
        let serve = data.serve(&["--no-open"]);
        assert!(serve.address().contains("?token="));
    }
}

#[test]
fn a_port_in_use_is_named_with_what_to_do() {
    let data = Data::new();
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = data.run(&["serve", "--no-open", "--port", &port]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains(&port) && message.contains("--port 0"), "{message}");
    assert!(output.stdout.is_empty());
    // It has let go of the data.
    data.rpc(&["host.info"]);
}

#[test]
fn other_machines_are_let_in_with_a_token_of_ones_own_only() {
    let data = Data::new();
    let output = data.run(&["serve", "--no-open", "--port", "0", "--bind", "0.0.0.0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--token-file"), "{output:?}");
    assert!(output.stdout.is_empty());

    let file = data.path().join("token");
    std::fs::create_dir_all(data.path()).unwrap();
    std::fs::write(&file, "too-short\n").unwrap();
    let path = file.to_str().unwrap();
    let all = ["--no-open", "--bind", "0.0.0.0", "--token-file", path];
    let output = data.run(&[&["serve", "--port", "0"][..], &all].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("16 characters"), "{output:?}");
    assert!(!text(&output.stderr).contains("too-short"), "{output:?}");

    std::fs::write(&file, "0123456789abcdef\n").unwrap();
    let serve = data.serve(&all);
    assert_eq!(serve.address(), format!("http://127.0.0.1:{}/", serve.port()));
    let answer = serve.get("/?token=0123456789abcdef");
    assert!(answer.contains("set-cookie"), "{answer}");
    // Clients have a token of their own.
    data.rpc(&["host.info"]);
    drop(serve);

    let mut command = data.command(&["serve", "--port", "0", "--no-open"]);
    let serve = Serve::start(command.env("TOOLGATE_TOKEN", "another-token-of-mine"));
    assert!(serve.get("/?token=another-token-of-mine").contains("set-cookie"));
}

#[test]
fn a_token_in_the_environment_shows_in_no_help_text() {
    let data = Data::new();
    let mut command = data.command(&["serve", "--help"]);
    let output = command.env("TOOLGATE_TOKEN", "another-token-of-mine").output().unwrap();
    assert!(output.status.success());
    assert!(!text(&output.stdout).contains("another-token-of-mine"));
}

#[test]
fn odd_arguments_are_refused_before_anything_starts() {
    let data = Data::new();
    for arguments in [
        &["serve", "--allow-origin", "*"][..],
        &["serve", "--allow-origin", "null"],
        &["serve", "--allow-origin", "https://app.example/"],
        &["serve", "--allow-host", "http://box"],
        &["serve", "--port", "65536"],
        &["serve", "--bind", "localhost"],
        &["serve", "--nonsense"],
        &["nonsense"],
        &[],
    ] {
        let output = data.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
    assert!(!data.path().exists());
}

#[test]
fn a_data_directory_that_cannot_be_used_is_named() {
    let data = Data::new();
    std::fs::write(data.path(), "a file").unwrap();
    let output = data.run(&["serve", "--no-open", "--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(data.path().to_str().unwrap()),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn the_browser_is_opened_through_a_file_that_nobody_else_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = Data::new();
    std::fs::create_dir_all(data.path()).unwrap();
    let seen = data.path().join("seen");
    let browser = data.path().join("browser");
    let script = "#!/bin/sh\nd=${0%/*}\nls -l \"$1\" | cut -c1-10 > \"$d/mode\"\ncp \"$1\" \"$d/page\"\n\
                  printf '%s\\n' \"$@\" > \"$d/seen.new\"\nmv \"$d/seen.new\" \"$d/seen\"\n";
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o700)).unwrap();

    let mut command = data.command(&["serve", "--port", "0"]);
    let serve = Serve::start(command.env("BROWSER", &browser));
    wait_for("the browser is started", || seen.exists());
    let arguments = std::fs::read_to_string(&seen).unwrap();
    assert!(!arguments.contains(serve.token()), "{arguments}");
    let file = std::path::PathBuf::from(arguments.trim_end());
    assert_eq!(
        std::fs::read_to_string(data.path().join("mode")).unwrap().trim_end(),
        "-rw-------"
    );
    let page = std::fs::read_to_string(data.path().join("page")).unwrap();
    assert!(page.contains(&format!("url={}\"", serve.address())), "{page}");
    // Once the page is open, the file is of no use.
    serve.get(&format!("/?token={}", serve.token()));
    wait_for("the file is removed", || !file.exists());
}

/// The registration file of a server, and what is kept apart of it.
fn files_of(data: &Data, id: &str) -> (String, Option<String>) {
    let registration = data.path().join(format!("_tauritavern/mcp/registrations/{id}.json"));
    let record = data.path().join("credentials/dsh-partner-mcp.json");
    (
        std::fs::read_to_string(registration).unwrap(),
        std::fs::read_to_string(record).ok(),
    )
}

fn created(data: &Data, name: &str) -> String {
    data.rpc(&["servers.create", &server(name)])["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn provider(data: &Data) -> serde_json::Value {
    data.rpc(&["host.info"])["credentials"]["provider"].clone()
}

#[test]
fn connections_are_kept_apart_unless_it_is_asked_for_otherwise() {
    let data = Data::new();
    let serve = data.serve(&["--no-open"]);
    assert_eq!(provider(&data), "file");
    let id = created(&data, "Docs");
    let (registration, record) = files_of(&data, &id);
    assert!(!registration.contains("very-secret-header"), "{registration}");
    assert!(record.unwrap().contains("very-secret-header"));
    #[cfg(unix)]
    {
        assert_eq!(mode(&data.path().join("credentials")), 0o700);
        assert_eq!(mode(&data.path().join("credentials/dsh-partner-mcp.json")), 0o600);
    }
    // A Toolgate that runs already keeps to what it was started with, and says so.
    let second = data.run(&["serve", "--no-open", "--credentials", "inline"]);
    assert!(text(&second.stderr).contains("--credentials: not used"), "{second:?}");
    serve.signal("TERM");
    assert_eq!(provider(&data), "file", "so does whoever comes next");
}

#[test]
fn connections_that_stand_in_the_registrations_stay_there_until_it_is_asked_for() {
    let data = Data::new();
    let serve = data.serve(&["--no-open", "--credentials", "inline"]);
    let id = created(&data, "Docs");
    serve.signal("TERM");
    let as_it_was = files_of(&data, &id);
    assert!(as_it_was.0.contains("very-secret-header"));
    assert_eq!(as_it_was.1, None);
    assert_eq!(provider(&data), "inline");

    let serve = data.serve(&["--no-open", "--credentials", "file"]);
    let info = data.rpc(&["host.info"]);
    assert_eq!(
        info["credentials"],
        serde_json::json!({"provider": "file", "otherForm": 1})
    );
    assert_eq!(files_of(&data, &id), as_it_was);
    serve.signal("TERM");
}

#[test]
fn without_a_keyring_it_ends_and_names_the_way_out() {
    let data = Data::new();
    let mut command = data.command(&["serve", "--port", "0", "--no-open", "--credentials", "keyring"]);
    // No session bus, so no Secret Service, where the program is built with the feature.
    let output = command
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("--credentials file"), "{output:?}");
    let output = data.run(&["serve", "--credentials", "vault"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
