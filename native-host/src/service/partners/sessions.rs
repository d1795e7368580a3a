//! Open sessions: whose each is, what it may use, and the turn it is in. They live in memory: after a restart an
//! application opens new ones, and the next turn offers what was granted before.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use toolgate_core::identity::ToolId;
use toolgate_core::partner::{FrozenTool, FrozenTurn, Partner, PartnerId, SessionGrants};
use toolgate_core::{Code, Diagnostic, Refusal};

use super::partner_id;
use crate::bridge::messages::partners::{OpenSessionParams, OpenedSession, SessionKind, SessionParams};
use crate::service::Service;

/// Every open session.
pub(in crate::service) struct Sessions {
    /// How long a session may be left alone.
    idle: Duration,
    most: usize,
    open: Mutex<HashMap<String, Arc<Session>>>,
}

/// One session.
pub(super) struct Session {
    pub(super) partner: PartnerId,
    /// For a task, what it was granted when it was opened.
    task: Option<SessionGrants>,
    state: Mutex<State>,
    /// Held while a turn begins: one at a time, so that the later one is the present one.
    pub(super) beginning: tokio::sync::Mutex<()>,
}

struct State {
    turn: Option<Arc<Turn>>,
    /// Requests that use the session now.
    users: usize,
    last_used: Instant,
}

/// A turn: its tools never change.
pub(super) struct Turn {
    pub(super) frozen: FrozenTurn,
    by_alias: HashMap<String, usize>,
    /// The outcome of one of its calls is unknown; it takes no more.
    ended: AtomicBool,
}

/// A use of a session by a request. While there is one the session does not expire.
pub(super) struct InUse {
    session: Arc<Session>,
}

impl Service {
    /// Opens a session of a partner. A task keeps what the partner is granted now.
    pub(crate) async fn open_partner_session(
        self: &Arc<Self>,
        params: OpenSessionParams,
    ) -> Result<OpenedSession, Refusal> {
        let OpenSessionParams {
            kind,
            partner_id: id,
            tool_filter,
        } = params;
        let id = partner_id(&id)?;
        let filter = tool_filter.map(|filter| self.tool_filter(kind, &filter)).transpose()?;
        let partner = {
            let _reading = self.files.read().await;
            self.partner(id).await?
        };
        let task = match kind {
            SessionKind::Partner => None,
            SessionKind::Task => Some(SessionGrants::of_task(&partner, filter)),
        };
        let session_id = self.sessions.open(id, task)?;
        Ok(OpenedSession { session_id })
    }

    /// Closes a session: it takes no more turns and calls. Calls under way go on. Nothing where there is none.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn close_partner_session(self: &Arc<Self>, params: SessionParams) -> Result<(), Refusal> {
        self.sessions.lock().remove(&params.session_id);
        Ok(())
    }

    fn tool_filter(&self, kind: SessionKind, filter: &[String]) -> Result<BTreeSet<ToolId>, Refusal> {
        if kind != SessionKind::Task {
            let message = "Only a task has a toolFilter; leave it out, or open a session of the kind task.";
            return Err(Diagnostic::new(Code::BridgeParamsInvalid, message)
                .at("toolFilter")
                .into());
        }
        let mut reasons = Vec::new();
        let mut tools = BTreeSet::new();
        for (index, text) in filter.iter().enumerate() {
            match ToolId::parse(text, &self.options.limits) {
                Ok(id) => {
                    tools.insert(id);
                }
                Err(reason) => reasons.push(reason.at(format!("toolFilter[{index}]"))),
            }
        }
        match Refusal::from_reasons(reasons) {
            Some(refusal) => Err(refusal),
            None => Ok(tools),
        }
    }
}

impl Sessions {
    /// None are open yet.
    pub(in crate::service) fn new(idle: Duration, most: usize) -> Self {
        Self {
            idle,
            most,
            open: Mutex::default(),
        }
    }

    fn open(&self, partner: PartnerId, task: Option<SessionGrants>) -> Result<String, Diagnostic> {
        let mut open = self.lock();
        if open.len() >= self.most {
            return Err(Diagnostic::new(
                Code::PartnerSessionLimit,
                format!(
                    "{} sessions are open and there may be {}. Close those that are not needed any more.",
                    open.len(),
                    self.most
                ),
            ));
        }
        let id = uuid::Uuid::new_v4().to_string();
        let session = Session {
            partner,
            task,
            state: Mutex::new(State {
                turn: None,
                users: 0,
                last_used: Instant::now(),
            }),
            beginning: tokio::sync::Mutex::default(),
        };
        open.insert(id.clone(), Arc::new(session));
        Ok(id)
    }

    /// A session, for the time of a request.
    pub(super) fn enter(&self, id: &str) -> Result<InUse, Diagnostic> {
        let open = self.lock();
        let session = open.get(id).ok_or_else(|| {
            Diagnostic::new(
                Code::PartnerSessionNotFound,
                "There is no such session: it was closed, was left alone for too long, or Toolgate was started again. \
                 Open a new one.",
            )
            .at("sessionId")
        })?;
        // Under the lock, so that it does not expire at the same moment.
        session.state().users += 1;
        Ok(InUse {
            session: Arc::clone(session),
        })
    }

    /// The sessions that have not expired by now.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        open.retain(|_, session| {
            let state = session.state();
            state.users > 0 || now.duration_since(state.last_used) < self.idle
        });
        open
    }
}

impl Session {
    /// What counts for it now.
    pub(super) fn grants(&self, partner: &Partner) -> SessionGrants {
        match &self.task {
            None => SessionGrants::of(partner),
            Some(granted) => granted.within(partner),
        }
    }

    /// The turn it is in; none before the first.
    pub(super) fn turn(&self) -> Option<Arc<Turn>> {
        self.state().turn.clone()
    }

    /// From now on it is in this turn.
    pub(super) fn begin(&self, turn: Turn) {
        self.state().turn = Some(Arc::new(turn));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    pub(super) fn new(frozen: FrozenTurn) -> Self {
        let aliases = frozen.tools.iter().map(|tool| tool.model.alias.clone());
        Self {
            by_alias: aliases.enumerate().map(|(index, alias)| (alias, index)).collect(),
            frozen,
            ended: AtomicBool::new(false),
        }
    }

    /// The tool that the model calls by this name.
    pub(super) fn tool(&self, alias: &str) -> Option<&FrozenTool> {
        self.frozen.tools.get(*self.by_alias.get(alias)?)
    }

    /// From now on it takes no more calls.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
}

impl std::ops::Deref for InUse {
    type Target = Arc<Session>;

    fn deref(&self) -> &Arc<Session> {
        &self.session
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut state = self.session.state();
        state.users = state.users.saturating_sub(1);
        state.last_used = Instant::now();
    }
}
