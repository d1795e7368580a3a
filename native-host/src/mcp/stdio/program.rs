//! Which file a configured command is: looked for as a shell would, without one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use toolgate_core::server::StdioConfig;

use super::super::{Failure, FailureClass, Step};

/// The file to run and the folder to run it in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) cwd: Option<PathBuf>,
}

/// Where programs are looked for when the environment does not say.
#[cfg(not(windows))]
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
#[cfg(windows)]
const USUAL_PATH: &str = r"C:\Windows\system32;C:\Windows";
/// What a program's name may end in when the environment does not say.
#[cfg(windows)]
const USUAL_ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// What there is under a name.
enum Found {
    Program(PathBuf),
    /// A file that the system will not run.
    NotExecutable,
    Nothing,
}

/// Finds what is configured.
pub(super) fn find(config: &StdioConfig) -> Result<Program, Failure> {
    let fail = |class| Failure::new(class, Step::Prepare);
    let cwd = config.cwd.as_ref().map(PathBuf::from);
    if cwd.as_ref().is_some_and(|cwd| !cwd.is_dir()) {
        let missing = fail(FailureClass::FolderMissing);
        return Err(match &config.cwd {
            Some(cwd) if is_for_a_shell(cwd) => missing.with_detail(FOR_A_SHELL),
            _ => missing,
        });
    }
    let found = if is_path(&config.command) {
        // A path counts from the folder the server starts in, as in a shell that has gone there.
        let base = cwd.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        in_place(&base.join(&config.command), config)
    } else {
        on_path(&config.command, config)
    };
    match found {
        Found::Program(file) => Ok(Program { file, cwd }),
        Found::NotExecutable => Err(fail(FailureClass::CommandNotExecutable)),
        Found::Nothing => {
            let missing = fail(FailureClass::CommandMissing);
            Err(if is_for_a_shell(&config.command) {
                missing.with_detail(FOR_A_SHELL)
            } else if config.command.contains(char::is_whitespace) {
                missing
                    .with_detail("the command has spaces; write the program alone there, and the rest as its arguments")
            } else {
                missing
            })
        }
    }
}

const FOR_A_SHELL: &str = "~ and variables mean nothing here, as no shell reads them; write the whole path";

/// Whether a path begins as only a shell would read it, or has a variable in it.
fn is_for_a_shell(path: &str) -> bool {
    path.starts_with('~') || path.contains('$')
}

fn is_path(command: &str) -> bool {
    command.contains('/') || (cfg!(windows) && command.contains(['\\', ':']))
}

/// Looks through the search path of the server's own environment.
fn on_path(name: &str, config: &StdioConfig) -> Found {
    let path = variable("PATH", config).unwrap_or_else(|| OsString::from(USUAL_PATH));
    let mut best = Found::Nothing;
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        let file = folder.join(name);
        match in_place(&file, config) {
            found @ Found::Program(_) => return found,
            // A folder of that name, or one that may not be looked into, is not what is meant.
            Found::NotExecutable if file.is_file() => best = Found::NotExecutable,
            Found::NotExecutable | Found::Nothing => {}
        }
    }
    best
}

/// A variable as the server will have it.
fn variable(name: &str, config: &StdioConfig) -> Option<OsString> {
    let same = |other: &str| {
        if cfg!(windows) {
            other.eq_ignore_ascii_case(name)
        } else {
            other == name
        }
    };
    let configured = config.env.iter().find(|(other, _)| same(other));
    configured.map_or_else(
        || std::env::var_os(name),
        |(_, value)| Some(OsStr::new(value).to_owned()),
    )
}

#[cfg(unix)]
fn in_place(file: &Path, _config: &StdioConfig) -> Found {
    use std::os::unix::fs::PermissionsExt as _;

    match file.metadata() {
        Ok(data) if data.is_file() && data.permissions().mode() & 0o111 != 0 => Found::Program(file.to_owned()),
        Ok(_) => Found::NotExecutable,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Found::NotExecutable,
        Err(_) => Found::Nothing,
    }
}

/// Windows runs what ends in one of the endings of `PATHEXT`; `npx` is `npx.cmd` there, which the standard library hands
/// to the command interpreter with every argument quoted.
#[cfg(not(unix))]
fn in_place(file: &Path, config: &StdioConfig) -> Found {
    #[cfg(windows)]
    {
        let endings = variable("PATHEXT", config).unwrap_or_else(|| OsString::from(USUAL_ENDINGS));
        let endings = endings.to_string_lossy().into_owned();
        let has_ending = file.extension().is_some_and(|extension| {
            let extension = format!(".{}", extension.to_string_lossy());
            endings.split(';').any(|ending| ending.eq_ignore_ascii_case(&extension))
        });
        if has_ending && file.is_file() {
            return Found::Program(file.to_owned());
        }
        for ending in endings.split(';').filter(|ending| !ending.is_empty()) {
            let mut name = file.as_os_str().to_owned();
            name.push(ending);
            let candidate = PathBuf::from(name);
            if candidate.is_file() {
                return Found::Program(candidate);
            }
        }
    }
    let _ = config;
    if file.is_file() {
        return if cfg!(windows) {
            Found::NotExecutable
        } else {
            Found::Program(file.to_owned())
        };
    }
    Found::Nothing
}
