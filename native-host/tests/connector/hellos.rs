//! Odd answers to the request that starts a connection: what is needed is read, the rest costs nothing.

use toolgate_core::server::ProtocolVersion::{Auto, V20251125, V20260728};
use toolgate_host::mcp::FailureClass as Class;
use toolgate_host::mcp::Step;
use toolgate_testkit::catalogs;

use crate::{assert_clean, connect, list, start};

#[tokio::test]
async fn an_odd_field_that_nobody_needs_does_not_cost_the_connection() {
    for (behaviour, setting, name) in [
        ("hello-bare", Auto, None),
        ("hello-name-only", Auto, Some("kit")),
        ("hello-info-text", Auto, None),
        ("hello-info-null", Auto, None),
        ("hello-odd-info", Auto, None),
        ("hello-odd-instructions", V20251125, None),
        ("hello-extra-fields", V20251125, None),
        ("hello-sse", Auto, None),
        ("hello-odd-capabilities", Auto, None),
        ("discovery-bare", Auto, None),
        ("discovery-odd-fields", Auto, None),
        ("discovery-meta-text", V20260728, None),
        ("discovery-sse", Auto, None),
        ("discovery-odd-versions", Auto, None),
    ] {
        let server = start(behaviour).await;
        let connection = connect(&server, setting)
            .await
            .unwrap_or_else(|failure| panic!("{behaviour}: {failure}"));
        let identity = connection.server();
        let spoken = if behaviour.starts_with("hello") {
            "2025-11-25"
        } else {
            "2026-07-28"
        };
        assert_eq!(identity.protocol_version, spoken, "{behaviour}");
        assert_eq!(
            (identity.name.as_deref(), identity.version.as_deref()),
            (name, None),
            "{behaviour}"
        );
        assert!(connection.offers_tools(), "{behaviour}");
        assert_eq!(
            connection.list_tools(None).await,
            Ok(catalogs::two_tools()),
            "{behaviour}"
        );
        connection.close().await;
    }
}

#[tokio::test]
async fn tools_are_offered_only_where_the_capability_is_there() {
    for behaviour in ["hello-tools-null", "hello-no-capabilities", "hello-text-capabilities"] {
        let server = start(behaviour).await;
        let failure = list(&server, Auto).await.unwrap_err();
        assert_eq!(failure.class, Class::ToolsCapabilityMissing, "{behaviour}");
    }
}

#[tokio::test]
async fn without_a_version_the_start_fails_and_says_so() {
    for (behaviour, setting, detail) in [
        (
            "hello-empty",
            Auto,
            "the answer to initialize names no protocol version",
        ),
        (
            "hello-empty",
            V20251125,
            "the answer to initialize names no protocol version",
        ),
        (
            "hello-number-version",
            Auto,
            "the answer to initialize names no protocol version",
        ),
        (
            "hello-null-version",
            V20251125,
            "the answer to initialize names no protocol version",
        ),
        (
            "all-is-empty",
            Auto,
            "the answer to initialize names no protocol version",
        ),
        (
            "discovery-no-versions",
            Auto,
            "the answer to server/discover names no protocol version",
        ),
        (
            "discovery-text-versions",
            V20260728,
            "the answer to server/discover names no protocol version",
        ),
        (
            "discovery-other-kind",
            Auto,
            "the answer to server/discover is of an unknown kind",
        ),
    ] {
        let server = start(behaviour).await;
        let failure = connect(&server, setting).await.err().expect(behaviour);
        assert_clean(&failure);
        assert_eq!(
            (failure.class, failure.step, failure.detail.as_deref()),
            (Class::MalformedResponse, Step::Start, Some(detail)),
            "{behaviour}, {setting:?}"
        );
        let initializes = server.asked().iter().filter(|what| *what == "POST initialize").count();
        // One that was meant as an answer to discovery is a newer server's, and asked nothing else.
        let expected = usize::from(!behaviour.starts_with("discovery"));
        assert_eq!(initializes, expected, "{behaviour}, {setting:?}");
    }
}

#[tokio::test]
async fn a_server_that_answers_discovery_with_something_else_is_asked_the_older_way() {
    for behaviour in [
        "unknown-is-empty",
        "unknown-is-empty-sse",
        "unknown-is-null",
        "discovery-is-initialize",
    ] {
        let server = start(behaviour).await;
        let connection = connect(&server, Auto).await.expect(behaviour);
        assert_eq!(connection.server().protocol_version, "2025-11-25", "{behaviour}");
        assert_eq!(connection.server().name.as_deref(), Some("kit"), "{behaviour}");
        assert_eq!(
            connection.list_tools(None).await,
            Ok(catalogs::two_tools()),
            "{behaviour}"
        );
        connection.close().await;
        let mut asked = server.asked();
        asked.retain(|what| what != "GET");
        assert_eq!(
            asked,
            [
                "POST server/discover",
                "POST initialize",
                "POST notifications/initialized",
                "POST tools/list",
                "DELETE"
            ],
            "{behaviour}"
        );
        // Where discovery is all that is allowed, it says what such an answer means.
        let failure = connect(&server, V20260728).await.err().expect(behaviour);
        assert_eq!(
            (failure.class, failure.detail.as_deref()),
            (
                Class::ProtocolVersion,
                Some("the server does not know server/discover; the setting allows 2026-07-28")
            ),
            "{behaviour}"
        );
    }
}
