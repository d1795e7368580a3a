//! Every step of every kind of change: a host dies at each in turn, the next one dies at a step of its start, and what
//! the one after that finds is all of the old or all of the new.

use std::path::Path;

use crate::change::{Change, Connection};
use crate::life::Life;
use crate::process::{Death, Process, Program};

/// How many deaths there were.
pub(crate) fn every_step(addresses: &[String]) -> u64 {
    let mut deaths = 0;
    for (from, to) in [
        ("file", "file"),
        ("inline", "inline"),
        ("file", "inline"),
        ("inline", "file"),
    ] {
        let mut ground = Life::new(0, addresses);
        lay(&mut ground, from);
        let old = Connection { address: 1, secret: 1 };
        let new = Connection { address: 2, secret: 2 };
        let save = |wanted| Change::Save {
            name: "Server 1".to_owned(),
            wanted,
            read: None,
        };
        let server = || "Server 1".to_owned();
        let partner = || "Partner 1".to_owned();
        let mut changes = vec![save(Some(new)), save(None)];
        if from == to {
            changes.extend([
                Change::Create("Server 2".to_owned(), new),
                Change::Import(vec![("One".to_owned(), old), ("Two".to_owned(), new)]),
                Change::Pause(server()),
                Change::Refresh(server()),
                Change::Permit(
                    server(),
                    vec![("tool-0".to_owned(), "off"), ("tool-1".to_owned(), "ask")],
                ),
                Change::Describe(server(), "tool-0".to_owned(), Some("Says so.".to_owned())),
                Change::MakePartner("Partner 2".to_owned()),
                Change::EnablePartner(partner(), true),
                Change::Grant(partner(), server(), "permitted"),
                Change::Revoke(partner(), server()),
                Change::RemovePartner(partner()),
                Change::Remove(server()),
            ]);
        }
        for change in changes {
            deaths += at_each_step(&ground, to, &change);
        }
    }
    deaths
}

/// A server with everything that there is to lose.
fn lay(ground: &mut Life<'_>, provider: &'static str) {
    let server = || "Server 1".to_owned();
    let partner = || "Partner 1".to_owned();
    let mut process = Process::start(Program::Dying(provider, Death::Never), &ground.data());
    for change in [
        Change::Create(server(), Connection { address: 1, secret: 1 }),
        Change::Activate(server()),
        Change::Refresh(server()),
        Change::Permit(server(), vec![("tool-0".to_owned(), "allow")]),
        Change::MakePartner(partner()),
        Change::Grant(partner(), server(), "all"),
    ] {
        ground.make(&mut process, change).unwrap();
    }
    ground.look(&mut process).unwrap().check_folder(&ground.data());
    process.kill();
}

fn at_each_step(ground: &Life<'_>, provider: &'static str, change: &Change) -> u64 {
    for steps in 0.. {
        let mut life = ground.again();
        copy(&ground.data(), &life.data());
        life.note(format!("{change:?} with {provider}, death at step {steps}"));
        let mut process = Process::start(Program::Dying(provider, Death::AtWork(steps)), &life.data());
        let survived = life.make(&mut process, change.clone()).is_ok();
        process.kill();
        if !survived {
            let at_start = steps % 9;
            let mut second = Process::start(Program::Dying(provider, Death::AtStart(at_start)), &life.data());
            let _ = life.look(&mut second);
            second.kill();
        }
        let mut last = Process::start(Program::Dying(provider, Death::Never), &life.data());
        life.look(&mut last).unwrap().check_folder(&life.data());
        if survived {
            return u64::try_from(steps).unwrap();
        }
    }
    unreachable!()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}
