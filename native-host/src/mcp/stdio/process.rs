//! A server's process: how it is started, how its end is known, and that it ends. With a guard all of the family ends
//! whatever happens to the host; without one the host itself ends the process group when it closes the connection.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use toolgate_core::server::StdioConfig;

use super::super::{Failure, FailureClass, NetLimits, Step};
use super::ended::{self, Ended};
use super::environment;
use super::program::{self, Program};
use super::stderr::{Tail, drain};
use crate::guard::{Guard, Plan, Report};
use crate::secret::Secret;

/// How long after a process's end the last of its standard error is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Starts servers and knows whether any is left.
#[derive(Debug)]
pub(in super::super) struct Launcher {
    guard: Option<Guard>,
    limits: NetLimits,
    /// Every process holds a receiver until nothing of it is left.
    running: watch::Sender<()>,
}

/// How far a process has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Starting,
    Running,
    Ended(Ended),
}

/// A running server. Dropping it ends it.
pub(super) struct Process {
    /// Closing this tells the server to end.
    pub(super) input: Option<ChildStdin>,
    pub(super) output: Option<ChildStdout>,
    pub(super) tail: Tail,
    pub(super) end: End,
    /// Whether something of it is left: closed when nothing is.
    left: watch::Receiver<()>,
    closing: CancellationToken,
    _close_on_drop: DropGuard,
    /// Ends a guard that does not do what one does.
    disown: CancellationToken,
}

/// Knows how a process ended. Clones share it.
#[derive(Clone)]
pub(super) struct End(watch::Receiver<Stage>);

impl End {
    /// Waits for the end.
    pub(super) async fn known(&mut self) -> Ended {
        match self.0.wait_for(|stage| matches!(stage, Stage::Ended(_))).await {
            Ok(stage) => match *stage {
                Stage::Ended(ended) => ended,
                Stage::Starting | Stage::Running => Ended::Somehow,
            },
            Err(_) => Ended::Somehow,
        }
    }
}

/// What is told how far a process has come; the first end counts.
#[derive(Clone)]
struct Stages(Arc<watch::Sender<Stage>>);

impl Stages {
    fn set(&self, stage: Stage) {
        self.0.send_if_modified(|now| {
            let is_news = !matches!(now, Stage::Ended(_)) && *now != stage;
            if is_news {
                *now = stage;
            }
            is_news
        });
    }
}

impl Launcher {
    pub(in super::super) fn new(guard: Option<Guard>, limits: NetLimits) -> Self {
        Self {
            guard,
            limits,
            running: watch::Sender::new(()),
        }
    }

    /// Waits until nothing of any server is left.
    pub(in super::super) async fn nothing_left(&self) {
        self.running.closed().await;
    }

    /// How long a server may take to end when its input has ended.
    fn after_input(&self) -> Duration {
        self.limits.close / 2
    }

    /// How long it may then take when it was asked to.
    fn after_asking(&self) -> Duration {
        self.limits.close / 4
    }

    /// Starts a server. Answers once it runs.
    pub(super) async fn start(&self, config: &StdioConfig) -> Result<Process, Failure> {
        let program = program::find(config)?;
        match &self.guard {
            Some(guard) => self.start_guarded(guard, program, config).await,
            None => self.start_alone(program, config),
        }
    }

    async fn start_guarded(&self, guard: &Guard, program: Program, config: &StdioConfig) -> Result<Process, Failure> {
        let no_guard = |why: &str| {
            Failure::new(FailureClass::CommandNotExecutable, Step::Prepare)
                .with_detail(format!("Toolgate's own guard process {why}"))
        };
        let word = Secret::random().map_err(|_| no_guard("could not be given a random word"))?;
        let word = word.reveal().to_owned();
        let plan = Plan {
            word: word.clone(),
            program: program.file,
            args: config.args.clone(),
            env: config
                .env
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            cwd: program.cwd,
            after_input: self.after_input(),
            after_asking: self.after_asking(),
        };
        let line = plan
            .line()
            .map_err(|_| no_guard("cannot be told a path that is not UTF-8"))?;
        let mut command = Command::from(guard.command());
        let mut process = self
            .spawn(&mut command, Some(word))
            .map_err(|error| no_guard(&format!("did not start ({})", error.kind())))?;
        let mut stage = process.end.0.clone();
        let started = async {
            if let Some(input) = &mut process.input {
                // Where it cannot be told it has ended, which is known below.
                let _ = input.write_all(&line).await;
            }
            let stage = stage.wait_for(|stage| *stage != Stage::Starting).await;
            stage.map_or(Stage::Ended(Ended::Somehow), |stage| *stage)
        };
        match tokio::time::timeout(self.limits.connect, started).await {
            Ok(Stage::Ended(ended @ Ended::NotStarted(_))) => Err(ended.failure(Step::Connect, None)),
            Ok(Stage::Ended(Ended::Somehow)) => Err(no_guard("ended at once")),
            // One that runs may have ended since; that is for whoever talks to it to find out.
            Ok(_) => Ok(process),
            Err(_) => {
                process.disown.cancel();
                Err(no_guard("does not answer"))
            }
        }
    }

    fn start_alone(&self, program: Program, config: &StdioConfig) -> Result<Process, Failure> {
        let mut command = Command::new(program.file);
        command
            .args(&config.args)
            .env_clear()
            .envs(environment::inherited())
            .envs(config.env.iter())
            .kill_on_drop(true);
        if let Some(cwd) = program.cwd {
            command.current_dir(cwd);
        }
        self.spawn(&mut command, None)
            .map_err(|error| ended::not_started(&error))
    }

    /// Starts a process, guarded where there is a word for the guard's reports.
    fn spawn(&self, command: &mut Command, word: Option<String>) -> std::io::Result<Process> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(windows)]
        command.creation_flags(CREATE_NO_WINDOW);
        let mut child = command.spawn()?;
        let is_guarded = word.is_some();
        let (sender, stage) = watch::channel(if is_guarded { Stage::Starting } else { Stage::Running });
        let stages = Stages(Arc::new(sender));
        let tail = Tail::default();
        let heard = stages.clone();
        let drained = child.stderr.take().map(|stderr| {
            let tail = tail.clone();
            tokio::spawn(drain(stderr, tail, word, move |report| {
                heard.set(match (report, Ended::reported(report)) {
                    (_, Some(ended)) => Stage::Ended(ended),
                    (Report::Started | _, None) => Stage::Running,
                });
            }))
        });
        let (closing, disown) = (CancellationToken::new(), CancellationToken::new());
        let (left_sender, left) = watch::channel(());
        let process = Process {
            input: child.stdin.take(),
            output: child.stdout.take(),
            tail,
            end: End(stage),
            left,
            closing: closing.clone(),
            _close_on_drop: closing.clone().drop_guard(),
            disown: disown.clone(),
        };
        let counted = self.running.subscribe();
        let keeper = Keeper {
            child,
            drained,
            stages,
            closing,
            disown,
            after_input: self.after_input(),
            after_asking: self.after_asking(),
        };
        tokio::spawn(async move {
            if is_guarded {
                keeper.guarded().await;
            } else {
                keeper.alone().await;
            }
            drop((counted, left_sender));
        });
        Ok(process)
    }
}

impl Process {
    /// Ends the server and waits until nothing of it is left.
    pub(super) async fn end(mut self) {
        drop((self.input.take(), self.output.take()));
        self.closing.cancel();
        // The other end is dropped when nothing is left.
        while self.left.changed().await.is_ok() {}
    }

    /// What tells whoever writes to the server that it is to end.
    pub(super) fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }
}

/// Waits for a process, whatever becomes of those who talk to it.
struct Keeper {
    child: Child,
    /// Ends with its standard error.
    drained: Option<JoinHandle<()>>,
    stages: Stages,
    closing: CancellationToken,
    disown: CancellationToken,
    after_input: Duration,
    after_asking: Duration,
}

impl Keeper {
    /// Waits for the guard, which ends when all is done; its input, whose end is its order, is held by others.
    async fn guarded(mut self) {
        tokio::select! {
            _ = self.child.wait() => {}
            () = self.disown.cancelled() => {
                let _ = self.child.start_kill();
                let _ = self.child.wait().await;
            }
        }
        self.hear_last_words().await;
        self.stages.set(Stage::Ended(Ended::Somehow));
    }

    /// Waits until what the process wrote last is read.
    async fn hear_last_words(&mut self) {
        if let Some(drained) = self.drained.take() {
            let _ = tokio::time::timeout(LAST_WORDS, drained).await;
        }
    }

    /// Waits for the server, and ends it and its process group when it is to end.
    async fn alone(mut self) {
        let pid = self.child.id();
        let ended = tokio::select! {
            status = self.child.wait() => Some(status),
            () = self.closing.cancelled() => None,
        };
        let ended = match ended {
            Some(status) => Some(status),
            None => tokio::time::timeout(self.after_input, self.child.wait()).await.ok(),
        };
        signal_group(pid, Asking::ToEnd);
        let ended = match ended {
            Some(status) => {
                self.note(status).await;
                // Nobody tells of the end of what it left behind.
                wait_for_group(pid, self.after_asking).await;
                true
            }
            None => match tokio::time::timeout(self.after_asking, self.child.wait()).await {
                Ok(status) => {
                    self.note(status).await;
                    true
                }
                Err(_) => false,
            },
        };
        signal_group(pid, Asking::NoMore);
        if !ended {
            let _ = self.child.start_kill();
            let status = self.child.wait().await;
            self.note(status).await;
        }
    }

    async fn note(&mut self, status: std::io::Result<std::process::ExitStatus>) {
        self.hear_last_words().await;
        self.stages.set(Stage::Ended(status.map_or(Ended::Somehow, Ended::of)));
    }
}

#[derive(Clone, Copy)]
enum Asking {
    ToEnd,
    /// It ends at once.
    NoMore,
}

#[cfg(unix)]
fn group(pid: Option<u32>) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(pid?).ok()?)
}

#[cfg(unix)]
fn signal_group(pid: Option<u32>, asking: Asking) {
    use rustix::process::{Signal, kill_process_group};

    let signal = match asking {
        Asking::ToEnd => Signal::TERM,
        Asking::NoMore => Signal::KILL,
    };
    if let Some(group) = group(pid) {
        // Who is gone already needs no signal.
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(unix)]
async fn wait_for_group(pid: Option<u32>, limit: Duration) {
    const LOOK_AGAIN: Duration = Duration::from_millis(20);
    let deadline = tokio::time::Instant::now() + limit;
    let is_left = || group(pid).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok());
    while is_left() && tokio::time::Instant::now() < deadline {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

#[cfg(not(unix))]
fn signal_group(_pid: Option<u32>, _asking: Asking) {}

#[cfg(not(unix))]
async fn wait_for_group(_pid: Option<u32>, _limit: Duration) {}

#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;
