//! The reference: what is known of a run from its requests and answers alone, and what follows from that.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::chance::Moment;
use crate::files::mark;
use crate::history::{History, NEVER};
use crate::request::{Caller, Request};

/// A request and what came of it.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) request: Request,
    pub(crate) asked: Moment,
    pub(crate) answered: Moment,
    /// The answer to what was sent first.
    pub(crate) before: Value,
    pub(crate) result: Result<Value, Value>,
}

/// What an offer of tools to a model said: its tools are these, none other, until the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// The server and the tool that each alias means.
    pub(crate) tools: BTreeMap<String, (String, String)>,
    /// Since when it takes no more calls.
    pub(crate) ended: Option<Moment>,
    pub(crate) opened: Moment,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Session {
    pub(crate) partner: String,
    pub(crate) opened: Moment,
    pub(crate) offer: Offer,
    /// The aliases of earlier turns, with what they meant.
    pub(crate) earlier: BTreeMap<String, (String, String)>,
    pub(crate) turns_under_way: usize,
    /// How many turns were asked for.
    pub(crate) turn: usize,
}

/// A call, as it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) caller: Caller,
    pub(crate) server: String,
    pub(crate) tool: String,
    /// The turn of the session it was asked for in, where that is known.
    pub(crate) turn: Option<usize>,
    /// Why it must not go out, where that is known when it is asked for.
    pub(crate) must_not: Option<&'static str>,
    /// Whether it went out, by its answer.
    pub(crate) sent: Option<bool>,
}

#[derive(Default)]
pub(crate) struct Reference {
    pub(crate) history: History,
    /// Names of servers by their ids.
    pub(crate) servers: BTreeMap<String, String>,
    /// Servers that are gone.
    pub(crate) removed: BTreeSet<String>,
    pub(crate) partners: Vec<String>,
    pub(crate) sessions: BTreeMap<String, Session>,
    pub(crate) invocations: BTreeMap<String, Offer>,
    /// The ids of sessions and invocations in the order they were opened.
    pub(crate) opened: Vec<String>,
    pub(crate) calls: BTreeMap<usize, Call>,
    /// The addresses that acknowledged saves were made upon, with the server's id.
    pub(crate) saved_upon: Vec<(String, String)>,
    /// When which runs of agents and turns of sessions were said to have ended, the turn by its number.
    pub(crate) ended: Vec<(String, Option<usize>, Moment)>,
    /// Since when a call is cancelled.
    pub(crate) cancelled: BTreeMap<usize, Moment>,
    /// When a server was paused without that being saved, and until when.
    pub(crate) holds: Vec<(String, Moment, Moment)>,
    /// Servers that were to be paused or removed, which could not be saved.
    pub(crate) in_vain: BTreeSet<String>,
    /// When somebody wanted a server active, until when that was answered.
    activations: Vec<(String, Moment, Moment)>,
    /// Discoveries and refreshes that succeeded.
    pub(crate) read: Vec<Done>,
    /// Offers of tools: for which partner, and what.
    pub(crate) offered: Vec<(Option<String>, Done)>,
}

impl Reference {
    /// A request goes out.
    pub(crate) fn ask(&mut self, request: &Request, now: Moment) {
        match request {
            Request::SetState { id, active: true } => {
                self.activations.push((id.clone(), now, NEVER));
                for (held, _, until) in &mut self.holds {
                    if held == id {
                        *until = (*until).min(now);
                    }
                }
            }
            Request::Turn { session } => {
                let session = self.sessions.get_mut(session).unwrap();
                session.turns_under_way += 1;
                session.turn += 1;
                // Whether it begins is not known yet.
                session.offer.ended = None;
            }
            Request::EndRun { invocation } => {
                self.invocations.remove(invocation);
            }
            Request::Call { caller, number } => {
                let call = self.call(caller);
                self.calls.insert(*number, call);
            }
            _ => {}
        }
    }

    /// The server and the tool that a call is of.
    pub(crate) fn meant(&self, caller: &Caller) -> (String, String) {
        let call = self.call(caller);
        (call.server, call.tool)
    }

    fn call(&self, caller: &Caller) -> Call {
        let (meant, turn, must_not) = match caller {
            Caller::Person { id, tool } | Caller::Legacy { id, tool } => ((id.clone(), tool.clone()), None, None),
            Caller::Agent { invocation, alias } => {
                let offer = &self.invocations[invocation];
                let ended = offer.ended.map(|_| "its run has ended with an unknown outcome");
                (offer.tools[alias].clone(), None, ended)
            }
            Caller::Partner { session, alias } => {
                let session = &self.sessions[session];
                let is_settled = session.turns_under_way == 0;
                // While one begins nobody knows in which of the two the call is.
                let turn = is_settled.then_some(session.turn);
                let ended = session
                    .offer
                    .ended
                    .map(|_| "its turn has ended with an unknown outcome");
                let offered = session.offer.tools.get(alias);
                let not_offered = offered.is_none().then_some("its turn does not offer it");
                let meant = offered.or_else(|| session.earlier.get(alias)).unwrap().clone();
                (meant, turn, ended.or(not_offered).filter(|_| is_settled))
            }
        };
        Call {
            caller: caller.clone(),
            server: meant.0,
            tool: meant.1,
            turn,
            must_not,
            sent: None,
        }
    }

    /// An answer is here.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of request")]
    pub(crate) fn take(&mut self, done: &Done) {
        let Done {
            request,
            asked,
            answered,
            before,
            result,
        } = done;
        let error = result
            .as_ref()
            .err()
            .map(|error| error["data"]["code"].as_str().unwrap().to_owned());
        // What could not be written may be written all the same; every other refusal is one.
        let (counts, certain) = match &error {
            None => (true, true),
            Some(code) => (code.starts_with("mcp.storage_"), false),
        };
        let history = &mut self.history;
        let mut write = |name: String, value: &str| {
            if counts {
                history.write(&name, value, *asked, *answered, certain);
            }
        };
        match request {
            Request::Create { name, url } => {
                if let Ok(server) = result {
                    self.made(server, name, url, *asked, *answered);
                }
            }
            Request::Import { servers } => {
                if let Ok(imported) = result {
                    for server in imported["servers"].as_array().unwrap() {
                        let name = server["displayName"].as_str().unwrap();
                        let (_, url) = servers.iter().find(|(given, _)| given == name).unwrap();
                        self.made(server, name, url, *asked, *answered);
                    }
                }
            }
            Request::Save { id, url, .. } => {
                write(format!("config {id}"), url);
                if certain {
                    let upon = before["config"]["url"].as_str().unwrap().to_owned();
                    // Saved as it is it is the same server.
                    if upon != *url {
                        write(format!("moved {id}"), url);
                    }
                    self.saved_upon.push((id.clone(), upon));
                }
            }
            Request::SetState { id, active } => {
                let mut activations = self.activations.iter_mut();
                if let Some(activation) = activations.find(|(_, since, _)| since == asked) {
                    activation.2 = *answered;
                }
                write(format!("state {id}"), if *active { "active" } else { "paused" });
                if counts && !active && !certain {
                    self.hold(id, *asked, *answered);
                }
            }
            Request::Remove { id } => {
                if certain {
                    self.removed.insert(id.clone());
                }
                write(format!("there {id}"), "no");
                let grants = self
                    .history
                    .names("grant ")
                    .into_iter()
                    .filter(|name| name.ends_with(id.as_str()));
                for grant in grants.collect::<Vec<_>>() {
                    if counts {
                        self.history.write(&grant, "none", *asked, *answered, certain);
                    }
                }
                if counts && !certain {
                    self.hold(id, *asked, *answered);
                }
            }
            Request::Discover { .. } | Request::Refresh { .. } => {
                if result.is_ok() {
                    self.read.push(done.clone());
                }
            }
            Request::Permit { id, tool, permission } => {
                let value = if *permission == "off" { "none" } else { permission };
                write(format!("permission {id} {tool}"), value);
            }
            Request::MakePartner { .. } => {
                if let Ok(partner) = result {
                    self.partners.push(partner["id"].as_str().unwrap().to_owned());
                }
            }
            Request::Enable { partner, enabled } => {
                write(format!("enabled {partner}"), if *enabled { "yes" } else { "none" });
            }
            Request::Grant { partner, id, scope } => write(format!("grant {partner} {id}"), scope),
            Request::Revoke { partner, id } => write(format!("grant {partner} {id}"), "none"),
            Request::OpenSession { partner } => {
                if let Ok(opened) = result {
                    let session = Session {
                        partner: partner.clone(),
                        opened: *answered,
                        ..Session::default()
                    };
                    let id = opened["sessionId"].as_str().unwrap().to_owned();
                    self.opened.push(id.clone());
                    self.sessions.insert(id, session);
                }
            }
            Request::Turn { session: id } => self.turn(id, done),
            Request::Prepare { .. } => {
                if let Ok(prepared) = result {
                    let offer = Offer {
                        tools: tools(&prepared["bindings"]),
                        ended: None,
                        opened: *answered,
                    };
                    let id = prepared["invocationId"].as_str().unwrap().to_owned();
                    self.opened.push(id.clone());
                    self.invocations.insert(id, offer);
                    self.offered.push((None, done.clone()));
                }
            }
            Request::Cancel { number, .. } => {
                if certain {
                    self.cancelled.entry(*number).or_insert(*answered);
                }
            }
            Request::EndRun { .. } => {}
            Request::Call { number, .. } => self.called(*number, done),
        }
    }

    fn made(&mut self, server: &Value, name: &str, url: &str, asked: Moment, answered: Moment) {
        let id = server["id"].as_str().unwrap().to_owned();
        for (what, value) in [("config", url), ("state", "paused"), ("there", "yes")] {
            self.history
                .write(&format!("{what} {id}"), value, asked, answered, true);
        }
        self.servers.insert(id, name.to_owned());
    }

    /// It is paused from here on; a later change of the server may save that.
    fn hold(&mut self, id: &str, asked: Moment, answered: Moment) {
        self.history
            .write(&format!("state {id}"), "paused", asked, NEVER, false);
        self.in_vain.insert(id.to_owned());
        // Of a pause and an activation at once nobody knows which came last.
        let at_once =
            |(server, since, until): &(String, Moment, Moment)| server == id && *since < answered && *until > asked;
        if !self.activations.iter().any(at_once) {
            // An activation may have been asked for since, before this answer was looked at.
            let later = self
                .activations
                .iter()
                .filter(|(server, since, _)| server == id && *since > answered);
            let until = later.map(|(_, since, _)| *since).min().unwrap_or(NEVER);
            self.holds.push((id.to_owned(), answered, until));
        }
    }

    fn turn(&mut self, id: &str, done: &Done) {
        let session = self.sessions.get_mut(id).unwrap();
        session.turns_under_way -= 1;
        let Ok(turn) = &done.result else { return };
        let offer = Offer {
            tools: tools(&turn["tools"]),
            ended: None,
            opened: done.answered,
        };
        let before = std::mem::replace(&mut session.offer, offer);
        session.earlier.extend(before.tools);
        self.offered.push((Some(session.partner.clone()), done.clone()));
    }

    fn called(&mut self, number: usize, done: &Done) {
        let call = self.calls.get_mut(&number).unwrap();
        let (sent, unknown) = match &done.result {
            Err(_) => (false, false),
            Ok(result) => match (result["outcome"].as_str(), result["kind"].as_str()) {
                (Some("not_sent"), _) => (false, false),
                (Some("known_response"), _) => (true, false),
                (Some("outcome_unknown"), _) | (_, Some("invocation_ended" | "turn_ended")) => (true, true),
                (_, Some("tool_result")) => (!is_unsent(result["errorCode"].as_str()), false),
                other => panic!("{other:?}"),
            },
        };
        call.sent = Some(sent);
        if !unknown {
            return;
        }
        match &call.caller {
            Caller::Agent { invocation, .. } => {
                self.ended.push((invocation.clone(), None, done.answered));
                if let Some(offer) = self.invocations.get_mut(invocation) {
                    offer.ended.get_or_insert(done.answered);
                }
            }
            Caller::Partner { session: id, .. } => {
                if call.turn.is_some() {
                    self.ended.push((id.clone(), call.turn, done.answered));
                }
                let session = self.sessions.get_mut(id).unwrap();
                if Some(session.turn) == call.turn && session.turns_under_way == 0 {
                    session.offer.ended.get_or_insert(done.answered);
                }
            }
            Caller::Person { .. } | Caller::Legacy { .. } => {}
        }
    }
}

/// Whether an error of a model's result says that its call was not sent.
fn is_unsent(code: Option<&str>) -> bool {
    let of_ours = ["mcp.call_", "mcp.partner_", "mcp.agent_", "mcp.legacy_"];
    code.is_some_and(|code| of_ours.iter().any(|start| code.starts_with(start)))
}

/// What each alias of an offer means.
pub(crate) fn tools(offered: &Value) -> BTreeMap<String, (String, String)> {
    let tools = offered.as_array().unwrap().iter();
    tools
        .map(|tool| {
            let id = tool["toolId"].as_str().unwrap().strip_prefix("mcp/").unwrap();
            let (server, name) = id.split_once(':').unwrap();
            let alias = tool["alias"].as_str().unwrap().to_owned();
            (alias, (server.to_owned(), name.to_owned()))
        })
        .collect()
}

/// The connection that a discovery's result came over.
pub(crate) fn came_over(result: &Value) -> usize {
    mark(&result["tools"]).unwrap()
}
