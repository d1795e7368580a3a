//! Failures by their real cause.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use tempfile::TempDir;
use toolgate_core::Code;
use toolgate_host::mcp::{Connector as _, FailureClass, Progress, Step};
use toolgate_testkit::HttpServer;

use crate::kit::{class, command, connector, connectors, guard, limits, refusal, server, with_env};

fn script(folder: &TempDir, name: &str, text: &str, mode: u32) -> PathBuf {
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    file
}

#[tokio::test]
async fn a_command_that_is_not_there() {
    let folder = TempDir::new().unwrap();
    script(&folder, "no-interpreter", "#!/no/such/interpreter\n", 0o755);
    let path = folder.path().to_str().unwrap();
    for connector in connectors() {
        let missing = refusal(&connector, command("no-such-command-of-toolgate", &[])).await;
        assert_eq!(class(&missing), (FailureClass::CommandMissing, ""));
        assert_eq!(missing.to_diagnostic().code, Code::ConnectionCommandMissing);
        let missing = refusal(&connector, command("./no/such/file", &[])).await;
        assert_eq!(missing.class, FailureClass::CommandMissing);
        // Found by the path that is configured, as the server would have it.
        let config = with_env(command("no-interpreter", &[]), &[("PATH", path)]);
        let missing = refusal(&connector, config).await;
        assert_eq!(missing.class, FailureClass::CommandMissing);
        assert!(missing.detail.unwrap().contains("interpreter"));
    }
}

#[tokio::test]
async fn a_command_that_is_no_program() {
    let folder = TempDir::new().unwrap();
    let plain = script(&folder, "plain", "text", 0o644);
    let nonsense = script(&folder, "nonsense", "\u{1}\u{2}text", 0o755);
    for connector in connectors() {
        for file in [plain.as_path(), nonsense.as_path(), folder.path()] {
            let failure = refusal(&connector, command(file, &[])).await;
            assert_eq!(failure.class, FailureClass::CommandNotExecutable, "{}", file.display());
            assert_eq!(failure.to_diagnostic().code, Code::ConnectionCommandNotExecutable);
        }
        let config = with_env(command("plain", &[]), &[("PATH", folder.path().to_str().unwrap())]);
        assert_eq!(
            refusal(&connector, config).await.class,
            FailureClass::CommandNotExecutable
        );
    }
}

#[tokio::test]
async fn a_folder_that_is_not_there() {
    for connector in connectors() {
        let mut config = server("good");
        config.cwd = Some("/no/such/folder/of/toolgate".to_owned());
        let failure = refusal(&connector, config).await;
        assert_eq!(failure.to_diagnostic().code, Code::ConnectionFolderMissing);
        assert_eq!(failure.detail, None);
    }
}

#[tokio::test]
async fn what_only_a_shell_would_read_is_said_to_be_so() {
    const SAID: &str = "~ and variables mean nothing here, as no shell reads them; write the whole path";
    for connector in connectors() {
        for path in [
            "~/no-such-file-of-toolgate",
            "$HOME/no/such",
            "${workspaceFolder}/no/such",
        ] {
            let missing = refusal(&connector, command(path, &[])).await;
            assert_eq!(class(&missing), (FailureClass::CommandMissing, SAID), "{path}");
            let mut config = server("good");
            config.cwd = Some(path.to_owned());
            let missing = refusal(&connector, config).await;
            assert_eq!(class(&missing), (FailureClass::FolderMissing, SAID), "{path}");
        }
    }
}

#[tokio::test]
async fn modules_that_are_not_there() {
    let node = ["-e", "require('no-such-module-of-toolgate')"];
    let node_import = ["--input-type=module", "-e", "import 'no-such-module-of-toolgate'"];
    let python = ["-c", "import no_such_module_of_toolgate"];
    let python_run = ["-m", "no_such_module_of_toolgate"];
    let env = ["no-such-command-of-toolgate"];
    for connector in connectors() {
        for (program, args, tool) in [
            ("node", &node[..], "Node"),
            ("node", &node_import[..], "Node"),
            ("python3", &python[..], "Python"),
            ("python3", &python_run[..], "Python"),
            ("env", &env[..], "env"),
        ] {
            let failure = refusal(&connector, command(program, args)).await;
            assert_eq!(
                failure.class,
                FailureClass::DependencyMissing,
                "{program} {args:?}: {failure}"
            );
            assert_eq!(
                failure.detail.as_deref(),
                Some(format!("as a message of {tool} says").as_str())
            );
        }
    }
}

#[tokio::test]
async fn addresses_that_programs_cannot_reach() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap().port();
    drop(listener);
    let refused = format!("require('net').connect({closed}, '127.0.0.1')");
    let unknown = "require('net').connect(1, 'no-such-host.invalid')".to_owned();
    for connector in connectors() {
        for (program, expected) in [
            (&refused, FailureClass::ConnectionRefused),
            (&unknown, FailureClass::Dns),
        ] {
            let failure = refusal(&connector, command("node", &["-e", program])).await;
            assert_eq!(failure.class, expected, "{failure}");
        }
    }
}

#[tokio::test]
async fn certificates_that_programs_do_not_trust() {
    let own = HttpServer::start("tls-self-signed").await.unwrap();
    let expired = HttpServer::start("tls-self-signed-expired").await.unwrap();
    for connector in connectors() {
        for url in [own.url(), expired.url()] {
            let program = format!("fetch('{url}')");
            let failure = refusal(&connector, command("node", &["-e", &program])).await;
            assert_eq!(failure.class, FailureClass::TlsCertificate, "{failure}");
        }
        let program = format!("import urllib.request; urllib.request.urlopen('{}')", own.url());
        let failure = refusal(&connector, command("python3", &["-c", &program])).await;
        assert_eq!(failure.class, FailureClass::TlsCertificate, "{failure}");
    }
}

#[tokio::test]
async fn processes_that_end() {
    for connector in connectors() {
        for (name, detail) in [
            ("stdio-exit-0", "exit code 0"),
            ("stdio-exit-3", "exit code 3"),
            ("stdio-killed", "signal 9, SIGKILL"),
        ] {
            let failure = refusal(&connector, server(name)).await;
            assert_eq!(class(&failure), (FailureClass::Exited, detail), "{name}");
            assert_eq!(failure.to_diagnostic().code, Code::ConnectionExited);
        }
    }
}

#[tokio::test]
async fn servers_that_say_nothing() {
    for connector in connectors() {
        for name in ["stdio-silent", "stdio-deaf"] {
            let progress = Progress::default();
            let config = toolgate_core::server::ServerConfig::Stdio(server(name));
            let budget = std::time::Duration::from_secs(2);
            let attempt = tokio::time::timeout(budget, connector.connect_telling(&config, &progress)).await;
            assert!(attempt.is_err(), "{name}");
            let failure = progress.timed_out("2 s".to_owned());
            assert_eq!(
                (failure.class, failure.step),
                (FailureClass::Timeout, Step::Start),
                "{name}"
            );
        }
        connector.nothing_left().await;
    }
}

#[tokio::test]
async fn what_is_said_before_nothing_more_comes_counts() {
    let connector = connector(limits(), Some(guard()));
    let progress = Progress::default();
    let waits = "console.error('Authentication required. Initializing auth...'); setInterval(() => {}, 1000)";
    let config = toolgate_core::server::ServerConfig::Stdio(command("node", &["-e", waits]));
    let budget = std::time::Duration::from_secs(3);
    let attempt = tokio::time::timeout(budget, connector.connect_telling(&config, &progress)).await;
    assert!(attempt.is_err());
    assert_eq!(progress.timed_out(String::new()).class, FailureClass::Unauthorized);
    connector.nothing_left().await;
}

#[tokio::test]
async fn a_guard_that_is_none() {
    let failure = refusal(
        &connector(limits(), Some(toolgate_host::guard::Guard::program("/bin/true"))),
        server("good"),
    )
    .await;
    assert_eq!(failure.class, FailureClass::CommandNotExecutable);
    assert!(failure.detail.unwrap().contains("guard process ended at once"));
}

#[tokio::test]
async fn a_whole_command_line_in_the_place_of_a_command_is_said_to_be_one() {
    for connector in connectors() {
        let failure = refusal(&connector, command("npx -y some-server", &[])).await;
        assert_eq!(failure.class, FailureClass::CommandMissing, "{failure}");
        let message = failure.to_diagnostic().message;
        assert!(message.contains("has spaces"), "{message}");
        assert!(!message.contains("some-server"), "{message}");
    }
}
