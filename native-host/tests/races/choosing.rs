//! Which request comes next.

use std::collections::BTreeSet;

use crate::request::{Caller, Request};
use crate::run::Run;

impl Run {
    pub(crate) fn new_name(&mut self, kind: &str) -> String {
        self.serial += 1;
        format!("{kind}{}", self.serial)
    }

    /// An address that no other server has, and this one never had.
    pub(crate) fn new_url(&mut self) -> String {
        format!("https://{}.example/mcp", self.new_name("h").to_lowercase())
    }

    /// A request, and now and then what is to overtake it or to come before it.
    pub(crate) fn choose(&mut self) -> Request {
        let request = self.choose_one();
        match &request {
            Request::Discover { id } | Request::Refresh { id } if self.chance.percent(30) => self.overtake(&id.clone()),
            Request::Call { caller, number } => {
                if self.chance.percent(30) {
                    self.go_on(caller);
                }
                let (server, tool) = self.reference.meant(caller);
                match self.chance.below(20) {
                    0..3 => self.overtake(&server),
                    3..6 => self.withdraw(&caller.clone(), server, tool),
                    6 => {
                        let cancel = Request::Cancel {
                            caller: caller.clone(),
                            number: *number,
                        };
                        let most = self.chance.pick(&[1, 20]).unwrap();
                        self.next.push_back((most, request));
                        return cancel;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        request
    }

    /// While work for a server is under way the server is made another one and what it was, at some moment: nothing of
    /// it shows that it was another, and the work must not count all the same.
    fn overtake(&mut self, id: &str) {
        let registrations = self.seen.registrations();
        let Some(server) = registrations.iter().find(|server| server["id"] == id) else {
            return;
        };
        let id = id.to_owned();
        if self.chance.percent(80) {
            let [pause, activate] = [false, true].map(|active| Request::SetState { id: id.clone(), active });
            self.next.extend([(70, pause), (1, activate)]);
            return;
        }
        let name = server["displayName"].as_str().unwrap().to_owned();
        let here = server["endpoint"].as_str().unwrap().to_owned();
        let [there, back] = [self.new_url(), here].map(|url| Request::Save {
            id: id.clone(),
            name: name.clone(),
            url,
        });
        self.next.extend([(70, there), (20, back)]);
    }

    /// Calls the same again, which is to go out only where nothing has ended meanwhile.
    fn go_on(&mut self, caller: &Caller) {
        for _ in 0..2 {
            let again = self.call(caller.clone());
            self.next.push_back((60, again));
        }
    }

    /// While a call is prepared its caller may make it no more.
    fn withdraw(&mut self, caller: &Caller, id: String, tool: String) {
        let partner = match caller {
            Caller::Partner { session, .. } if self.chance.percent(60) => &self.reference.sessions[session].partner,
            _ => {
                let permission = "off";
                self.next.push_back((25, Request::Permit { id, tool, permission }));
                return;
            }
        };
        let partner = partner.clone();
        let request = if self.chance.percent(60) {
            Request::Revoke { partner, id }
        } else {
            Request::Enable {
                partner,
                enabled: false,
            }
        };
        self.next.push_back((25, request));
    }

    #[expect(clippy::too_many_lines, reason = "a line for each kind of request")]
    fn choose_one(&mut self) -> Request {
        let chance = self.chance.clone();
        let mut servers = self.servers();
        let is_few = servers.len() < self.reference.removed.len() + 2;
        servers.retain(|(id, _)| !self.reference.removed.contains(id) || chance.percent(3));
        let from = servers.len().saturating_sub(4);
        servers.drain(..from);
        let Some((id, name)) = chance.pick(&servers) else {
            let name = self.new_name("S");
            return Request::Create {
                name,
                url: self.new_url(),
            };
        };
        let Some(partner) = chance.pick(&self.reference.partners) else {
            return Request::MakePartner {
                name: self.new_name("P"),
            };
        };
        let tool = chance.pick(&["p", "q"]).unwrap().to_owned();
        match chance.below(100) {
            _ if is_few && chance.percent(30) => Request::Create {
                name: self.new_name("S"),
                url: self.new_url(),
            },
            0..2 => Request::Create {
                name: self.new_name("S"),
                url: self.new_url(),
            },
            2..3 => Request::Import {
                servers: vec![
                    (self.new_name("S"), self.new_url()),
                    (self.new_name("S"), self.new_url()),
                ],
            },
            3..7 => Request::Save {
                id,
                name,
                url: self.new_url(),
            },
            7..23 => Request::SetState { id, active: true },
            23..30 => Request::SetState { id, active: false },
            30..32 => Request::Remove { id },
            32..36 => Request::Discover { id },
            36..44 => Request::Refresh { id },
            44..54 => Request::Permit {
                id,
                tool,
                permission: chance.pick(&["off", "ask", "allow"]).unwrap(),
            },
            54..58 => Request::Enable {
                partner,
                enabled: chance.percent(75),
            },
            58..64 => Request::Grant {
                partner,
                id,
                scope: chance.pick(&["all", "permitted"]).unwrap(),
            },
            64..66 => Request::Revoke { partner, id },
            66..69 => Request::OpenSession { partner },
            69..75 => match chance.pick(&self.sessions()) {
                Some(session) => Request::Turn { session },
                None => Request::OpenSession { partner },
            },
            75..79 => Request::Prepare {
                tools: vec![format!("mcp/{id}:p"), format!("mcp/{id}:q")],
            },
            79..80 => match chance.pick(&self.invocations()) {
                Some(invocation) => Request::EndRun { invocation },
                None => Request::Refresh { id },
            },
            80..84 => self.call(Caller::Person { id, tool }),
            84..86 => self.call(Caller::Legacy { id, tool }),
            86..90 => match self.agent() {
                Some(caller) => self.call(caller),
                None => Request::Prepare {
                    tools: vec![format!("mcp/{id}:p")],
                },
            },
            90..97 => match self.partner() {
                Some(caller) => self.call(caller),
                None => Request::Grant {
                    partner,
                    id,
                    scope: "all",
                },
            },
            _ => {
                let calls: Vec<(usize, Caller)> = self
                    .reference
                    .calls
                    .iter()
                    .map(|(number, call)| (*number, call.caller.clone()))
                    .collect();
                let last = calls.len().saturating_sub(3);
                match chance.pick(&calls[last..]) {
                    Some((number, caller)) => Request::Cancel { caller, number },
                    None => Request::Discover { id },
                }
            }
        }
    }

    fn call(&mut self, caller: Caller) -> Request {
        self.serial += 1;
        Request::Call {
            caller,
            number: self.serial,
        }
    }

    /// The servers there were, in the order they were made: ids are other ones each time.
    pub(crate) fn servers(&self) -> Vec<(String, String)> {
        let mut servers: Vec<_> = self.reference.servers.clone().into_iter().collect();
        servers.sort_by_key(|(_, name)| name[1..].parse::<usize>().unwrap());
        servers
    }

    /// The open sessions, and the open runs of agents, in the order they were opened.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let mut sessions: Vec<_> = self.reference.sessions.iter().collect();
        sessions.sort_by_key(|(_, session)| session.opened);
        sessions.into_iter().map(|(id, _)| id.clone()).collect()
    }

    fn invocations(&self) -> Vec<String> {
        let mut invocations: Vec<_> = self.reference.invocations.iter().collect();
        invocations.sort_by_key(|(_, offer)| offer.opened);
        invocations.into_iter().map(|(id, _)| id.clone()).collect()
    }

    fn agent(&self) -> Option<Caller> {
        let invocation = self.chance.pick(&self.invocations())?;
        let aliases: Vec<String> = self.reference.invocations[&invocation].tools.keys().cloned().collect();
        let alias = self.chance.pick(&aliases)?;
        Some(Caller::Agent { invocation, alias })
    }

    fn partner(&self) -> Option<Caller> {
        let session = self.chance.pick(&self.sessions())?;
        let known = &self.reference.sessions[&session];
        let aliases: BTreeSet<&String> = known.offer.tools.keys().chain(known.earlier.keys()).collect();
        let alias = self.chance.pick(&aliases.into_iter().cloned().collect::<Vec<_>>())?;
        Some(Caller::Partner { session, alias })
    }
}
