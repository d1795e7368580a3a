//! Results that are too long for the model: saved, previewed, and read on by lines.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_host::mcp::CallAnswer;
use toolgate_host::store::{FileStep, MemoryFiles};

use crate::URL;
use crate::support::models::tool_id;
use crate::support::played::PlayedServer;
use crate::support::{Bench, NOW_MS, ROOT};

/// An invocation with a limit, which has called once and been answered.
struct World {
    bench: Bench,
    played: PlayedServer,
    server: String,
    invocation: String,
    result: Value,
}

async fn answered(adjust: impl FnOnce(&Bench), limit: usize, answer: CallAnswer) -> World {
    let mut bench = Bench::with(MemoryFiles::new(), |options| options.limits.result_audits = 2);
    let server = bench.allowed_server(URL, &["search"]).await;
    let profile = json!({"tools": {"allow": [tool_id(&server, "search")], "mcpResultInlineCharLimit": limit}});
    let prepared = bench.ok("agent.prepare", json!({ "profile": profile })).await;
    let invocation = prepared["invocationId"].as_str().unwrap().to_owned();
    adjust(&bench);
    let running = bench.agent_call(&invocation);
    let mut played = bench.attempt().await.serve("2025-06-18");
    played.call().await.answer(answer);
    let result = running.await.unwrap().unwrap();
    World {
        bench,
        played,
        server,
        invocation,
        result,
    }
}

fn text(text: &str) -> CallAnswer {
    CallAnswer::Result(json!({"content": [{"type": "text", "text": text}], "x": 1}).to_string())
}

fn results(bench: &Bench, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join("tool-results");
    let paths = bench.files.paths().into_iter();
    paths
        .filter(|path| path.parent() == Some(&folder) && path.extension().is_some_and(|found| found == ending))
        .collect()
}

impl World {
    fn content(&self) -> &str {
        self.result["content"].as_str().unwrap()
    }

    fn path(&self) -> &str {
        self.result["file"]["path"].as_str().unwrap()
    }

    async fn read(&self, path: &str, start: usize, count: usize) -> Result<Value, Value> {
        let params = json!({"invocationId": self.invocation, "path": path, "startLine": start, "lineCount": count});
        self.bench.call("agent.readResult", params).await
    }
}

#[tokio::test]
async fn up_to_the_limit_the_model_gets_the_whole() {
    let world = answered(|_| {}, 5, text("ééééé")).await;
    assert_eq!(world.content(), "ééééé");
    assert!(world.result.get("file").is_none());
    assert!(results(&world.bench, "txt").is_empty() && results(&world.bench, "json").is_empty());
}

#[tokio::test]
async fn above_it_a_preview_the_path_and_nothing_of_the_audit() {
    let line = "x".repeat(7000);
    let whole = format!("{line}\nsecond\n{}", "y\n".repeat(20_000));
    let world = answered(|_| {}, 10_000, text(&whole)).await;
    let content = world.content();
    assert!(content.contains(&format!("`{}`", world.path())), "{}", &content[..400]);
    assert!(content.ends_with(&format!("\n\n{}", "x".repeat(3000))));
    assert_eq!(world.result["file"]["lines"], 20_004);

    let audit = results(&world.bench, "json");
    let view = results(&world.bench, "txt");
    assert_eq!((audit.len(), view.len()), (1, 1));
    let [audit, view] = [&audit[0], &view[0]].map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    assert_eq!(world.path(), format!("tool-results/{view}"));
    // Neither leads to the other, nor to a server.
    let (audit_id, view_id) = (audit.strip_suffix(".json").unwrap(), view.strip_suffix(".txt").unwrap());
    assert!(audit_id.starts_with(&format!("{NOW_MS:013}-")));
    assert!(!audit_id.contains(view_id) && view_id.len() == 32);
    let shown = world.result.to_string();
    assert!(!shown.contains(audit_id) && !shown.contains(".json"));

    let record = world
        .bench
        .file(Path::new(ROOT).join("tool-results").join(&audit))
        .unwrap();
    let exact = json!({"content": [{"type": "text", "text": whole}], "x": 1}).to_string();
    assert!(record.contains(&format!("\"result\":{exact}")));
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["toolId"], tool_id(&world.server, "search"));
    assert_eq!(record["invocationId"], world.invocation.as_str());
    assert_eq!(record["view"], view);

    // Read on in pieces that fit the limit, it is the whole.
    let mut read = String::new();
    let mut next = Some(1);
    let mut pieces = 0;
    while let Some(start) = next {
        let part = world
            .read(world.path(), usize::try_from(start).unwrap(), 100_000)
            .await
            .unwrap();
        let piece = part["text"].as_str().unwrap();
        assert!(piece.chars().count() <= 10_000);
        read.push_str(piece);
        read.push('\n');
        next = part["nextLine"].as_u64();
        pieces += 1;
    }
    assert!(pieces > 4);
    let lines: Vec<&str> = read.lines().collect();
    assert_eq!(
        lines[..4].iter().map(|line| line.len()).collect::<Vec<_>>(),
        [3000, 3000, 1000, 6]
    );
    assert_eq!(lines[..3].concat(), line);
    assert_eq!(
        lines[3..].join("\n"),
        whole.lines().skip(1).collect::<Vec<_>>().join("\n")
    );
}

#[tokio::test]
async fn an_error_with_long_data_is_saved_too() {
    let error = json!({"code": -32000, "message": "no", "data": "d".repeat(200)}).to_string();
    let world = answered(|_| {}, 100, CallAnswer::Error(error.clone())).await;
    assert_eq!(world.result["isError"], true);
    assert_eq!(world.result["errorCode"], "mcp.model_server_error");
    let record = world.bench.file(results(&world.bench, "json").remove(0)).unwrap();
    assert!(record.contains(&format!("\"error\":{error}")), "{record}");
}

#[tokio::test]
async fn only_a_path_that_this_invocation_was_given_leads_anywhere() {
    let world = answered(|_| {}, 10, text(&"a\n".repeat(50))).await;
    let path = world.path().to_owned();
    let name = path.strip_prefix("tool-results/").unwrap();
    let audit = results(&world.bench, "json").remove(0);
    let audit = audit.file_name().unwrap().to_str().unwrap();
    world
        .bench
        .files
        .put(Path::new(ROOT).join("tool-results/0123.txt"), "other");
    for path in [
        "",
        name,
        &format!("{ROOT}/{path}"),
        &format!("./{path}"),
        &format!("tool-results//{name}"),
        &format!("tool-results/../tool-results/{name}"),
        &format!("tool-results/{name}/"),
        "tool-results/0123.txt",
        "tool-results/",
        "../settings.json",
        "settings.json",
        &format!("tool-results/{audit}"),
    ] {
        let error = world.read(path, 1, 1).await.unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.result_file_not_found", "{path}");
    }
    let other = world.bench.invocation(&world.server, "search").await;
    let params = json!({"invocationId": other, "path": path, "startLine": 1, "lineCount": 1});
    assert_eq!(
        world.bench.code("agent.readResult", params).await,
        "mcp.result_file_not_found"
    );
    for (start, count) in [(0, 1), (51, 1), (1, 0)] {
        let error = world.read(&path, start, count).await.unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.result_range_invalid", "{start} {count}");
    }
    let part = world.read(&path, 50, 10).await.unwrap();
    assert_eq!(
        part,
        json!({"startLine": 50, "lineCount": 1, "totalLines": 50, "text": "a"})
    );
}

#[tokio::test]
async fn what_cannot_be_saved_is_said_and_leaves_nothing() {
    // First comes the audit record, then the view.
    for failing in [1, 2] {
        let fail = move |bench: &Bench| {
            let mut made = 0;
            bench.files.fail_when(move |step, _| {
                made += usize::from(step == FileStep::Create);
                step == FileStep::Create && made == failing
            });
        };
        let world = answered(fail, 10, text(&"long ".repeat(50))).await;
        assert_eq!(world.result["isError"], false);
        assert_eq!(world.result["errorCode"], "mcp.storage_write_failed");
        assert!(
            world.content().starts_with("The call was carried out"),
            "{}",
            world.content()
        );
        assert!(world.result.get("file").is_none());
        world.bench.files.heal();
        assert!(results(&world.bench, "txt").is_empty() && results(&world.bench, "json").is_empty());
    }
}

#[tokio::test]
async fn the_view_goes_with_its_invocation_and_the_newest_audits_stay() {
    let world = answered(|_| {}, 10, text(&"a\n".repeat(50))).await;
    let (bench, mut played) = (world.bench, world.played);
    assert_eq!(results(&bench, "txt").len(), 1);
    bench.ok("agent.end", json!({"invocationId": world.invocation})).await;
    assert!(results(&bench, "txt").is_empty());
    assert_eq!(results(&bench, "json").len(), 1);
    // Others were kept before, and two may be.
    let id = "0123456789abcdef0123456789abcdef";
    for at in [1, 2, 3] {
        let old = format!("{at:013}-{id}.json");
        bench.files.put(Path::new(ROOT).join("tool-results").join(old), "{}");
    }
    bench.files.put(Path::new(ROOT).join("tool-results/notes.json"), "{}");
    let profile = json!({"tools": {"allow": [tool_id(&world.server, "search")], "mcpResultInlineCharLimit": 10}});
    let prepared = bench.ok("agent.prepare", json!({ "profile": profile })).await;
    let running = bench.agent_call(prepared["invocationId"].as_str().unwrap());
    played.call().await.answer(text(&"b\n".repeat(50)));
    running.await.unwrap().unwrap();
    let kept = results(&bench, "json");
    assert_eq!(kept.len(), 3, "two of ours, and one that is not: {kept:?}");
    assert!(kept.iter().all(|path| !path.to_str().unwrap().contains(id)));

    // The clock was set back: the newest is kept, though older ones say that they come from later.
    for at in [9_000_000_000_000_u64, 9_000_000_000_001, 9_000_000_000_002] {
        let late = format!("{at:013}-{id}.json");
        bench.files.put(Path::new(ROOT).join("tool-results").join(late), "{}");
    }
    let before = results(&bench, "json");
    let running = bench.agent_call(prepared["invocationId"].as_str().unwrap());
    played.call().await.answer(text(&"c\n".repeat(50)));
    running.await.unwrap().unwrap();
    let kept = results(&bench, "json");
    assert_eq!(kept.iter().filter(|path| !before.contains(path)).count(), 1, "{kept:?}");
    assert_eq!(kept.len(), 3, "two of ours, and one that is not: {kept:?}");

    // A host that ended without a word leaves its views to the next start.
    assert_eq!(results(&bench, "txt").len(), 2);
    drop(played);
    let bench = bench.restart().await;
    assert!(results(&bench, "txt").is_empty());
    assert_eq!(results(&bench, "json").len(), 3);
}

#[tokio::test]
async fn why_a_call_was_not_sent_is_told_whole_whatever_the_limit() {
    let mut bench = Bench::new();
    let server = bench.allowed_server(URL, &["search"]).await;
    let profile = json!({"tools": {"allow": [tool_id(&server, "search")], "mcpResultInlineCharLimit": 1}});
    let prepared = bench.ok("agent.prepare", json!({ "profile": profile })).await;
    let invocation = prepared["invocationId"].as_str().unwrap().to_owned();
    bench
        .ok("servers.setState", json!({"id": server, "state": "paused"}))
        .await;
    let result = bench.agent_call(&invocation).await.unwrap().unwrap();
    let content = result["content"].as_str().unwrap();
    assert!(content.starts_with("The call was not sent (mcp."), "{content}");
    assert!(content.ends_with('.') && !content.contains("carried out"), "{content}");
    assert!(result.get("file").is_none(), "{result}");
    assert!(results(&bench, "json").is_empty());
}

#[tokio::test]
async fn of_an_invocation_that_nobody_uses_any_more_they_are_removed() {
    let world = answered(|_| {}, 10, text(&"a\n".repeat(50))).await;
    assert_eq!(results(&world.bench, "txt").len(), 1);
    tokio::time::pause();
    tokio::time::advance(Duration::from_mins(61)).await;
    // Who prepares next clears up, and does not wait for it.
    let profile = json!({"profile": {"tools": {"allow": []}}});
    world.bench.ok("agent.prepare", profile).await;
    let late = Instant::now() + Duration::from_secs(30);
    while !results(&world.bench, "txt").is_empty() {
        assert!(Instant::now() < late, "it is still there");
        tokio::task::yield_now().await;
    }
    // What is kept for the record stays.
    assert_eq!(results(&world.bench, "json").len(), 1);
}
