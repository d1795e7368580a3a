//! A network in memory in which chance decides how long everything takes and what fails, and which looks, at the moment
//! a call is handed over, at what the files say.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolgate_core::server::ServerConfig;
use toolgate_host::mcp::{
    BoxFuture, CallAnswer, Connection, Connector, Failure, FailureClass, PendingCall, ServerIdentity, Step, ToolCall,
};

use crate::chance::{Chance, Moment};
use crate::files::Seen;

/// What every connection has written down.
#[derive(Clone, Default)]
pub(crate) struct Wire {
    /// By the number of the attempt to connect.
    pub(crate) attempts: BTreeMap<usize, Made>,
    /// Every call that was handed over.
    pub(crate) calls: Vec<OnWire>,
    /// Attempts and connections that there are now.
    pub(crate) open: BTreeMap<usize, String>,
    /// The address of every server that is being asked for its list of tools.
    listing: Vec<String>,
    /// What must not be.
    pub(crate) wrong: Vec<String>,
}

/// An attempt to connect.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) url: String,
    pub(crate) at: Moment,
    /// When its list of tools was given.
    pub(crate) listed: Option<Moment>,
}

/// A call at the moment it was handed over, and what the files said then.
#[derive(Clone, Debug)]
pub(crate) struct OnWire {
    /// The connection.
    pub(crate) attempt: usize,
    pub(crate) number: usize,
    pub(crate) url: String,
    pub(crate) tool: String,
    /// When the connection began to take it.
    pub(crate) begun: Moment,
    pub(crate) at: Moment,
    pub(crate) registrations: Vec<Value>,
    pub(crate) partners: Value,
}

#[derive(Clone)]
pub(crate) struct Net {
    pub(crate) chance: Chance,
    pub(crate) seen: Seen,
    pub(crate) wire: Arc<Mutex<Wire>>,
}

impl Net {
    /// Whether something goes wrong that goes wrong so often out of a hundred times.
    fn fails(&self, percent: usize) -> bool {
        !self.chance.network_is_good.load(Ordering::SeqCst) && self.chance.percent(percent)
    }

    async fn hang(&self, percent: usize) {
        if self.fails(percent) {
            std::future::pending::<()>().await;
        }
    }
}

/// Takes an attempt off the list of what is open, however it ends.
struct Attempting<'a> {
    net: &'a Net,
    number: usize,
    keeps: bool,
}

impl Drop for Attempting<'_> {
    fn drop(&mut self) {
        if !self.keeps {
            self.net.wire.lock().unwrap().open.remove(&self.number);
        }
    }
}

/// A server is being asked for its tools, by nobody else. Dropping it says that it is no more, however that ends.
struct Listing<'a> {
    net: &'a Net,
    url: &'a str,
}

impl<'a> Listing<'a> {
    fn begin(net: &'a Net, url: &'a str) -> Self {
        let mut wire = net.wire.lock().unwrap();
        if wire.listing.iter().any(|other| other == url) {
            wire.wrong.push(format!("{url} is asked for its tools twice at once"));
        }
        wire.listing.push(url.to_owned());
        Self { net, url }
    }
}

impl Drop for Listing<'_> {
    fn drop(&mut self) {
        let mut wire = self.net.wire.lock().unwrap();
        if let Some(index) = wire.listing.iter().position(|url| url == self.url) {
            wire.listing.swap_remove(index);
        }
    }
}

impl Connector for Net {
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(async move {
            let ServerConfig::Http(http) = config else {
                return Err(Failure::new(FailureClass::TransportUnsupported, Step::Prepare));
            };
            let url = http.url.clone();
            let at = self.chance.event();
            let number = {
                let mut wire = self.wire.lock().unwrap();
                let number = wire.attempts.len();
                let made = Made {
                    url: url.clone(),
                    at,
                    listed: None,
                };
                wire.attempts.insert(number, made);
                wire.open.insert(number, url.clone());
                number
            };
            let mut attempting = Attempting {
                net: self,
                number,
                keeps: false,
            };
            self.chance.pass(25).await;
            self.hang(6).await;
            if self.fails(8) {
                return Err(Failure::new(FailureClass::ConnectionRefused, Step::Connect));
            }
            attempting.keeps = true;
            Ok(Box::new(Played {
                net: self.clone(),
                number,
                url,
                server: ServerIdentity {
                    protocol_version: "2025-06-18".to_owned(),
                    name: Some("played".to_owned()),
                    version: None,
                },
                is_open: Arc::new(AtomicBool::new(true)),
                is_closed: AtomicBool::new(false),
            }) as Box<dyn Connection>)
        })
    }
}

struct Played {
    net: Net,
    number: usize,
    url: String,
    server: ServerIdentity,
    is_open: Arc<AtomicBool>,
    is_closed: AtomicBool,
}

impl Connection for Played {
    fn server(&self) -> &ServerIdentity {
        &self.server
    }

    fn offers_tools(&self) -> bool {
        true
    }

    /// Two tools that are always there, and one that says which connection the list came over.
    fn list_tools<'a>(&'a self, _cursor: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async move {
            let _listing = Listing::begin(&self.net, &self.url);
            self.net.chance.pass(25).await;
            self.net.hang(5).await;
            if self.net.fails(8) {
                return Err(Failure::new(FailureClass::ConnectionReset, Step::ListTools));
            }
            let names = ["p".to_owned(), "q".to_owned(), format!("m{}", self.number)];
            let tools = names.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
            let at = self.net.chance.event();
            let mut wire = self.net.wire.lock().unwrap();
            if let Some(made) = wire.attempts.get_mut(&self.number) {
                made.listed = Some(at);
            }
            Ok(json!({"tools": tools}).to_string())
        })
    }

    fn call_tool(&self, call: ToolCall) -> BoxFuture<'_, Result<Box<dyn PendingCall>, Failure>> {
        Box::pin(async move {
            let begun = self.net.chance.event();
            self.net.chance.pass(4).await;
            if !self.is_open.load(Ordering::SeqCst) || self.net.fails(4) {
                return Err(Failure::new(FailureClass::ConnectionReset, Step::Call));
            }
            let arguments: Value = serde_json::from_str(call.arguments.as_str()).unwrap();
            let on_wire = OnWire {
                attempt: self.number,
                number: usize::try_from(arguments["n"].as_u64().unwrap()).unwrap(),
                url: self.url.clone(),
                tool: call.name,
                begun,
                at: self.net.chance.event(),
                registrations: self.net.seen.registrations(),
                partners: self.net.seen.partners(),
            };
            self.net.wire.lock().unwrap().calls.push(on_wire);
            Ok(Box::new(Pending {
                net: self.net.clone(),
                is_open: Arc::clone(&self.is_open),
            }) as Box<dyn PendingCall>)
        })
    }

    fn is_open(&self) -> bool {
        self.is_open.load(Ordering::SeqCst)
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        self.is_closed.store(true, Ordering::SeqCst);
        Box::pin(async move {
            self.net.chance.pass(10).await;
            self.net.wire.lock().unwrap().open.remove(&self.number);
        })
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        if !self.is_closed.load(Ordering::SeqCst) {
            let text = format!("connection {} to {} was dropped and not closed", self.number, self.url);
            self.net.wire.lock().unwrap().wrong.push(text);
        }
    }
}

struct Pending {
    net: Net,
    is_open: Arc<AtomicBool>,
}

impl PendingCall for Pending {
    fn answer(&mut self) -> BoxFuture<'_, Result<CallAnswer, Failure>> {
        Box::pin(async move {
            self.net.chance.pass(30).await;
            self.net.hang(6).await;
            if self.net.fails(6) {
                self.is_open.store(false, Ordering::SeqCst);
                return Err(Failure::new(FailureClass::ConnectionReset, Step::Call));
            }
            Ok(if self.net.fails(5) {
                CallAnswer::Error(json!({"code": -32000, "message": "no"}).to_string())
            } else {
                CallAnswer::Result(json!({"content": [{"type": "text", "text": "done"}]}).to_string())
            })
        })
    }

    fn cancel(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move { self.net.chance.pass(8).await })
    }
}
