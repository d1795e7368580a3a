//! One life of a data folder: host after host on it, each killed, and what the next one finds held against the reference.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::change::{Change, Changes, Connection};
use crate::found::Found;
use crate::process::{Death, Gone, Process, Program};
use crate::random::Random;
use crate::reference::{Outcome, State};

/// No server and no partner has it.
const NO_ID: &str = "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a";

pub(crate) struct Life<'a> {
    random: Random,
    folder: tempfile::TempDir,
    addresses: &'a [String],
    changes: Changes,
    /// One of these is there.
    possible: Vec<State>,
    /// What was done, for whoever has to find out why.
    log: Vec<String>,
}

impl<'a> Life<'a> {
    pub(crate) fn new(seed: u64, addresses: &'a [String]) -> Self {
        Self {
            random: Random::new(seed),
            folder: tempfile::tempdir().unwrap(),
            addresses,
            changes: Changes::default(),
            possible: vec![State::default()],
            log: Vec::new(),
        }
    }

    /// Another folder, of which the same is known.
    pub(crate) fn again(&self) -> Self {
        Self {
            possible: self.possible.clone(),
            ..Self::new(0, self.addresses)
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn note(&mut self, line: String) {
        self.log.push(line);
    }

    pub(crate) fn log(&self) -> String {
        self.log.join("\n")
    }

    /// One host, from its start until it is killed.
    pub(crate) fn round(&mut self) {
        // All that chance decides is decided here, whatever the machine does meanwhile.
        let mut random = Random::new(self.random.next());
        let provider = *random.pick(&["file", "file", "inline"]).unwrap();
        let program = match random.below(10) {
            0..3 => Program::Toolgate,
            3..5 => Program::Dying(provider, Death::AtStart(random.below(12))),
            5..9 => Program::Dying(provider, Death::AtWork(random.below(90))),
            _ => Program::Dying(provider, Death::Never),
        };
        let at_start = random.percent(8).then(|| random.below(60_000));
        let batches: Vec<Vec<Change>> = (0..=random.below(5)).map(|_| self.choose(&mut random)).collect();
        let delay = match random.below(4) {
            0 => 0,
            1 => random.below(2_000),
            _ => random.below(30_000),
        };
        self.log.push(format!("start {program:?}"));
        let mut process = Process::start(program, &self.data());
        if let Some(delay) = at_start {
            // While it starts, or soon after.
            pause(delay);
            process.kill();
            self.log
                .push(format!("killed while it starts, after {delay} microseconds"));
            return;
        }
        let has_second_host = random.percent(5);
        let ended = self.live(&mut process, batches, has_second_host, delay);
        self.log.push(format!("  {ended:?}"));
        process.kill();
    }

    /// Looks at what is there, makes changes whose answers are waited for, and at last some during which the host is killed.
    fn live(
        &mut self,
        process: &mut Process,
        batches: Vec<Vec<Change>>,
        has_second_host: bool,
        delay: usize,
    ) -> Result<(), Gone> {
        let mut found = self.look(process)?;
        found.check_folder(&self.data());
        if has_second_host {
            self.second_host();
        }
        let last = batches.len().saturating_sub(1);
        for (index, mut changes) in batches.into_iter().enumerate() {
            let numbers = self.send(process, &found, &mut changes)?;
            if index == last {
                pause(delay);
                process.kill();
                self.log.push(format!("killed after {delay} microseconds"));
            }
            self.take_answers(process, changes, &numbers)?;
            found = self.look(process)?;
        }
        Ok(())
    }

    /// Makes one change.
    pub(crate) fn make(&mut self, process: &mut Process, change: Change) -> Result<(), Gone> {
        let found = self.look(process)?;
        let mut changes = vec![change];
        let numbers = self.send(process, &found, &mut changes)?;
        self.take_answers(process, changes, &numbers)
    }

    /// What a host lists is one of the states that there can be, and is it from now on.
    pub(crate) fn look(&mut self, process: &mut Process) -> Result<Found, Gone> {
        let found = Found::ask(process, self.addresses)?;
        assert!(
            self.possible.contains(&found.state),
            "what is there is not what there can be.\nfound: {:#?}\npossible: {:#?}",
            found.state,
            self.possible
        );
        self.possible = vec![found.state.clone()];
        Ok(found)
    }

    /// A further host on the folder is refused, and changes nothing of it.
    fn second_host(&mut self) {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_toolgate"))
            .args(["rpc", "host.info", "--data-dir"])
            .arg(self.data())
            .output()
            .unwrap();
        assert!(!output.status.success(), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("mcp.host_busy"),
            "{output:?}"
        );
    }

    fn choose(&mut self, random: &mut Random) -> Vec<Change> {
        let count = 1 + random.below(3);
        (0..count).map(|_| self.changes.any(random)).collect()
    }

    /// Sends changes at once. What one needs to be asked for is read before.
    fn send(&mut self, process: &mut Process, found: &Found, changes: &mut [Change]) -> Result<Vec<u64>, Gone> {
        let mut requests = Vec::new();
        for change in changes {
            if let Change::Save { name, read, .. } = change {
                *read = found.state.servers.get(name).map(|server| server.connection);
            }
            self.log.push(format!("asks for {change:?}"));
            requests.push(self.request(process, found, change)?);
        }
        Ok(requests
            .iter()
            .map(|(method, params)| process.send(method, params))
            .collect())
    }

    fn take_answers(&mut self, process: &mut Process, changes: Vec<Change>, numbers: &[u64]) -> Result<(), Gone> {
        let mut outcomes: Vec<(Change, Outcome)> = Vec::new();
        let mut ended = Ok(());
        for (change, number) in changes.into_iter().zip(numbers) {
            let outcome = if let Ok(answer) = process.answer(*number) {
                Some(answer.map(drop).map_err(|error| code(&error)))
            } else {
                ended = Err(Gone);
                None
            };
            self.log.push(format!("  {outcome:?} of {change:?}"));
            outcomes.push((change, outcome));
        }
        let after: Vec<State> = self.possible.iter().flat_map(|state| state.after(&outcomes)).collect();
        assert!(
            !after.is_empty(),
            "these answers fit no order of the changes: {outcomes:#?}\n{:#?}",
            self.possible
        );
        self.possible = after;
        ended
    }

    fn request(&self, process: &mut Process, found: &Found, change: &Change) -> Result<(&'static str, Value), Gone> {
        let id = |name: &String| found.ids.get(name).map_or(NO_ID, String::as_str);
        let config = |connection: &Connection| connection.json(self.addresses);
        Ok(match change {
            Change::Create(name, connection) => (
                "servers.create",
                json!({"displayName": name, "config": config(connection)}),
            ),
            Change::Import(entries) => {
                let entries = entries.iter().map(|(name, connection)| {
                    let config = config(connection);
                    (
                        name.clone(),
                        json!({"url": config["url"], "headers": config["headers"]}),
                    )
                });
                let text = json!({"mcpServers": entries.collect::<serde_json::Map<_, _>>()}).to_string();
                ("servers.import", json!({ "text": text }))
            }
            Change::Save { name, wanted, read } => {
                let connection = wanted.or(*read).unwrap_or(Connection { address: 0, secret: 0 });
                let revision = match read {
                    Some(_) => process.ok("servers.readConfig", &json!({"id": id(name)}))?["revision"].clone(),
                    None => json!("none"),
                };
                let params =
                    json!({"id": id(name), "displayName": name, "config": config(&connection), "revision": revision});
                ("servers.saveConfig", params)
            }
            Change::Activate(name) => ("servers.setState", json!({"id": id(name), "state": "active"})),
            Change::Pause(name) => ("servers.setState", json!({"id": id(name), "state": "paused"})),
            Change::Remove(name) => ("servers.remove", json!({"id": id(name)})),
            Change::Refresh(name) => ("servers.refresh", json!({"id": id(name)})),
            Change::Permit(name, tools) => {
                let changes: serde_json::Map<_, _> = tools
                    .iter()
                    .map(|(tool, permission)| (tool.clone(), json!(permission)))
                    .collect();
                ("tools.setPermissions", json!({"id": id(name), "changes": changes}))
            }
            Change::Describe(name, tool, text) => {
                let text = text.as_ref().map(|text| json!({ "description": text }));
                (
                    "tools.setDescriptionOverride",
                    json!({"id": id(name), "nativeName": tool, "override": text}),
                )
            }
            Change::MakePartner(name) => ("partners.create", json!({ "name": name })),
            Change::EnablePartner(name, enabled) => (
                "partners.setEnabled",
                json!({"partnerId": id(name), "enabled": enabled}),
            ),
            Change::RemovePartner(name) => ("partners.remove", json!({"partnerId": id(name)})),
            Change::Grant(name, server, scope) => (
                "partners.grant",
                json!({"partnerId": id(name), "serverId": id(server), "scope": scope}),
            ),
            Change::Revoke(name, server) => (
                "partners.revoke",
                json!({"partnerId": id(name), "serverId": id(server)}),
            ),
        })
    }
}

fn code(error: &Value) -> String {
    error["data"]["code"].as_str().unwrap_or_default().to_owned()
}

fn pause(microseconds: usize) {
    std::thread::sleep(Duration::from_micros(u64::try_from(microseconds).unwrap_or_default()));
}
