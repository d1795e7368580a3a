//! Which invocations are open, which tools each has, and how each ends: by its agent, by an unknown outcome, or because
//! it is not used any more.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use toolgate_core::identity::ToolId;
use toolgate_core::json::JsonText;
use toolgate_core::layers::ModelTool;
use toolgate_core::model_text::agent::InlineLimit;
use toolgate_core::outcome::CallFailure;
use toolgate_core::{Code, Diagnostic};

/// The open invocations.
pub(in crate::service) struct Invocations {
    /// How long one stays open that is not used.
    idle: Duration,
    most: usize,
    open: Mutex<HashMap<String, Entry>>,
}

struct Entry {
    invocation: Arc<Invocation>,
    /// How many requests are at work on it.
    users: usize,
    /// When it ends, where nobody is.
    until: Option<Instant>,
}

/// The tools of one run of an agent, as they were when it began.
pub(super) struct Invocation {
    pub(super) id: String,
    tools: HashMap<String, BoundTool>,
    pub(super) limit: InlineLimit,
    state: Mutex<State>,
}

/// A tool as the model was shown it.
pub(super) struct BoundTool {
    pub(super) id: ToolId,
    pub(super) input_schema: JsonText,
}

#[derive(Default)]
struct State {
    /// The alias of the call that ended it, and why.
    unknown: Option<(String, CallFailure)>,
    /// Its agent has ended it, or it was not used for too long.
    is_over: bool,
    /// The names of the views of its long results.
    views: HashSet<String>,
}

/// A request at work on an invocation, which stays open as long.
pub(super) struct InUse<'a> {
    invocations: &'a Invocations,
    pub(super) invocation: Arc<Invocation>,
}

/// The views of invocations that are over, which nobody can ask for any more.
pub(super) type LeftViews = Vec<String>;

impl Invocations {
    /// None are open yet.
    pub(in crate::service) fn new(idle: Duration, most: usize) -> Self {
        Self {
            idle,
            most,
            open: Mutex::default(),
        }
    }

    /// Opens one with these tools. `mcp.agent_invocation_limit` where too many are.
    pub(super) fn open(&self, tools: &[ModelTool], limit: InlineLimit) -> Result<String, Diagnostic> {
        let id = uuid::Uuid::new_v4().to_string();
        let tools = tools.iter().map(|tool| {
            let bound = BoundTool {
                id: tool.tool_id.clone(),
                input_schema: tool.input_schema_json.clone(),
            };
            (tool.alias.clone(), bound)
        });
        let invocation = Invocation {
            id: id.clone(),
            tools: tools.collect(),
            limit,
            state: Mutex::default(),
        };
        let mut open = self.lock();
        if open.len() >= self.most {
            return Err(Diagnostic::new(
                Code::AgentInvocationLimit,
                format!(
                    "{} invocations are open and there may be {}. End those that are over (agent.end), then begin again.",
                    open.len(),
                    self.most
                ),
            ));
        }
        let entry = Entry {
            invocation: Arc::new(invocation),
            users: 0,
            until: self.later(),
        };
        open.insert(id.clone(), entry);
        Ok(id)
    }

    /// Begins a request on an open one. `mcp.agent_invocation_not_found` where it is not open.
    pub(super) fn enter(&self, id: &str) -> Result<InUse<'_>, Diagnostic> {
        let mut open = self.lock();
        let entry = open
            .get_mut(id)
            .filter(|entry| !entry.is_expired(Instant::now()))
            .ok_or_else(not_found)?;
        entry.users += 1;
        entry.until = None;
        Ok(InUse {
            invocations: self,
            invocation: Arc::clone(&entry.invocation),
        })
    }

    /// Ends one for its agent.
    pub(super) fn end(&self, id: &str) -> Result<LeftViews, Diagnostic> {
        let entry = self.lock().remove(id).ok_or_else(not_found)?;
        Ok(entry.invocation.finish())
    }

    /// Ends those that were not used for too long.
    pub(super) fn expire(&self) -> LeftViews {
        let now = Instant::now();
        let expired: Vec<Entry> = self
            .lock()
            .extract_if(|_, entry| entry.is_expired(now))
            .map(|(_, entry)| entry)
            .collect();
        expired.iter().flat_map(|entry| entry.invocation.finish()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn later(&self) -> Option<Instant> {
        Instant::now().checked_add(self.idle)
    }
}

impl Entry {
    fn is_expired(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

impl Invocation {
    /// The tool with this alias.
    pub(super) fn tool(&self, alias: &str) -> Option<&BoundTool> {
        self.tools.get(alias)
    }

    /// The outcome of the call of this alias is unknown, and that is the end. The first one counts.
    pub(super) fn end_unknown(&self, alias: &str, failure: &CallFailure) {
        let mut state = self.state();
        state.unknown.get_or_insert_with(|| (alias.to_owned(), failure.clone()));
    }

    /// Refuses what needs an invocation that goes on: `mcp.agent_invocation_ended`, with the call that ended it.
    pub(super) fn goes_on(&self) -> Result<(), Diagnostic> {
        let state = self.state();
        if state.is_over {
            return Err(not_found());
        }
        let Some((alias, failure)) = &state.unknown else {
            return Ok(());
        };
        Err(Diagnostic::new(
            Code::AgentInvocationEnded,
            format!(
                "The invocation has ended, because what became of its call of {alias} is not known ({}: {}) Begin a new \
                 one once somebody has looked at the server.",
                failure.code, failure.message
            ),
        ))
    }

    /// Notes a view; false where the invocation is over and nobody will ask for it.
    pub(super) fn add_view(&self, name: &str) -> bool {
        let mut state = self.state();
        !state.is_over && state.views.insert(name.to_owned())
    }

    /// Whether there is such a view.
    pub(super) fn has_view(&self, name: &str) -> bool {
        self.state().views.contains(name)
    }

    fn finish(&self) -> LeftViews {
        let mut state = self.state();
        state.is_over = true;
        state.views.drain().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        let until = self.invocations.later();
        if let Some(entry) = self.invocations.lock().get_mut(&self.invocation.id) {
            entry.users = entry.users.saturating_sub(1);
            if entry.users == 0 {
                entry.until = until;
            }
        }
    }
}

fn not_found() -> Diagnostic {
    Diagnostic::new(
        Code::AgentInvocationNotFound,
        "There is no such invocation: it has ended, was not used for too long, or Toolgate was started again since. \
         Begin a new one (agent.prepare).",
    )
    .at("invocationId")
}
