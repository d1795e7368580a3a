//! Guarding where there are signals and process groups.

use std::fs::OpenOptions;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitOptions, wait};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::Instant;

use super::family::{self, Family};
use super::{Plan, Report, pass_on};
use crate::mcp::stdio_environment;

/// How long what cannot be killed is waited for: a process inside of the system ends only when the system lets it.
const UNKILLABLE: Duration = Duration::from_secs(10);
/// How long a server that takes no input is given to end, so that it is known how.
const ENDS: Duration = Duration::from_millis(300);
const BETWEEN_KILLS: Duration = Duration::from_millis(20);

/// What the guard learns.
enum Event {
    /// The host passes on nothing more.
    InputEnded,
    /// The server takes nothing more.
    InputRefused,
    /// The server has ended.
    Ended(Report),
    /// The guard has no child left. Where orphans come to it, nothing of the server is left.
    NoChildren,
}

/// Starts what is planned and stays until it is gone; answers the process's exit code.
pub(super) fn run(plan: Plan) -> i32 {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return 1;
    };
    family::adopt_orphans();
    let code = runtime.block_on(guard(plan));
    // Threads that wait for input end with the process.
    runtime.shutdown_background();
    code
}

async fn guard(plan: Plan) -> i32 {
    // From here on none of these ends the guard before the server.
    let Ok(mut signals) = Signals::listen() else { return 1 };
    let mut child = match start(&plan) {
        Ok(child) => child,
        Err(error) => {
            Report::NotStarted(error.raw_os_error().unwrap_or(0)).send(&plan.word);
            return 0;
        }
    };
    Report::Started.send(&plan.word);
    // A server that closes its standard output is to be seen to do so.
    if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nowhere);
    }
    let leader = Pid::from_child(&child);
    let events = watch(&mut child, leader);
    let mut watched = Watched {
        events,
        word: plan.word,
        input_ended: false,
        input_refused: false,
        ended: false,
        no_children: false,
    };
    let is_hasty = watched.until_it_is_to_end(&mut signals).await;
    if watched.input_refused {
        // A server that has ended takes nothing either; that is the better reason.
        watched.wait(|now| now.ended, plan.after_input.min(ENDS)).await;
        if !watched.ended {
            Report::ClosedInput.send(&watched.word);
        }
    }
    if !is_hasty {
        watched.wait(|now| now.ended, plan.after_input).await;
    }
    let mut family = Family::of(leader);
    if !family.is_gone(watched.no_children) {
        family.signal(Signal::TERM);
        watched.wait_for(&family, plan.after_asking).await;
    }
    let give_up = Instant::now() + UNKILLABLE;
    while !family.is_gone(watched.no_children) && Instant::now() < give_up {
        family.signal(Signal::KILL);
        watched.wait_for(&family, BETWEEN_KILLS).await;
    }
    family.signal_strays();
    0
}

fn start(plan: &Plan) -> std::io::Result<Child> {
    let mut command = Command::new(&plan.program);
    command
        .args(&plan.args)
        .env_clear()
        .envs(stdio_environment::inherited())
        .envs(&plan.env)
        .stdin(Stdio::piped())
        .process_group(0);
    if let Some(cwd) = &plan.cwd {
        command.current_dir(cwd);
    }
    command.spawn()
}

/// Watches input, host and children, each in a thread of its own because each blocks.
fn watch(child: &mut Child, leader: Pid) -> UnboundedReceiver<Event> {
    let (events, receiver) = mpsc::unbounded_channel();
    if let Some(server) = child.stdin.take() {
        let ended = events.clone();
        thread::spawn(move || {
            let is_refused = pass_on(server);
            let _ = ended.send(if is_refused {
                Event::InputRefused
            } else {
                Event::InputEnded
            });
        });
    }
    let gone = events.clone();
    thread::spawn(move || {
        host_hangs_up();
        let _ = gone.send(Event::InputEnded);
    });
    thread::spawn(move || reap(leader, &events));
    receiver
}

/// Waits until nobody holds the other end of standard input, even while what came before cannot be passed on.
fn host_hangs_up() {
    loop {
        let input = rustix::stdio::stdin();
        let mut fds = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut fds, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Waits for every child: the server, and where orphans come here, all that it leaves behind.
fn reap(leader: Pid, events: &UnboundedSender<Event>) {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == leader => {
                let report = match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Report::Exited(code),
                    (None, Some(signal)) => Report::Killed(signal),
                    (None, None) => continue,
                };
                let _ = events.send(Event::Ended(report));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => {
                let _ = events.send(Event::NoChildren);
                return;
            }
        }
    }
}

struct Watched {
    events: UnboundedReceiver<Event>,
    word: String,
    input_ended: bool,
    input_refused: bool,
    ended: bool,
    no_children: bool,
}

impl Watched {
    /// Waits until the server has ended or is to end; whether it is to end without delay.
    async fn until_it_is_to_end(&mut self, signals: &mut Signals) -> bool {
        while !self.input_ended && !self.ended && !self.no_children {
            tokio::select! {
                event = self.events.recv() => self.take(event),
                () = signals.wanted() => return true,
            }
        }
        false
    }

    /// Waits until this is so, no longer than that.
    async fn wait(&mut self, is_so: impl Fn(&Self) -> bool, limit: Duration) {
        let deadline = Instant::now() + limit;
        while !is_so(self) {
            match tokio::time::timeout_at(deadline, self.events.recv()).await {
                Ok(event) => self.take(event),
                Err(_) => return,
            }
        }
    }

    /// Waits until nothing of the family is left, no longer than that.
    async fn wait_for(&mut self, family: &Family, limit: Duration) {
        let deadline = Instant::now() + limit;
        self.wait(|now| now.no_children, limit).await;
        // Where orphans go elsewhere nobody tells of their end.
        while !family.is_gone(self.no_children) && Instant::now() < deadline {
            tokio::time::sleep(BETWEEN_KILLS.min(limit)).await;
        }
    }

    fn take(&mut self, event: Option<Event>) {
        // Every thread having ended, the one that waits for children has, too.
        match event.unwrap_or(Event::NoChildren) {
            Event::InputEnded => self.input_ended = true,
            Event::InputRefused => {
                self.input_ended = true;
                self.input_refused = true;
            }
            Event::Ended(report) => {
                report.send(&self.word);
                self.ended = true;
            }
            Event::NoChildren => {
                self.ended = true;
                self.no_children = true;
            }
        }
    }
}

/// The signals that ask a process to end.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn wanted(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}
