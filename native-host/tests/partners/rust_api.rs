//! `Host::partners()`: the same as functions of Rust.

use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::partner::GrantScope;
use toolgate_host::bridge::messages::partners::{PartnerCallParams, PartnerCallResult};

use crate::serve;
use crate::support::Bench;

#[tokio::test]
async fn a_conversation_and_a_task() {
    let mut bench = Bench::new();
    let server = bench.active_server(crate::URL).await;
    bench.discover(&server, &["search", "write"]).await;
    let server = RegistrationId::parse(&server).unwrap();
    let partners = bench.host.partners();
    let mia = partners.create("Mia").await.unwrap().id;
    assert_eq!(partners.rename(mia, "Ada").await.unwrap().name, "Ada");
    assert!(partners.set_enabled(mia, true).await.unwrap().mcp_enabled);
    partners.grant(mia, server, GrantScope::All).await.unwrap();
    assert_eq!(partners.preview(mia).await.unwrap().tool_count, 2);
    let conversation = partners.open_session(mia).await.unwrap();
    let turn = partners.turn(&conversation, ["read_file"]).await.unwrap();
    assert!(turn.changed);
    assert_eq!(turn.tools.len(), 2);
    let filter = [ToolId::new(server, "write".to_owned())];
    let task = partners.open_task(mia, Some(filter)).await.unwrap();
    let narrow = partners.turn(&task, [""; 0]).await.unwrap();
    assert_eq!(narrow.tools.len(), 1);
    let call = |session: &str, alias: &str| PartnerCallParams {
        session_id: session.to_owned(),
        call_id: None,
        alias: alias.to_owned(),
        arguments_json: "{}".to_owned(),
    };
    let running = {
        let (partners, call) = (partners.clone(), call(&task, "mcp__Docs__write"));
        tokio::spawn(async move { partners.call(call).await })
    };
    serve(&mut bench).await.call().await.say("written");
    match running.await.unwrap().unwrap() {
        PartnerCallResult::ToolResult(result) => assert_eq!(result.content, "written"),
        PartnerCallResult::TurnEnded(failure) => panic!("{failure:?}"),
    }
    partners.cancel("early").await.unwrap();
    let cancelled = PartnerCallParams {
        call_id: Some("early".to_owned()),
        ..call(&conversation, "mcp__Docs__search")
    };
    match partners.call(cancelled).await.unwrap() {
        PartnerCallResult::ToolResult(result) => assert!(result.is_error),
        PartnerCallResult::TurnEnded(failure) => panic!("{failure:?}"),
    }
    partners.close_session(&task).await.unwrap();
    let gone = partners.turn(&task, [""; 0]).await.unwrap_err();
    assert_eq!(gone.first.code.as_str(), "mcp.partner_session_not_found");
    assert!(partners.revoke(mia, server).await.unwrap().grants.is_empty());
    partners.remove(mia).await.unwrap();
    assert!(partners.list().await.unwrap().partners.is_empty());
}
