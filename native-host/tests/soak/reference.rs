//! What must be there: the changes that were acknowledged, each whole, and of those that nobody knows of either all or
//! nothing.

use std::collections::BTreeMap;

use crate::change::{Change, Connection, TOOLS};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) servers: BTreeMap<String, Server>,
    pub(crate) partners: BTreeMap<String, Partner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) connection: Connection,
    pub(crate) active: bool,
    pub(crate) tools: Option<u64>,
    pub(crate) permissions: BTreeMap<String, String>,
    pub(crate) descriptions: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partner {
    pub(crate) enabled: bool,
    pub(crate) grants: BTreeMap<String, String>,
}

/// What came of a change: done, refused with a code, or nobody knows.
pub(crate) type Outcome = Option<Result<(), String>>;

impl State {
    /// Makes a change, or says with which code it is refused. What a server answers is up to the server: a refresh that
    /// fails is no change, whatever the code.
    fn make(&mut self, change: &Change) -> Result<(), &'static str> {
        const NO_SERVER: &str = "mcp.registration_not_found";
        const NO_PARTNER: &str = "mcp.partner_not_found";
        match change {
            Change::Create(name, connection) => {
                self.servers.insert(name.clone(), new(*connection));
            }
            Change::Import(entries) => {
                if entries.iter().any(|(name, _)| self.servers.contains_key(name)) {
                    return Err("mcp.import_name_taken");
                }
                for (name, connection) in entries {
                    self.servers.insert(name.clone(), new(*connection));
                }
            }
            Change::Save { name, wanted, read } => {
                let server = self.servers.get_mut(name).ok_or(NO_SERVER)?;
                if *read != Some(server.connection) {
                    return Err("mcp.config_conflict");
                }
                let connection = wanted.unwrap_or(server.connection);
                if server.connection != connection {
                    server.connection = connection;
                    server.tools = None;
                }
            }
            Change::Activate(name) => self.servers.get_mut(name).ok_or(NO_SERVER)?.active = true,
            Change::Pause(name) => self.servers.get_mut(name).ok_or(NO_SERVER)?.active = false,
            Change::Remove(name) => {
                self.servers.remove(name).ok_or(NO_SERVER)?;
                for partner in self.partners.values_mut() {
                    partner.grants.remove(name);
                }
            }
            Change::Refresh(name) => {
                let server = self.servers.get_mut(name).ok_or(NO_SERVER)?;
                let tools = TOOLS[server.connection.address];
                if !server.active || tools.is_none() {
                    return Err("any");
                }
                server.tools = tools;
            }
            Change::Permit(name, tools) => {
                let server = self.servers.get_mut(name).ok_or(NO_SERVER)?;
                for (tool, permission) in tools {
                    match *permission {
                        "off" => server.permissions.remove(tool),
                        permission => server.permissions.insert(tool.clone(), permission.to_owned()),
                    };
                }
            }
            Change::Describe(name, tool, text) => {
                let server = self.servers.get_mut(name).ok_or(NO_SERVER)?;
                match text {
                    Some(text) => server.descriptions.insert(tool.clone(), text.clone()),
                    None => server.descriptions.remove(tool),
                };
            }
            Change::MakePartner(name) => {
                self.partners.insert(name.clone(), Partner::default());
            }
            Change::EnablePartner(name, enabled) => self.partners.get_mut(name).ok_or(NO_PARTNER)?.enabled = *enabled,
            Change::RemovePartner(name) => {
                self.partners.remove(name).ok_or(NO_PARTNER)?;
            }
            Change::Grant(name, server, scope) => {
                if !self.servers.contains_key(server) {
                    return Err(NO_SERVER);
                }
                let partner = self.partners.get_mut(name).ok_or(NO_PARTNER)?;
                partner.grants.insert(server.clone(), (*scope).to_owned());
            }
            Change::Revoke(name, server) => {
                self.partners.get_mut(name).ok_or(NO_PARTNER)?.grants.remove(server);
            }
        }
        Ok(())
    }

    /// Every state there can be after changes that were asked for at once, in whatever order the host made them.
    pub(crate) fn after(&self, changes: &[(Change, Outcome)]) -> Vec<Self> {
        let mut found = Vec::new();
        let left: Vec<usize> = (0..changes.len()).collect();
        self.orders(changes, &left, &mut found);
        found
    }

    fn orders(&self, changes: &[(Change, Outcome)], left: &[usize], found: &mut Vec<Self>) {
        if left.is_empty() {
            if !found.contains(self) {
                found.push(self.clone());
            }
            return;
        }
        for next in left {
            let rest: Vec<usize> = left.iter().copied().filter(|index| index != next).collect();
            let (change, outcome) = &changes[*next];
            let mut made = self.clone();
            let result = made.make(change);
            let is_refresh = matches!(change, Change::Refresh(_));
            match (outcome, result) {
                (Some(Ok(())), Ok(())) => made.orders(changes, &rest, found),
                (Some(Err(code)), Err(expected)) if code == expected => self.orders(changes, &rest, found),
                // Superseded by another change of the same moment, or refused by the server.
                (Some(Err(_)), _) if is_refresh => self.orders(changes, &rest, found),
                // Not acknowledged: wholly there or wholly not.
                (None, result) => {
                    self.orders(changes, &rest, found);
                    if result.is_ok() {
                        made.orders(changes, &rest, found);
                    }
                }
                // Not in this order.
                (Some(_), _) => {}
            }
        }
    }
}

fn new(connection: Connection) -> Server {
    Server {
        connection,
        active: false,
        tools: None,
        permissions: BTreeMap::new(),
        descriptions: BTreeMap::new(),
    }
}
