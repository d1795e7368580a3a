//! The environment a server starts with: the variables of an allow-list, as far as the host has them, and what is
//! configured. Nothing else of the host's environment reaches a server, which may hold secrets that are none of its
//! business.

use std::ffi::OsString;

/// What is handed on. It is the list of the official SDKs (home, user, shell, terminal and search path) with what a
/// server needs to speak the person's language, to find its caches, and to reach the network from here.
#[cfg(not(windows))]
const ALLOWED: &[&str] = &[
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// The same on Windows, where names are equal whatever their case.
#[cfg(windows)]
const ALLOWED: &[&str] = &[
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86)",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERDOMAIN",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// The variables of the allow-list as this process has them.
pub(crate) fn inherited() -> impl Iterator<Item = (&'static str, OsString)> {
    ALLOWED.iter().filter_map(|name| Some((*name, allowed(name)?)))
}

fn allowed(name: &str) -> Option<OsString> {
    // A shell function that was exported is code, and no value.
    std::env::var_os(name).filter(|value| !value.as_encoded_bytes().starts_with(b"()"))
}
