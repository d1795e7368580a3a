//! The changes that are asked for: each by names alone, so that a seed gives the same run whatever ids the host makes.

use serde_json::{Value, json};

use crate::random::Random;

/// A server's connection: which of the addresses, and what secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) address: usize,
    pub(crate) secret: usize,
}

/// How many tools each address offers; nothing answers at the last.
pub(crate) const TOOLS: [Option<u64>; 4] = [Some(1), Some(2), Some(5), None];

impl Connection {
    pub(crate) fn any(random: &mut Random) -> Self {
        Self {
            address: random.below(TOOLS.len()),
            secret: random.below(3),
        }
    }

    pub(crate) fn json(self, addresses: &[String]) -> Value {
        json!({
            "type": "http",
            "url": format!("{}?key=secret-{}", addresses[self.address], self.secret),
            "headers": {"X-Key": format!("secret-{}", self.secret)},
            "protocolVersion": "auto",
        })
    }
}

/// A change, by the names that things have in this run.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Create(String, Connection),
    Import(Vec<(String, Connection)>),
    Save {
        name: String,
        /// None saves it as it is.
        wanted: Option<Connection>,
        /// What was read before; filled in when it is asked for.
        read: Option<Connection>,
    },
    Activate(String),
    Pause(String),
    Remove(String),
    Refresh(String),
    Permit(String, Vec<(String, &'static str)>),
    Describe(String, String, Option<String>),
    MakePartner(String),
    EnablePartner(String, bool),
    RemovePartner(String),
    Grant(String, String, &'static str),
    Revoke(String, String),
}

/// What makes up changes of a run. It knows what was asked for, not what came of it: whatever the machine does, the same
/// seed asks for the same.
#[derive(Default)]
pub(crate) struct Changes {
    serial: usize,
    servers: Vec<String>,
    partners: Vec<String>,
}

const TOOL_NAMES: [&str; 3] = ["tool-0", "tool-1", "gone"];

impl Changes {
    fn new_name(&mut self, kind: &str) -> String {
        self.serial += 1;
        format!("{kind} {}", self.serial)
    }

    fn new_server(&mut self, kind: &str) -> String {
        let name = self.new_name(kind);
        self.servers.push(name.clone());
        name
    }

    fn new_partner(&mut self) -> Change {
        let name = self.new_name("Partner");
        self.partners.push(name.clone());
        Change::MakePartner(name)
    }

    /// Some change.
    pub(crate) fn any(&mut self, random: &mut Random) -> Change {
        let nobody = || "nobody".to_owned();
        let server = random.pick(&self.servers).cloned().unwrap_or_else(nobody);
        let partner = random.pick(&self.partners).cloned().unwrap_or_else(nobody);
        let few_servers = self.servers.len() < 2 || (self.servers.len() < 8 && random.percent(20));
        match random.below(100) {
            _ if few_servers && random.percent(60) => {
                Change::Create(self.new_server("Server"), Connection::any(random))
            }
            _ if few_servers => self.import(random),
            _ if self.partners.is_empty() => self.new_partner(),
            0..18 => Change::Save {
                name: server,
                wanted: random.percent(75).then(|| Connection::any(random)),
                read: None,
            },
            18..33 => Change::Activate(server),
            33..37 => Change::Pause(server),
            37..42 => {
                self.servers.retain(|name| *name != server);
                Change::Remove(server)
            }
            42..54 => Change::Refresh(server),
            54..66 => {
                let mut tools = Vec::new();
                for name in TOOL_NAMES {
                    if random.percent(60) {
                        tools.push((name.to_owned(), *random.pick(&["off", "ask", "allow"]).unwrap()));
                    }
                }
                Change::Permit(server, tools)
            }
            66..74 => {
                let text = random.percent(70).then(|| self.new_name("Says"));
                Change::Describe(server, TOOL_NAMES[random.below(3)].to_owned(), text)
            }
            74..78 if self.partners.len() < 4 => self.new_partner(),
            74..82 => Change::EnablePartner(partner, random.percent(50)),
            82..85 => {
                self.partners.retain(|name| *name != partner);
                Change::RemovePartner(partner)
            }
            85..95 => Change::Grant(partner, server, random.pick(&["all", "permitted"]).unwrap()),
            _ => Change::Revoke(partner, server),
        }
    }

    fn import(&mut self, random: &mut Random) -> Change {
        let taken = random.pick(&self.servers).cloned();
        let mut entries: Vec<_> = (0..=random.below(2))
            .map(|_| (self.new_server("Import"), Connection::any(random)))
            .collect();
        if random.percent(15)
            && let Some(taken) = taken
        {
            entries.push((taken, Connection::any(random)));
        }
        Change::Import(entries)
    }
}
