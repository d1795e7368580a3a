//! Guarding where there are no signals: Windows. The guard puts itself into a job that the system ends, with everything
//! in it, when the guard does, whatever ends that.

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Plan, Report, pass_on};
use crate::mcp::stdio_environment;

const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Starts what is planned and stays until it is gone; answers the process's exit code.
pub(super) fn run(plan: Plan) -> i32 {
    #[cfg(windows)]
    let Ok(_job) = job() else { return 1 };
    let mut child = match start(&plan) {
        Ok(child) => child,
        Err(error) => {
            Report::NotStarted(error.raw_os_error().unwrap_or(0)).send(&plan.word);
            return 0;
        }
    };
    Report::Started.send(&plan.word);
    let (ended, input_ended) = mpsc::channel();
    if let Some(server) = child.stdin.take() {
        thread::spawn(move || {
            let _ = ended.send(pass_on(server));
        });
    }
    while !has_ended(&mut child, &plan.word) {
        match input_ended.recv_timeout(LOOK_AGAIN) {
            Err(RecvTimeoutError::Timeout) => {}
            refused @ (Ok(_) | Err(RecvTimeoutError::Disconnected)) => {
                if refused == Ok(true) {
                    // A server that has ended takes nothing either; that is the better reason.
                    thread::sleep(LOOK_AGAIN);
                    if has_ended(&mut child, &plan.word) {
                        break;
                    }
                    Report::ClosedInput.send(&plan.word);
                }
                let deadline = Instant::now() + plan.after_input;
                while !has_ended(&mut child, &plan.word) {
                    if Instant::now() > deadline {
                        let _ = child.kill();
                        break;
                    }
                    thread::sleep(LOOK_AGAIN);
                }
                break;
            }
        }
    }
    0
}

fn start(plan: &Plan) -> std::io::Result<Child> {
    let mut command = Command::new(&plan.program);
    command
        .args(&plan.args)
        .env_clear()
        .envs(stdio_environment::inherited())
        .envs(&plan.env)
        .stdin(Stdio::piped());
    if let Some(cwd) = &plan.cwd {
        command.current_dir(cwd);
    }
    command.spawn()
}

fn has_ended(child: &mut Child, word: &str) -> bool {
    match child.try_wait() {
        Ok(None) => false,
        Ok(Some(status)) => {
            Report::Exited(status.code().unwrap_or(-1)).send(word);
            true
        }
        Err(_) => true,
    }
}

/// A job that ends with this process and takes everything in it along.
#[cfg(windows)]
fn job() -> Result<win32job::Job, win32job::JobError> {
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits)?;
    job.assign_current_process()?;
    Ok(job)
}
