//! How a connection starts: with each setting, servers of each revision, and servers that are odd at the start.

use toolgate_core::server::ProtocolVersion;
use toolgate_host::mcp::FailureClass;

use crate::kit::{Processes, class, connect, connectors, impatient, list, refusal, server};

#[tokio::test]
async fn a_server_of_each_revision_is_spoken_with() {
    for connector in connectors() {
        for (name, setting, version) in [
            ("good", ProtocolVersion::Auto, "2025-11-25"),
            ("good", ProtocolVersion::V20250326, "2025-03-26"),
            ("good-2026", ProtocolVersion::Auto, "2026-07-28"),
            ("good-2026", ProtocolVersion::V20260728, "2026-07-28"),
        ] {
            let mut config = server(name);
            config.protocol_version = setting;
            let connection = connect(&connector, config).await.unwrap();
            assert_eq!(connection.server().protocol_version, version);
            assert_eq!(connection.server().name.as_deref(), Some("kit"));
            assert!(connection.offers_tools());
            assert!(connection.is_open());
            assert!(list(connection.as_ref()).await.unwrap().contains("\"second\""));
            connection.close().await;
        }
    }
}

#[tokio::test]
async fn the_setting_holds() {
    for connector in connectors() {
        for (name, setting) in [
            ("good", ProtocolVersion::V20260728),
            ("good-2026", ProtocolVersion::V20251125),
            ("old-version", ProtocolVersion::Auto),
        ] {
            let mut config = server(name);
            config.protocol_version = setting;
            let failure = refusal(&connector, config).await;
            assert_eq!(failure.class, FailureClass::ProtocolVersion, "{name}: {failure}");
        }
    }
}

#[tokio::test]
async fn one_that_ends_when_it_is_probed_is_started_once_more() {
    for connector in connectors() {
        let processes = Processes::new();
        let connection = connect(&connector, processes.note(server("stdio-dies-of-probe")))
            .await
            .unwrap();
        assert_eq!(connection.server().protocol_version, "2025-11-25");
        assert_eq!(processes.ids().len(), 2);
        connection.close().await;
        processes.gone().await;

        // Not where the setting leaves nothing else to ask.
        let processes = Processes::new();
        let mut config = processes.note(server("stdio-dies-of-probe"));
        config.protocol_version = ProtocolVersion::V20260728;
        let failure = refusal(&connector, config).await;
        assert_eq!(class(&failure), (FailureClass::Exited, "exit code 4"));
        assert_eq!(processes.ids().len(), 1);

        // Nor a third time.
        let processes = Processes::new();
        let failure = refusal(&connector, processes.note(server("stdio-dies-of-anything"))).await;
        assert_eq!(class(&failure), (FailureClass::Exited, "exit code 4"));
        assert_eq!(processes.ids().len(), 2);
        processes.gone().await;
    }
}

#[tokio::test]
async fn one_that_does_not_answer_the_probe_is_asked_by_initialize() {
    for connector in impatient() {
        let processes = Processes::new();
        let connection = connect(&connector, processes.note(server("stdio-silent-probe")))
            .await
            .unwrap();
        assert_eq!(connection.server().protocol_version, "2025-11-25");
        assert_eq!(processes.ids().len(), 1, "the same process is asked");
        connection.close().await;
    }
}

#[tokio::test]
async fn one_that_is_slow_to_begin_is_waited_for() {
    for connector in impatient() {
        // Its refusal of the probe comes when it has been asked by `initialize`, and is not taken for the answer to that.
        let processes = Processes::new();
        let connection = connect(&connector, processes.note(server("stdio-slow"))).await.unwrap();
        assert_eq!(connection.server().protocol_version, "2025-11-25");
        assert_eq!(processes.ids().len(), 1);
        connection.close().await;

        // It knows the probe, and refuses `initialize`: so it is started anew, and has the time it needs.
        let processes = Processes::new();
        let connection = connect(&connector, processes.note(server("stdio-slow-2026")))
            .await
            .unwrap();
        assert_eq!(connection.server().protocol_version, "2026-07-28");
        assert_eq!(processes.ids().len(), 2);
        connection.close().await;
    }
}

#[tokio::test]
async fn refusals_of_the_probe_lead_to_initialize() {
    for connector in connectors() {
        let connection = connect(&connector, server("discover-32000")).await.unwrap();
        assert_eq!(connection.server().protocol_version, "2025-11-25");
        connection.close().await;
    }
}

#[tokio::test]
async fn neither_noise_nor_a_flood_of_errors_is_in_the_way() {
    for connector in connectors() {
        for name in ["stdio-noise", "stdio-floods-stderr"] {
            let connection = connect(&connector, server(name)).await.unwrap();
            let answer = crate::kit::call(connection.as_ref(), "{}").await;
            assert!(answer.is_ok(), "{name}: {answer:?}");
            connection.close().await;
        }
    }
}

#[tokio::test]
async fn a_line_without_end_at_the_start_is_no_endless_wait() {
    for connector in connectors() {
        let failure = refusal(&connector, server("stdio-endless-noise")).await;
        assert_eq!(failure.class, FailureClass::ResponseTooLarge, "{failure}");
    }
}
