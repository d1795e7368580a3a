//! One run: a host on one thread, and requests that chance chooses, each some time after the one before.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_host::store::{FileStep, MemoryFiles};
use toolgate_host::{Bridge, Host, HostOptions};

use crate::chance::{Chance, Moment, OneThread};
use crate::files::Seen;
use crate::net::{Net, Wire};
use crate::reference::{Done, Reference};
use crate::request::{Caller, Request};
use crate::support::{ROOT, StoppedClock, call};

/// How many requests a run has.
const REQUESTS: usize = 70;

/// A catalog that was seen to be saved: for which server, over which connection, after one moment and not after another.
pub(crate) struct Published {
    pub(crate) id: String,
    pub(crate) attempt: usize,
    pub(crate) after: Moment,
    pub(crate) by: Moment,
}

pub(crate) struct Run {
    pub(crate) chance: Chance,
    pub(crate) files: MemoryFiles,
    pub(crate) seen: Seen,
    pub(crate) wire: Arc<Mutex<Wire>>,
    pub(crate) bridge: Bridge,
    pub(crate) reference: Reference,
    pub(crate) published: Vec<Published>,
    catalogs: BTreeMap<String, usize>,
    catalog_files: Vec<(PathBuf, Vec<u8>)>,
    /// When files were put in place since the last look.
    placed: Arc<Mutex<Vec<Moment>>>,
    last_look: Moment,
    /// What is asked for next, whatever else could be, each after so many turns of others at the most.
    pub(crate) next: VecDeque<(usize, Request)>,
    running: JoinSet<Done>,
    events: Arc<Mutex<Vec<Value>>>,
    /// What the last look at everything showed.
    shown: Value,
    pub(crate) serial: usize,
    /// Everything that happened, in words that are the same for the same seed.
    pub(crate) trace: Vec<String>,
}

impl Run {
    pub(crate) fn open(seed: u64) -> (Self, Host) {
        let chance = Chance::new(seed);
        let files = MemoryFiles::new();
        let faults = chance.clone();
        let wire = Arc::<Mutex<Wire>>::default();
        let looked = Seen(files.clone());
        let net = Net {
            chance: chance.clone(),
            seen: looked.clone(),
            wire: Arc::clone(&wire),
        };
        let mut options = HostOptions::new(ROOT);
        options.files = Arc::new(files.clone());
        options.clock = Arc::new(StoppedClock);
        options.threads = Arc::new(OneThread(chance.clone()));
        let host = Host::open(options, Arc::new(net)).unwrap();
        let placed = Arc::<Mutex<Vec<Moment>>>::default();
        let placing = Arc::clone(&placed);
        files.fail_when(move |step, _| {
            if step == FileStep::Rename {
                placing.lock().unwrap().push(faults.event());
            }
            step.changes() && faults.percent(faults.disk_fails.load(Ordering::SeqCst))
        });
        let bridge = host.bridge();
        let events = Arc::<Mutex<Vec<Value>>>::default();
        let collected = Arc::clone(&events);
        let mut stream = Box::pin(bridge.events());
        tokio::spawn(async move {
            while let Some(event) = stream.next().await {
                collected.lock().unwrap().push(serde_json::from_str(&event).unwrap());
            }
        });
        let run = Self {
            chance,
            files,
            seen: looked,
            wire,
            bridge,
            reference: Reference::default(),
            published: Vec::new(),
            catalogs: BTreeMap::new(),
            catalog_files: Vec::new(),
            placed,
            last_look: 0,
            next: VecDeque::new(),
            running: JoinSet::new(),
            events,
            shown: json!({"servers": [], "partners": []}),
            serial: 0,
            trace: Vec::new(),
        };
        (run, host)
    }

    /// Asks for one thing after the other, and waits until all of it is answered and everything is well again.
    pub(crate) async fn go(&mut self) {
        self.lay_ground().await;
        for _ in 0..REQUESTS {
            if let Some((most, request)) = self.next.pop_front() {
                self.chance.pass(most).await;
                self.watch();
                self.ask(request);
            } else {
                let request = self.choose();
                self.ask(request);
            }
            if !self.next.is_empty() {
                continue;
            }
            let most = self.chance.pick(&[1, 4, 12, 40]).unwrap();
            self.chance.pass(most).await;
            self.watch();
            match self.chance.below(40) {
                0..3 => {
                    let percent = self.chance.pick(&[0, 0, 0, 10, 50]).unwrap();
                    self.chance.disk_fails.store(percent, Ordering::SeqCst);
                    self.trace
                        .push(format!("{percent} of a hundred steps of the disk fail"));
                }
                3 => {
                    let seconds = self.chance.pick(&[1, 31, 61]).unwrap();
                    self.trace.push(format!("{seconds} seconds pass"));
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                }
                4..7 => self.look().await,
                _ => {}
            }
        }
        self.chance.disk_fails.store(0, Ordering::SeqCst);
        self.chance.network_is_good.store(true, Ordering::SeqCst);
        // What hangs runs out of its time.
        while let Some(done) = self.running.join_next().await {
            self.take(&done.unwrap());
        }
        // A change that is decided is made with the next one.
        self.ask(Request::MakePartner {
            name: "Last".to_owned(),
        });
        let done = self.running.join_next().await.unwrap().unwrap();
        assert!(done.result.is_ok(), "{:?}", done.result);
        self.take(&done);
        self.look().await;
    }

    /// Two servers that can be called by everybody, and a partner who has them: what there is to lose.
    async fn lay_ground(&mut self) {
        for _ in 0..2 {
            let name = self.new_name("S");
            let url = self.new_url();
            self.ask_and_wait(Request::Create { name, url }).await;
        }
        self.ask_and_wait(Request::MakePartner { name: "P".to_owned() }).await;
        let partner = self.reference.partners[0].clone();
        let enable = Request::Enable {
            partner: partner.clone(),
            enabled: true,
        };
        self.ask_and_wait(enable).await;
        for (id, _) in self.servers() {
            self.ask_and_wait(Request::SetState {
                id: id.clone(),
                active: true,
            })
            .await;
            self.ask_and_wait(Request::Refresh { id: id.clone() }).await;
            for tool in ["p", "q"] {
                let (id, tool) = (id.clone(), tool.to_owned());
                self.ask_and_wait(Request::Permit {
                    id,
                    tool,
                    permission: "allow",
                })
                .await;
            }
            let partner = partner.clone();
            self.ask_and_wait(Request::Grant {
                partner,
                id,
                scope: "permitted",
            })
            .await;
        }
        self.ask_and_wait(Request::OpenSession { partner }).await;
        let session = self.sessions()[0].clone();
        self.ask_and_wait(Request::Turn { session }).await;
    }

    async fn ask_and_wait(&mut self, request: Request) {
        self.ask(request);
        let done = self.running.join_next().await.unwrap().unwrap();
        self.take(&done);
        self.watch();
    }

    fn ask(&mut self, request: Request) {
        let asked = self.chance.event();
        self.trace
            .push(format!("{asked} asks for {}", self.words(&format!("{request:?}"))));
        self.reference.ask(&request, asked);
        let bridge = self.bridge.clone();
        let chance = self.chance.clone();
        self.running.spawn(async move {
            let mut before = Value::Null;
            let mut result = Ok(Value::Null);
            if let Some((method, params)) = request.before() {
                result = call(&bridge, method, params).await;
                if let Ok(answer) = &result {
                    before = answer.clone();
                }
            }
            if result.is_ok() {
                let (method, params) = request.message(&before);
                result = call(&bridge, method, params).await;
            }
            let answered = chance.event();
            Done {
                request,
                asked,
                answered,
                before,
                result,
            }
        });
    }

    /// Takes in what was answered, and what was saved meanwhile.
    fn watch(&mut self) {
        while let Some(done) = self.running.try_join_next() {
            self.take(&done.unwrap());
        }
        let now = self.chance.event();
        // Nothing was in place before the first of these.
        let placed = std::mem::take(&mut *self.placed.lock().unwrap());
        let after = placed.first().copied().unwrap_or(self.last_look);
        let Some(catalogs) = self.seen.catalogs_if_other(&mut self.catalog_files) else {
            self.last_look = now;
            return;
        };
        for (id, attempt) in &catalogs {
            if self.catalogs.get(id) != Some(attempt) {
                self.published.push(Published {
                    id: id.clone(),
                    attempt: *attempt,
                    after,
                    by: now,
                });
            }
        }
        self.catalogs = catalogs;
        self.last_look = now;
    }

    fn take(&mut self, done: &Done) {
        self.reference.take(done);
        let came = match &done.result {
            Ok(result) => ["outcome", "kind", "errorCode"]
                .map(|field| result[field].to_string())
                .join(" "),
            Err(error) => error["data"]["code"].to_string(),
        };
        let line = format!(
            "{} to {} from {}: {came}",
            done.answered,
            done.asked,
            self.words(&format!("{:?}", done.request))
        );
        self.trace.push(line);
    }

    /// A text with names in the place of ids, which are other ones each time.
    fn words(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (id, name) in &self.reference.servers {
            text = text.replace(id, name);
        }
        for (index, id) in self.reference.partners.iter().enumerate() {
            text = text.replace(id, &format!("partner {index}"));
        }
        for (index, id) in self.reference.opened.iter().enumerate() {
            text = text.replace(id, &format!("opened {index}"));
        }
        text
    }

    /// Looks at everything that pages see, once nothing happens: whatever is not as it was has had its event.
    async fn look(&mut self) {
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.watch();
        let list = call(&self.bridge, "servers.list", json!({"reveal": true}))
            .await
            .unwrap();
        let partners = call(&self.bridge, "partners.list", json!({})).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.nothing_runs_for_what_is_paused(&list);
        let events = std::mem::take(&mut *self.events.lock().unwrap());
        let told: BTreeSet<(String, Option<String>)> = events
            .iter()
            .map(|event| {
                let area = event["params"]["area"].as_str().unwrap().to_owned();
                (area, event["params"]["id"].as_str().map(str::to_owned))
            })
            .collect();
        let by_id = |list: &Value| -> BTreeMap<String, Value> {
            let servers = list.as_array().unwrap().iter();
            servers
                .map(|server| (server["id"].as_str().unwrap().to_owned(), server.clone()))
                .collect()
        };
        let (before, now) = (by_id(&self.shown["servers"]), by_id(&list["servers"]));
        for id in before.keys().chain(now.keys()) {
            let (before, now) = (before.get(id), now.get(id));
            let of_it = |(area, about): &(String, Option<String>)| {
                ["servers", "catalog"].contains(&area.as_str()) && about.as_ref().is_none_or(|about| about == id)
            };
            let is_told = told.iter().any(of_it);
            assert!(
                before == now || is_told,
                "no page was told: {before:?} became {now:?}; {told:?}"
            );
        }
        let partners_told = told.contains(&("partners".to_owned(), None));
        let same = self.shown["partners"] == partners["partners"];
        assert!(same || partners_told, "no page was told of {partners}");
        self.shown = json!({
            "servers": list["servers"], "partners": partners["partners"], "storageIssues": list["storageIssues"],
        });
    }

    /// Every connection leads to where an active server is. That of a person's call, which outlives its server, is the
    /// exception.
    fn nothing_runs_for_what_is_paused(&self, list: &Value) {
        let wire = self.wire.lock().unwrap().clone();
        let active: Vec<&Value> = list["servers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|server| server["state"] == "active")
            .map(|server| &server["config"]["url"])
            .collect();
        for (attempt, url) in &wire.open {
            let mut calls = wire.calls.iter().filter(|call| call.attempt == *attempt);
            let is_a_persons =
                calls.any(|call| matches!(self.reference.calls[&call.number].caller, Caller::Person { .. }));
            let leads_somewhere = active.iter().any(|there| *there == url.as_str());
            assert!(
                is_a_persons || leads_somewhere,
                "connection {attempt} to {url} is left open: {active:?}"
            );
        }
    }

    pub(crate) fn shown(&self) -> &Value {
        &self.shown
    }
}
