//! A disk without room.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Bridge, PROGRAM, nothing_left_over, refuses_everything, server};

/// A small disk, unmounted in the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this process may not mount one.
    fn mount(at: &Path) -> Option<Self> {
        std::fs::create_dir(at).unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=128k", "none"])
            .arg(at)
            .output();
        mount
            .is_ok_and(|output| output.status.success())
            .then(|| Self(at.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_refuses_every_change_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("disk");
    let Some(disk) = SmallDisk::mount(&place) else {
        eprintln!("left out: this process may not mount a small disk");
        return;
    };
    let data = disk.0.join("data");
    let mut bridge = Bridge::start(&data);
    let id = bridge.lay_ground();
    let whole = bridge.seen();
    // Another program takes all the room there is.
    let taken = disk.0.join("taken");
    let mut bytes = vec![0_u8; 256 * 1024];
    while std::fs::write(&taken, &bytes).is_err() {
        bytes.truncate(bytes.len().saturating_sub(4096));
    }
    refuses_everything(&mut bridge, &id, "mcp.storage_write_failed");
    assert_eq!(bridge.seen(), whole);
    bridge.end();
    nothing_left_over(&data);
    std::fs::remove_file(taken).unwrap();
    let mut bridge = Bridge::start(&data);
    assert_eq!(bridge.seen(), whole);
    bridge.ok("servers.create", &server("New", 100));
    bridge.end();
}

#[test]
fn a_file_that_may_not_grow_refuses_the_change_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    // Files may have 8 blocks of 1024 bytes; without the signal that goes with it, as where a quota is exceeded.
    let mut limited = Command::new("bash");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"", PROGRAM]);
    let mut bridge = Bridge::by(limited, &data);
    bridge.lay_ground();
    let whole = bridge.seen();
    let large = server("Large", 32 * 1024);
    assert_eq!(
        bridge.call("servers.create", &large),
        Err("mcp.storage_write_failed".to_owned())
    );
    assert_eq!(bridge.seen(), whole);
    nothing_left_over(&data);
    bridge.ok("partners.create", &serde_json::json!({"name": "Noa"}));
    let whole = bridge.seen();
    bridge.end();
    let mut bridge = Bridge::start(&data);
    assert_eq!(bridge.seen(), whole);
    bridge.end();
}
