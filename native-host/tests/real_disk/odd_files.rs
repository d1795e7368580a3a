//! Something else under the name of a file: a folder, or a link.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::{Bridge, nothing_left_over, server};

#[test]
fn a_folder_in_the_place_of_a_file_is_an_issue_and_refuses_changes_of_it() {
    let (folder, data, id, whole) = Bridge::laid();
    let registration = format!("_tauritavern/mcp/registrations/{id}.json");
    for (file, (method, params)) in [
        (
            registration.as_str(),
            ("servers.setState", json!({"id": id, "state": "active"})),
        ),
        ("partners.json", ("partners.create", json!({"name": "Noa"}))),
        ("credentials/dsh-partner-mcp.json", ("servers.create", server("New", 1))),
        ("settings.json", ("servers.offerRecommended", json!({}))),
    ] {
        let path = data.join(file);
        let aside = folder.path().join("aside");
        std::fs::rename(&path, &aside).unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("mine"), "mine").unwrap();
        let mut bridge = Bridge::start(&data);
        let list = bridge.ok("servers.list", &json!({}));
        let mut issues = list["storageIssues"].as_array().unwrap().iter();
        let name = file.rsplit('/').next().unwrap();
        assert!(
            issues.any(|issue| issue["fileName"] == name && issue["code"] == "mcp.storage_unreadable"),
            "{list}"
        );
        assert_eq!(
            bridge.call(method, &params),
            Err("mcp.storage_unreadable".to_owned()),
            "{file}"
        );
        // By name it can be removed only where that loses nothing.
        let removed = bridge.call("storage.remove", &json!({"fileName": name}));
        assert_eq!(removed, Err("mcp.storage_write_failed".to_owned()), "{file}");
        bridge.end();
        nothing_left_over(&data);
        assert_eq!(std::fs::read_to_string(path.join("mine")).unwrap(), "mine", "{file}");
        std::fs::remove_dir_all(&path).unwrap();
        std::fs::rename(&aside, &path).unwrap();
        let mut bridge = Bridge::start(&data);
        assert_eq!(bridge.seen(), whole, "{file}");
        bridge.end();
    }
}

#[test]
fn files_that_are_links_are_read_where_they_lead_and_a_change_leaves_what_they_lead_to() {
    let (folder, data, id, whole) = Bridge::laid();
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let files = [
        format!("_tauritavern/mcp/registrations/{id}.json"),
        "partners.json".to_owned(),
    ];
    for file in &files {
        let target = elsewhere.join(file.replace('/', "-"));
        std::fs::rename(data.join(file), &target).unwrap();
        symlink(&target, data.join(file)).unwrap();
    }
    let mut bridge = Bridge::start(&data);
    assert_eq!(bridge.seen(), whole);
    let before: Vec<_> = files
        .iter()
        .map(|file| std::fs::read(data.join(file)).unwrap())
        .collect();
    bridge.ok("servers.setState", &json!({"id": id, "state": "active"}));
    bridge.ok("partners.create", &json!({"name": "Noa"}));
    let changed = bridge.seen();
    bridge.end();
    for (file, before) in files.iter().zip(before) {
        assert!(!data.join(file).is_symlink(), "{file}");
        let target = elsewhere.join(file.replace('/', "-"));
        assert_eq!(std::fs::read(target).unwrap(), before, "{file}");
    }
    let mut bridge = Bridge::start(&data);
    assert_eq!(bridge.seen(), changed);
    bridge.end();
}

#[test]
fn a_data_folder_that_is_a_link_is_one_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    std::fs::create_dir(&real).unwrap();
    let link = folder.path().join("link");
    symlink(&real, &link).unwrap();
    let mut bridge = Bridge::start(&link);
    bridge.lay_ground();
    let whole = bridge.seen();
    let second = std::process::Command::new(crate::PROGRAM)
        .args(["rpc", "host.info", "--data-dir"])
        .arg(&real)
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&second.stderr).contains("mcp.host_busy"),
        "{second:?}"
    );
    bridge.end();
    let mut bridge = Bridge::start(&real);
    assert_eq!(bridge.seen(), whole);
    bridge.end();
}

#[test]
fn a_data_folder_that_is_replaced_is_not_written_to_by_who_had_the_old_one() {
    let (folder, data, id, whole) = Bridge::laid();
    let copy = |from: &Path, to: &Path| {
        let copied = std::process::Command::new("cp").arg("-r").args([from, to]).status();
        assert!(copied.unwrap().success());
    };
    let backup = folder.path().join("backup");
    copy(&data, &backup);
    let mut first = Bridge::start(&data);
    assert_eq!(first.seen(), whole, "it has the folder");
    std::fs::rename(&data, folder.path().join("aside")).unwrap();
    let create = server("New", 1);
    // Nothing has its name: nothing is made.
    let refused = first.refusal("servers.create", &create);
    assert_eq!(refused["data"]["code"], "mcp.storage_write_failed");
    assert!(refused["message"].as_str().unwrap().contains("was moved"), "{refused}");
    assert!(!data.exists());
    // The backup is put back, and another program owns it.
    copy(&backup, &data);
    let mut second = Bridge::start(&data);
    let activate = json!({"id": id, "state": "active"});
    assert_eq!(
        first.call("servers.setState", &activate),
        Err("mcp.storage_write_failed".to_owned())
    );
    assert_eq!(
        second.seen()["servers"]["servers"][0]["state"],
        "paused",
        "nobody wrote there"
    );
    second.ok("servers.setState", &activate);
    first.end();
    assert!(data.join("host.json").exists(), "the second one's word who it is");
    let whole = second.seen();
    second.end();
    let mut bridge = Bridge::start(&data);
    assert_eq!(bridge.seen(), whole);
    bridge.end();
}
