//! That nothing of a server is left: its children, those that left its process group, those that lost their parent, and
//! all of them though they ignore SIGTERM.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;
use tokio::time::{Duration, Instant};

use crate::kit::{Processes, call, connect, connector, connectors, eventually, guard, is_alive, kill, limits, server};

/// The server and its three descendants.
const FAMILY: usize = 4;

#[tokio::test]
async fn a_good_server_ends_with_its_input_at_once() {
    for connector in connectors() {
        let processes = Processes::new();
        let connection = connect(&connector, processes.note(server("good"))).await.unwrap();
        let began = Instant::now();
        connection.close().await;
        assert!(began.elapsed() < limits().close / 2, "{:?}", began.elapsed());
        assert_eq!(processes.alive(), [0_u32; 0]);
    }
}

#[tokio::test]
async fn a_stubborn_server_ends_within_the_close_budget() {
    for connector in connectors() {
        for name in ["stdio-stubborn", "stdio-deaf"] {
            let processes = Processes::new();
            let config = processes.note(server(name));
            let began = if name == "stdio-deaf" {
                let attempt = tokio::time::timeout(Duration::from_millis(500), connect(&connector, config)).await;
                assert!(attempt.is_err());
                let began = Instant::now();
                connector_is_done(&connector).await;
                began
            } else {
                let connection = connect(&connector, config).await.unwrap();
                let began = Instant::now();
                connection.close().await;
                began
            };
            assert!(began.elapsed() < limits().close, "{name}: {:?}", began.elapsed());
            processes.gone().await;
        }
    }
}

async fn connector_is_done(connector: &toolgate_host::mcp::RmcpConnector) {
    toolgate_host::mcp::Connector::nothing_left(connector).await;
}

#[tokio::test]
async fn closing_leaves_nothing_of_a_family() {
    for name in ["stdio-family", "stdio-leaves-family"] {
        let processes = Processes::new();
        let connector = connector(limits(), Some(guard()));
        let connection = connect(&connector, processes.note(server(name))).await.unwrap();
        assert_eq!(processes.started(FAMILY).await.len(), FAMILY);
        assert_eq!(processes.alive().len(), FAMILY);
        connection.close().await;
        connector_is_done(&connector).await;
        assert_eq!(processes.alive(), [0_u32; 0], "{name}");
    }
}

#[tokio::test]
async fn dropping_leaves_nothing_of_a_family() {
    let processes = Processes::new();
    let connector = connector(limits(), Some(guard()));
    let connection = connect(&connector, processes.note(server("stdio-family")))
        .await
        .unwrap();
    processes.started(FAMILY).await;
    drop(connection);
    connector_is_done(&connector).await;
    assert_eq!(processes.alive(), [0_u32; 0]);
}

#[tokio::test]
async fn a_server_that_ends_by_itself_leaves_nothing_of_its_family() {
    let processes = Processes::new();
    let connector = connector(limits(), Some(guard()));
    let connection = connect(&connector, processes.note(server("stdio-leaves-family")))
        .await
        .unwrap();
    let ids = processes.started(FAMILY).await;
    kill(ids[0], "KILL");
    let failure = call(connection.as_ref(), "{}").await;
    assert!(failure.is_err());
    processes.gone().await;
    assert!(!connection.is_open());
}

#[tokio::test]
async fn without_a_guard_the_process_group_ends_all_the_same() {
    let processes = Processes::new();
    let connector = connector(limits(), None);
    let connection = connect(&connector, processes.note(server("stdio-family")))
        .await
        .unwrap();
    processes.started(FAMILY).await;
    connection.close().await;
    connector_is_done(&connector).await;
    // The server and the child that stayed; the other two are in sessions of their own, which is what the guard is for.
    assert_eq!(processes.alive().len(), 2);
}

#[tokio::test]
async fn asked_to_end_by_others_the_guard_takes_the_family_along() {
    let processes = Processes::new();
    let connector = connector(limits(), Some(guard()));
    let connection = connect(&connector, processes.note(server("stdio-family")))
        .await
        .unwrap();
    let server = processes.started(FAMILY).await[0];
    kill(parent(server), "TERM");
    processes.gone().await;
    eventually("the connection is closed", || !connection.is_open()).await;
}

fn parent(id: u32) -> u32 {
    let listed = Command::new("ps")
        .args(["-o", "ppid=", "-p", &id.to_string()])
        .output()
        .unwrap();
    String::from_utf8(listed.stdout).unwrap().trim().parse().unwrap()
}

/// A program that owns a data folder, with one server that is connected.
struct Owner {
    program: std::process::Child,
    data: TempDir,
}

impl Owner {
    /// Starts `toolgate serve`, and has it call a tool of a family that never answers.
    async fn with(processes: &Processes) -> Self {
        let data = TempDir::new().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_toolgate"))
            .args(["serve", "--no-open", "--port", "0", "--data-dir"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(line.starts_with("Toolgate: "), "{line}");
        let owner = Self { program, data };
        let kit = crate::kit::program().to_str().unwrap();
        let config = json!({
            "type": "stdio", "command": kit, "args": ["stdio-family-silent-list", "--stdio"],
            "env": {"KIT_PIDS": processes.file()},
        });
        let created = owner.rpc("servers.create", &json!({"displayName": "Family", "config": config}));
        let id = created["id"].as_str().unwrap();
        owner.rpc("servers.setState", &json!({"id": id, "state": "active"}));
        owner.start_rpc("servers.discover", &json!({"id": id}));
        processes.started(FAMILY).await;
        assert_eq!(processes.alive().len(), FAMILY);
        owner
    }

    fn request(&self, method: &str, params: &serde_json::Value) -> Command {
        let mut request = Command::new(env!("CARGO_BIN_EXE_toolgate"));
        request.arg("rpc").arg("--data-dir").arg(self.data.path());
        request.arg(method).arg(params.to_string());
        request
    }

    fn rpc(&self, method: &str, params: &serde_json::Value) -> serde_json::Value {
        let answer = self.request(method, params).output().unwrap();
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        serde_json::from_slice(&answer.stdout).unwrap()
    }

    /// Begins a request whose answer nobody waits for.
    fn start_rpc(&self, method: &str, params: &serde_json::Value) {
        let mut request = self.request(method, params);
        request.stdout(Stdio::null()).stderr(Stdio::null());
        drop(request.spawn().unwrap());
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[tokio::test]
async fn a_host_that_is_stopped_leaves_nothing_when_it_has_ended() {
    let processes = Processes::new();
    let mut owner = Owner::with(&processes).await;
    kill(owner.program.id(), "TERM");
    assert!(owner.program.wait().unwrap().success());
    assert_eq!(processes.alive(), [0_u32; 0]);
}

#[tokio::test]
async fn a_host_that_is_killed_leaves_nothing() {
    let processes = Processes::new();
    let mut owner = Owner::with(&processes).await;
    let began = Instant::now();
    owner.program.kill().unwrap();
    owner.program.wait().unwrap();
    processes.gone().await;
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert!(!is_alive(owner.program.id()));
}

#[tokio::test]
async fn a_server_that_is_paused_or_removed_ends_at_once() {
    for what in ["pause", "remove"] {
        let processes = Processes::new();
        let owner = Owner::with(&processes).await;
        let list = owner.rpc("servers.list", &json!({}));
        let id = &list["servers"][0]["id"];
        match what {
            "pause" => owner.rpc("servers.setState", &json!({"id": id, "state": "paused"})),
            _ => owner.rpc("servers.remove", &json!({"id": id})),
        };
        processes.gone().await;
    }
}
