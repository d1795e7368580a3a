//! Everything a server started, and what it started in turn.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group, test_kill_process_group};

/// Whether processes that lose their parent become children of the guard, so that it can know when none is left.
const ORPHANS_COME_HERE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Has orphans of this process's descendants come to it, where the system can do so.
pub(super) fn adopt_orphans() {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
}

/// A server and its descendants.
pub(super) struct Family {
    /// The server, whose number is that of its process group.
    leader: Pid,
    /// Where orphans go elsewhere: those that were seen once.
    seen: BTreeSet<i32>,
}

impl Family {
    pub(super) fn of(leader: Pid) -> Self {
        Self {
            leader,
            seen: BTreeSet::new(),
        }
    }

    /// Whether nothing of it is left, as far as can be known; `no_children` says that this process has none.
    pub(super) fn is_gone(&self, no_children: bool) -> bool {
        no_children && (ORPHANS_COME_HERE || test_kill_process_group(self.leader).is_err())
    }

    /// Kills what was seen and has left the group, where nobody tells of its end.
    pub(super) fn signal_strays(&mut self) {
        if !ORPHANS_COME_HERE {
            self.signal(Signal::KILL);
        }
    }

    /// Sends a signal to the server's process group and to every descendant, in whatever group or session it is.
    pub(super) fn signal(&mut self, signal: Signal) {
        let mut targets: BTreeSet<i32> = descendants(getpid().as_raw_pid()).into_iter().collect();
        if !ORPHANS_COME_HERE {
            self.seen.append(&mut targets);
            targets.clone_from(&self.seen);
        }
        // Who is gone already needs no signal.
        let _ = kill_process_group(self.leader, signal);
        for pid in targets.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }
}

/// The descendants of a process that live.
fn descendants(of: i32) -> Vec<i32> {
    let processes = processes();
    let mut found = vec![of];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        let children = processes.iter().filter(|(_, its)| *its == parent).map(|(pid, _)| *pid);
        let new: Vec<_> = children.filter(|pid| !found.contains(pid)).collect();
        found.extend(new);
        at += 1;
    }
    found.split_off(1)
}

/// Every process and its parent.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn processes() -> Vec<(i32, i32)> {
    let Ok(folders) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let numbers = folders.filter_map(|folder| folder.ok()?.file_name().to_str()?.parse().ok());
    numbers
        .filter_map(|pid: i32| {
            let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
            Some((pid, parent(&String::from_utf8_lossy(&stat))?))
        })
        .collect()
}

/// The parent in the text of `/proc/<pid>/stat`. The program's name stands in it, in parentheses, and may hold anything.
#[cfg(any(target_os = "linux", target_os = "android", test))]
fn parent(stat: &str) -> Option<i32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Every process and its parent.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn processes() -> Vec<(i32, i32)> {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    let mut listing = Command::new("/bin/ps");
    listing.args(["-A", "-o", "pid=,ppid="]);
    listing
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let Ok(mut child) = listing.spawn() else {
        return Vec::new();
    };
    let mut text = String::new();
    if let Some(output) = &mut child.stdout {
        let _ = output.read_to_string(&mut text);
    }
    // Whoever waits for children takes note of its end.
    let own = i32::try_from(child.id()).unwrap_or(0);
    let mut listed: Vec<_> = text.lines().filter_map(pair).collect();
    listed.retain(|(pid, _)| *pid != own);
    listed
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn pair(line: &str) -> Option<(i32, i32)> {
    let mut numbers = line.split_ascii_whitespace();
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_like_a_line_of_its_own_is_no_trouble() {
        assert_eq!(parent("12 (a) S 1 (b) c) S 34 12 12 0 -1"), Some(34));
        assert_eq!(parent("12 a"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_process_descends_from_the_first() {
        let own = getpid().as_raw_pid();
        assert!(descendants(1).contains(&own) || own == 1);
        assert!(!descendants(own).contains(&own));
    }
}
