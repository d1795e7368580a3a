//! What must hold of a run, whatever the order: looked at once everything is answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::chance::Moment;
use crate::reference::{Done, came_over, tools};
use crate::request::{Caller, Request};
use crate::run::Run;

impl Run {
    /// Everything, after the end.
    pub(crate) fn check(&self) {
        let wrong = self.wire.lock().unwrap().wrong.clone();
        assert!(wrong.is_empty(), "{wrong:?}");
        self.calls();
        self.saves();
        self.publications();
        self.results();
        self.offers();
        self.end(self.shown());
    }

    /// A call goes out at most once, only where the files allow it at that moment, and its answer says what became of it.
    fn calls(&self) {
        let wire = self.wire.lock().unwrap();
        for on_wire in &wire.calls {
            let call = &self.reference.calls[&on_wire.number];
            let at = format!("call {}: {call:?}\n{on_wire:#?}", on_wire.number);
            assert_eq!(
                on_wire.tool, call.tool,
                "another tool was called than was offered: {at}"
            );
            let mut registrations = on_wire.registrations.iter();
            let registration = registrations
                .find(|registration| registration["endpoint"] == on_wire.url.as_str())
                .unwrap_or_else(|| panic!("it went out to where no server is any more: {at}"));
            assert_eq!(
                registration["id"],
                call.server.as_str(),
                "another server was called: {at}"
            );
            assert_eq!(registration["state"], "active", "a paused server was called: {at}");
            let held = |(id, from, until): &(String, Moment, Moment)| {
                *id == call.server && *from < on_wire.at && on_wire.at < *until
            };
            let is_held = self.reference.holds.iter().any(held);
            assert!(
                !is_held,
                "it was paused, if not saved so: {at}\n{:?}",
                self.reference.holds
            );
            let made = &wire.attempts[&on_wire.attempt];
            assert!(
                !self.was_another(&call.server, made.at, on_wire.begun),
                "it went out over a connection that was made before a change, pause or removal: {at}\n{made:?}"
            );
            if let Some(since) = self.reference.cancelled.get(&on_wire.number) {
                assert!(on_wire.begun < *since, "it was cancelled at {since}: {at}");
            }
            let of = call.caller.of();
            let has_ended = |(id, turn, since): &(String, Option<usize>, Moment)| {
                Some(id.as_str()) == of && *turn == call.turn && *since < on_wire.begun
            };
            let ended = self.reference.ended.iter().find(|ended| has_ended(ended));
            assert!(ended.is_none(), "its turn or run had ended: {at}\n{ended:?}");
            let permission = registration["toolPermissions"][&call.tool].as_str();
            let is_permitted = matches!(permission, Some("ask" | "allow"));
            match &call.caller {
                Caller::Person { .. } => {}
                Caller::Legacy { .. } | Caller::Agent { .. } => assert!(is_permitted, "no model may call it: {at}"),
                Caller::Partner { session, .. } => {
                    let partner = &self.reference.sessions[session].partner;
                    let partners = on_wire.partners["partners"].as_array().unwrap();
                    let partner = partners.iter().find(|found| found["id"] == partner.as_str());
                    let partner = partner.unwrap_or_else(|| panic!("its partner is gone: {at}"));
                    assert_eq!(partner["mcpEnabled"], true, "{at}");
                    let mut grants = partner["grants"].as_array().unwrap().iter();
                    let grant = grants.find(|grant| grant["serverId"] == call.server.as_str());
                    let scope = grant.unwrap_or_else(|| panic!("its grant was withdrawn: {at}"))["scope"].as_str();
                    assert!(scope == Some("all") || is_permitted, "{at}");
                }
            }
        }
        for (number, call) in &self.reference.calls {
            let count = wire.calls.iter().filter(|on_wire| on_wire.number == *number).count();
            assert!(count <= 1, "call {number} went out {count} times: {call:?}");
            assert_eq!(
                call.sent,
                Some(count == 1),
                "what was said of call {number} is not so: {call:?}"
            );
            assert!(
                count == 0 || call.must_not.is_none(),
                "call {number} went out: {call:?}"
            );
        }
    }

    /// What was found is saved only for the server it was found for, as it still is, and not across a pause.
    fn publications(&self) {
        let wire = self.wire.lock().unwrap();
        let history = &self.reference.history;
        for published in &self.published {
            let made = &wire.attempts[&published.attempt];
            let id = &published.id;
            let at = format!(
                "the list that was read over connection {} ({made:?}) of {id} was published between {} and {}",
                published.attempt, published.after, published.by
            );
            let config = format!("config {id}");
            assert!(
                history.can_be(&config, &made.url, published.after, published.by),
                "{at}: {}",
                history.tell(&config)
            );
            assert!(
                !self.was_another(id, made.at, published.after),
                "{at}, and the server was changed, paused or removed between"
            );
        }
    }

    /// Whether a server was changed, paused or removed for certain between two moments: what began before the one must
    /// not count after the other.
    fn was_another(&self, id: &str, after: Moment, before: Moment) -> bool {
        let history = &self.reference.history;
        history.was_written_between(&format!("moved {id}"), after, before)
            || history.was_between(&format!("state {id}"), "paused", after, before)
            || history.was_between(&format!("there {id}"), "no", after, before)
    }

    /// Of those who read the same configuration one saves over it; the others are told of it.
    fn saves(&self) {
        let mut upon = BTreeMap::<&(String, String), usize>::new();
        for read in &self.reference.saved_upon {
            *upon.entry(read).or_default() += 1;
        }
        for ((id, url), saves) in upon {
            let config = format!("config {id}");
            let there = self.reference.history.times(&config, url);
            assert!(
                saves <= there,
                "{saves} saves were made upon {url}, which was there {there} times: {}",
                self.reference.history.tell(&config)
            );
        }
    }

    /// A result has the decisions as they are after the network, and a refresh has asked the server anew.
    fn results(&self) {
        let wire = self.wire.lock().unwrap();
        let history = &self.reference.history;
        for Done {
            request,
            asked,
            answered,
            result,
            ..
        } in &self.reference.read
        {
            let (Request::Discover { id } | Request::Refresh { id }) = request else {
                continue;
            };
            let result = result.as_ref().unwrap();
            let attempt = came_over(result);
            let made = &wire.attempts[&attempt];
            let listed = made.listed.unwrap();
            let at = format!("{request:?}, asked at {asked}, answered at {answered}, over {attempt}, {made:?}");
            if matches!(request, Request::Refresh { .. }) {
                assert!(made.at > *asked, "a refresh joined what began before it: {at}");
            }
            let since = listed.max(*asked);
            assert!(
                history.can_be(&format!("config {id}"), &made.url, since, *answered),
                "{at}"
            );
            assert!(
                history.can_be(&format!("state {id}"), "active", since, *answered),
                "{at}"
            );
            for tool in result["tools"].as_array().unwrap() {
                let name = format!("permission {id} {}", tool["nativeName"].as_str().unwrap());
                let permission = match tool["permission"].as_str().unwrap() {
                    "off" => "none",
                    permission => permission,
                };
                assert!(
                    history.can_be(&name, permission, since, *answered),
                    "{permission}: {at}\n{}",
                    history.tell(&name)
                );
            }
        }
    }

    /// A model is offered only what was active, granted and permitted at some moment while it was asked for.
    fn offers(&self) {
        let history = &self.reference.history;
        for (
            partner,
            Done {
                request,
                asked,
                answered,
                result,
                ..
            },
        ) in &self.reference.offered
        {
            let result = result.as_ref().unwrap();
            let offered = tools(result.get("tools").unwrap_or(&result["bindings"]));
            let can = |name: String, value: &str| history.can_be(&name, value, *asked, *answered);
            for (server, tool) in offered.values() {
                let at = format!("{request:?} between {asked} and {answered} offers {tool} of {server}");
                assert!(
                    can(format!("state {server}"), "active"),
                    "{at}: {}",
                    history.tell(&format!("state {server}"))
                );
                let permission = format!("permission {server} {tool}");
                let is_permitted = can(permission.clone(), "ask") || can(permission, "allow");
                match partner {
                    None => assert!(is_permitted, "{at}"),
                    Some(partner) => {
                        assert!(can(format!("enabled {partner}"), "yes"), "{at}");
                        let grant = format!("grant {partner} {server}");
                        let is_granted = can(grant.clone(), "all") || (can(grant, "permitted") && is_permitted);
                        assert!(is_granted, "{at}");
                    }
                }
            }
        }
    }

    /// What is there in the end is what was acknowledged.
    pub(crate) fn end(&self, shown: &Value) {
        let now = self.chance.now();
        let history = &self.reference.history;
        assert_eq!(shown["storageIssues"], json!([]));
        let servers = shown["servers"].as_array().unwrap();
        let is = |name: String, value: &str| {
            assert!(
                history.can_be(&name, value, now, now),
                "{name} is {value} in the end; {}",
                history.tell(&name)
            );
        };
        for id in self.reference.servers.keys() {
            let Some(server) = servers.iter().find(|server| server["id"] == id.as_str()) else {
                is(format!("there {id}"), "no");
                continue;
            };
            is(format!("there {id}"), "yes");
            is(format!("state {id}"), server["state"].as_str().unwrap());
            is(format!("config {id}"), server["config"]["url"].as_str().unwrap());
            for tool in ["p", "q"] {
                let permission = server["toolPermissions"][tool].as_str().unwrap_or("none");
                is(format!("permission {id} {tool}"), permission);
            }
            for partner in shown["partners"].as_array().unwrap() {
                let mut grants = partner["grants"].as_array().unwrap().iter();
                let grant = grants.find(|grant| grant["serverId"] == id.as_str());
                let scope = grant.map_or("none", |grant| grant["scope"].as_str().unwrap());
                is(format!("grant {} {id}", partner["id"].as_str().unwrap()), scope);
            }
        }
        for partner in &self.reference.partners {
            let mut partners = shown["partners"].as_array().unwrap().iter();
            let found = partners
                .find(|found| found["id"] == partner.as_str())
                .expect("no partner is removed");
            let enabled = if found["mcpEnabled"] == true { "yes" } else { "none" };
            is(format!("enabled {partner}"), enabled);
        }
        for server in servers.iter().filter(|server| server["pauseUnsaved"] == true) {
            let id = server["id"].as_str().unwrap();
            assert!(
                self.reference.in_vain.contains(id),
                "nobody paused it in vain: {server}"
            );
        }
    }
}

/// What the next start is to find of what is shown, and of which a disk that failed may know nothing.
pub(crate) fn lasting(shown: &Value) -> Value {
    let servers = shown["servers"].as_array().unwrap().iter();
    let servers: Vec<Value> = servers
        .map(|server| {
            let state = if server["pauseUnsaved"] == true {
                "active"
            } else {
                server["state"].as_str().unwrap()
            };
            json!({
                "id": server["id"], "name": server["displayName"], "config": server["config"], "state": state,
                "permissions": server["toolPermissions"],
            })
        })
        .collect();
    json!({"servers": servers, "partners": shown["partners"]})
}
