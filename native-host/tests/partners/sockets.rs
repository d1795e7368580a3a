//! The same over real sockets: one connection for all sessions, and nothing on the wire for what is refused.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Bridge, Host, HostOptions};
use toolgate_testkit::HttpServer;

use crate::{offered, session};

async fn ok(bridge: &Bridge, method: &str, params: Value) -> Value {
    crate::support::call(bridge, method, params)
        .await
        .unwrap_or_else(|error| panic!("{method} failed: {error}"))
}

#[tokio::test]
async fn turns_and_calls_over_a_real_connection() {
    for behaviour in ["good", "good-2026", "good-sse"] {
        let folder = tempfile::tempdir().unwrap();
        let server = HttpServer::start(behaviour).await.unwrap();
        let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).unwrap();
        let host = Host::open(HostOptions::new(folder.path()), Arc::new(connector)).unwrap();
        let bridge = host.bridge();
        let config = json!({"type": "http", "url": server.url(), "headers": {"Authorization": "Bearer t"}});
        let made = ok(
            &bridge,
            "servers.create",
            json!({"displayName": "Kit", "config": config}),
        )
        .await;
        let id = made["id"].as_str().unwrap();
        ok(&bridge, "servers.setState", json!({"id": id, "state": "active"})).await;
        ok(&bridge, "servers.discover", json!({"id": id})).await;
        let partner = ok(&bridge, "partners.create", json!({"name": "Mia"})).await["id"].clone();
        let on = json!({"partnerId": partner, "enabled": true});
        ok(&bridge, "partners.setEnabled", on).await;
        ok(&bridge, "partners.grant", json!({"partnerId": partner, "serverId": id})).await;
        let conversation = json!({"kind": "partner", "partnerId": partner});
        let conversation = session(&ok(&bridge, "partners.openSession", conversation).await);
        let task = json!({"kind": "task", "partnerId": partner, "toolFilter": [format!("mcp/{id}:second")]});
        let task = session(&ok(&bridge, "partners.openSession", task).await);
        let opened = connections(&server);
        assert!(opened > 0, "{behaviour}");

        let first = ok(&bridge, "partners.turn", json!({"sessionId": conversation})).await;
        assert_eq!(offered(&first), ["first", "second"], "{behaviour}");
        let narrow = ok(&bridge, "partners.turn", json!({"sessionId": task})).await;
        assert_eq!(offered(&narrow), ["second"], "{behaviour}");
        assert_eq!(connections(&server), opened, "{behaviour}: a turn asks nobody");
        for (session, alias) in [(&conversation, "mcp__Kit__first"), (&task, "mcp__Kit__second")] {
            let params = json!({"sessionId": session, "alias": alias, "argumentsJson": "{\"a\":1}"});
            let outcome = ok(&bridge, "partners.call", params).await;
            assert_eq!(outcome["isError"], false, "{behaviour}: {outcome}");
        }
        // That of the discovery, and the one that is shared.
        assert_eq!(connections(&server), 2 * opened, "{behaviour}");
        assert_eq!(server.calls(), 2, "{behaviour}");
        ok(
            &bridge,
            "partners.revoke",
            json!({"partnerId": partner, "serverId": id}),
        )
        .await;
        for (session, alias) in [(&conversation, "mcp__Kit__first"), (&task, "mcp__Kit__second")] {
            let params = json!({"sessionId": session, "alias": alias, "argumentsJson": "{}"});
            let outcome = ok(&bridge, "partners.call", params).await;
            assert_eq!(outcome["errorCode"], "mcp.partner_grant_withdrawn", "{behaviour}");
        }
        assert_eq!(server.calls(), 2, "{behaviour}");
        host.shutdown().await;
    }
}

/// How often a lifecycle was begun; each connection does it in the same way.
fn connections(server: &HttpServer) -> usize {
    let received = server.received();
    received
        .iter()
        .filter(|request| ["initialize", "server/discover"].contains(&request.rpc().as_str()))
        .count()
}
