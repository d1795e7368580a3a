//! What is asked of the host in a run: each request with what the reference has to know of it.

use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub(crate) enum Request {
    Create {
        name: String,
        url: String,
    },
    Import {
        servers: Vec<(String, String)>,
    },
    /// Reads the server and saves it with another address.
    Save {
        id: String,
        name: String,
        url: String,
    },
    SetState {
        id: String,
        active: bool,
    },
    Remove {
        id: String,
    },
    Discover {
        id: String,
    },
    Refresh {
        id: String,
    },
    Permit {
        id: String,
        tool: String,
        permission: &'static str,
    },
    MakePartner {
        name: String,
    },
    Enable {
        partner: String,
        enabled: bool,
    },
    Grant {
        partner: String,
        id: String,
        scope: &'static str,
    },
    Revoke {
        partner: String,
        id: String,
    },
    OpenSession {
        partner: String,
    },
    Turn {
        session: String,
    },
    Prepare {
        tools: Vec<String>,
    },
    EndRun {
        invocation: String,
    },
    Call {
        caller: Caller,
        number: usize,
    },
    Cancel {
        caller: Caller,
        number: usize,
    },
}

/// Who calls, and by what.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    Person { id: String, tool: String },
    Legacy { id: String, tool: String },
    Agent { invocation: String, alias: String },
    Partner { session: String, alias: String },
}

/// The text id of a call. A legacy call has a UUID.
fn call_id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

impl Request {
    /// What is sent first, where there is something.
    pub(crate) fn before(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Save { id, .. } => Some(("servers.readConfig", json!({"id": id, "reveal": true}))),
            Self::Call { caller, number } => match caller {
                Caller::Person { .. } => Some(("tools.startTestCall", json!({"callId": call_id(*number)}))),
                Caller::Legacy { .. } => Some(("legacy.startCall", json!({"executionCallId": call_id(*number)}))),
                Caller::Agent { .. } | Caller::Partner { .. } => None,
            },
            _ => None,
        }
    }

    /// The request itself, given the answer to what was sent first.
    pub(crate) fn message(&self, before: &Value) -> (&'static str, Value) {
        let http = |url: &str| json!({"type": "http", "url": url});
        match self {
            Self::Create { name, url } => ("servers.create", json!({"displayName": name, "config": http(url)})),
            Self::Import { servers } => {
                let servers = servers.iter().map(|(name, url)| (name.clone(), json!({ "url": url })));
                let text = json!({"mcpServers": servers.collect::<serde_json::Map<_, _>>()}).to_string();
                ("servers.import", json!({ "text": text }))
            }
            Self::Save { id, name, url } => (
                "servers.saveConfig",
                json!({"id": id, "displayName": name, "config": http(url), "revision": before["revision"]}),
            ),
            Self::SetState { id, active } => {
                let state = if *active { "active" } else { "paused" };
                ("servers.setState", json!({"id": id, "state": state}))
            }
            Self::Remove { id } => ("servers.remove", json!({ "id": id })),
            Self::Discover { id } => ("servers.discover", json!({ "id": id })),
            Self::Refresh { id } => ("servers.refresh", json!({ "id": id })),
            Self::Permit { id, tool, permission } => (
                "tools.setPermission",
                json!({"id": id, "nativeName": tool, "permission": permission}),
            ),
            Self::MakePartner { name } => ("partners.create", json!({ "name": name })),
            Self::Enable { partner, enabled } => {
                ("partners.setEnabled", json!({"partnerId": partner, "enabled": enabled}))
            }
            Self::Grant { partner, id, scope } => (
                "partners.grant",
                json!({"partnerId": partner, "serverId": id, "scope": scope}),
            ),
            Self::Revoke { partner, id } => ("partners.revoke", json!({"partnerId": partner, "serverId": id})),
            Self::OpenSession { partner } => ("partners.openSession", json!({"kind": "partner", "partnerId": partner})),
            Self::Turn { session } => ("partners.turn", json!({ "sessionId": session })),
            Self::Prepare { tools } => ("agent.prepare", json!({"profile": {"tools": {"allow": tools}}})),
            Self::EndRun { invocation } => ("agent.end", json!({ "invocationId": invocation })),
            Self::Call { caller, number } => caller.call(*number),
            Self::Cancel { caller, number } => {
                let id = json!({"callId": call_id(*number)});
                match caller {
                    Caller::Person { .. } => ("tools.cancelTestCall", id),
                    Caller::Legacy { .. } => ("legacy.cancel", json!({"executionCallId": call_id(*number)})),
                    Caller::Agent { .. } => ("agent.cancel", id),
                    Caller::Partner { .. } => ("partners.cancel", id),
                }
            }
        }
    }
}

impl Caller {
    /// The run of an agent or the session it is made in.
    pub(crate) fn of(&self) -> Option<&str> {
        match self {
            Self::Person { .. } | Self::Legacy { .. } => None,
            Self::Agent { invocation, .. } => Some(invocation),
            Self::Partner { session, .. } => Some(session),
        }
    }

    fn call(&self, number: usize) -> (&'static str, Value) {
        let arguments = json!({ "n": number }).to_string();
        let id = call_id(number);
        match self {
            Self::Person { id: server, tool } => (
                "tools.testCall",
                json!({"callId": id, "id": server, "nativeName": tool, "argumentsJson": arguments}),
            ),
            Self::Legacy { id: server, tool } => (
                "legacy.call",
                json!({"executionCallId": id, "toolId": format!("mcp/{server}:{tool}"), "argumentsJson": arguments}),
            ),
            Self::Agent { invocation, alias } => (
                "agent.call",
                json!({"invocationId": invocation, "callId": id, "alias": alias, "argumentsJson": arguments}),
            ),
            Self::Partner { session, alias } => (
                "partners.call",
                json!({"sessionId": session, "callId": id, "alias": alias, "argumentsJson": arguments}),
            ),
        }
    }
}
