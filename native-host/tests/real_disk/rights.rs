//! A folder or a file that the program has no right to. Root has every right, so that it runs as nobody where a test is
//! root's.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::{Bridge, PROGRAM, names_in, nothing_left_over, refuses_everything};

const NOBODY: u32 = 65534;

/// A folder in which the program has no more rights than anybody.
struct Place {
    _folder: tempfile::TempDir,
    data: PathBuf,
    is_root: bool,
}

impl Place {
    /// None where root cannot run a program as nobody.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let is_root = std::fs::metadata(&data).unwrap().uid() == 0;
        if is_root {
            std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
            std::os::unix::fs::chown(&data, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let place = Self {
            data,
            is_root,
            _folder: folder,
        };
        let runs = place.command().arg("--version").output();
        if !runs.is_ok_and(|output| output.status.success()) {
            eprintln!("left out: the program cannot be run as nobody");
            return None;
        }
        Some(place)
    }

    fn command(&self) -> Command {
        if !self.is_root {
            return Command::new(PROGRAM);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", PROGRAM]);
        command
    }

    fn start(&self) -> Bridge {
        Bridge::by(self.command(), &self.data)
    }

    /// Sets what may be done with a file or folder of the data, and with those in it.
    fn allow(&self, name: &str, mode: u32, mode_of_files: u32) {
        let path = self.data.join(name);
        let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        if path.is_dir() {
            for inner in names_in(&path) {
                let inner = path.join(inner);
                set(&inner, if inner.is_dir() { mode } else { mode_of_files });
            }
        }
        set(&path, mode);
    }
}

#[test]
fn a_read_only_folder_refuses_every_change_and_is_shown_as_it_is() {
    let Some(place) = Place::new() else { return };
    let mut bridge = place.start();
    let id = bridge.lay_ground();
    let whole = bridge.seen();
    place.allow("", 0o500, 0o400);
    refuses_everything(&mut bridge, &id, "mcp.storage_write_failed");
    assert_eq!(bridge.seen(), whole);
    bridge.end();
    // It cannot say who owns the folder, and so does not start: with words, and with nothing changed.
    let output = place
        .command()
        .args(["bridge", "--data-dir"])
        .arg(&place.data)
        .output()
        .unwrap();
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(place.data.to_str().unwrap()), "{message}");
    place.allow("", 0o700, 0o600);
    nothing_left_over(&place.data);
    let mut bridge = place.start();
    assert_eq!(bridge.seen(), whole);
    bridge.end();
}

#[test]
fn a_pause_that_a_read_only_folder_refuses_holds_until_the_program_ends() {
    let Some(place) = Place::new() else { return };
    let mut bridge = place.start();
    let id = bridge.lay_ground();
    bridge.ok("servers.setState", &json!({"id": id, "state": "active"}));
    place.allow("", 0o500, 0o400);
    let pause = json!({"id": id, "state": "paused"});
    assert_eq!(
        bridge.call("servers.setState", &pause),
        Err("mcp.storage_write_failed".to_owned())
    );
    let server = bridge.seen()["servers"]["servers"][0].clone();
    assert_eq!(
        (&server["state"], &server["pauseUnsaved"]),
        (&json!("paused"), &json!(true))
    );
    place.allow("", 0o700, 0o600);
    bridge.ok("servers.setState", &pause);
    let whole = bridge.seen();
    assert_eq!(whole["servers"]["servers"][0].get("pauseUnsaved"), None);
    bridge.end();
    let mut bridge = place.start();
    assert_eq!(bridge.seen(), whole);
    bridge.end();
}

#[test]
fn a_file_that_cannot_be_read_is_an_issue_and_is_not_written_over() {
    let Some(place) = Place::new() else { return };
    let mut bridge = place.start();
    let id = bridge.lay_ground();
    let whole = bridge.seen();
    bridge.end();
    let registration = format!("_tauritavern/mcp/registrations/{id}.json");
    for (file, refused) in [
        (
            registration.as_str(),
            ("servers.setState", json!({"id": id, "state": "active"})),
        ),
        ("partners.json", ("partners.create", json!({"name": "Noa"}))),
        (
            "credentials/dsh-partner-mcp.json",
            ("servers.create", crate::server("New", 1)),
        ),
        ("settings.json", ("servers.offerRecommended", json!({}))),
    ] {
        let content = std::fs::read(place.data.join(file)).unwrap();
        place.allow(file, 0o000, 0o000);
        let mut bridge = place.start();
        let list = bridge.ok("servers.list", &json!({}));
        let mut issues = list["storageIssues"].as_array().unwrap().iter();
        let name = file.rsplit('/').next().unwrap();
        let issue = issues
            .find(|issue| issue["fileName"] == name)
            .unwrap_or_else(|| panic!("{file}: {list}"));
        assert_eq!(issue["code"], "mcp.storage_unreadable", "{file}");
        let (method, params) = refused;
        assert_eq!(
            bridge.call(method, &params),
            Err("mcp.storage_unreadable".to_owned()),
            "{file}"
        );
        bridge.end();
        place.allow(file, 0o600, 0o600);
        assert_eq!(std::fs::read(place.data.join(file)).unwrap(), content, "{file}");
        let mut bridge = place.start();
        assert_eq!(bridge.seen(), whole, "{file}");
        bridge.end();
    }
}
