//! Under which names this server may be addressed, and which pages elsewhere may use it.
//!
//! A page on any web site can make a browser send requests to a loopback port; it can even give our address to a host
//! name of its own (DNS rebinding). So a request counts only if its `Host` is one of ours and its `Origin`, if it has
//! one, is our own page or one that was allowed by name.

use std::net::IpAddr;
use std::str::FromStr;

/// A further host name for `Host`, from `--allow-host`: `name` or `name:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    name: String,
    port: Option<u16>,
}

impl FromStr for AllowedHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, port) = split_authority(text).ok_or_else(|| {
            format!("{text:?} is not a host name; give a name, or name:port, without http:// and without a path")
        })?;
        Ok(Self { name, port })
    }
}

/// A page elsewhere that may open the WebSocket, from `--allow-origin`: an exact origin such as
/// `https://app.example:8443` or `tauri://localhost`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigin(String);

impl FromStr for AllowedOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = |why: &str| {
            Err(format!(
                "{text:?} {why}; an origin is written like https://app.example:8443"
            ))
        };
        match text {
            "*" => return refuse("would let every web site in"),
            "null" => return refuse("is what every local file and sandboxed page has"),
            _ => {}
        }
        let Some((scheme, authority)) = text.split_once("://") else {
            return refuse("has no scheme");
        };
        let scheme_ok = scheme.starts_with(|first: char| first.is_ascii_lowercase())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'));
        if !scheme_ok {
            return refuse("has an odd scheme (write it in lower case)");
        }
        match split_authority(authority) {
            Some((name, port)) if authority == join_authority(&name, port) => {}
            _ => {
                return refuse("is not exactly a scheme, a host in lower case and a port, without a path or a final /");
            }
        }
        if matches!(
            (scheme, authority.rsplit_once(':')),
            ("http", Some((_, "80"))) | ("https", Some((_, "443")))
        ) {
            return refuse("names its scheme's usual port, which browsers leave out");
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whose page a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The request names none: a program, or a browser's plain GET.
    None,
    /// This server's own page.
    Own,
    /// A page that `--allow-origin` names.
    Allowed,
    /// Any other page.
    Foreign,
}

/// The names in force.
#[derive(Debug)]
pub(super) struct Names {
    ports: Vec<u16>,
    bound: Option<String>,
    hosts: Vec<AllowedHost>,
    origins: Vec<AllowedOrigin>,
}

impl Names {
    /// `ports` are the ones this server listens on; `bind` is the address it was told to listen at.
    pub(super) fn new(ports: Vec<u16>, bind: IpAddr, hosts: Vec<AllowedHost>, origins: Vec<AllowedOrigin>) -> Self {
        Self {
            ports,
            // An address cannot be rebound by DNS; the unspecified one is no address to reach anything at.
            bound: (!bind.is_unspecified()).then(|| bracketed(bind)),
            hosts,
            origins,
        }
    }

    /// Whether a `Host` value is ours.
    pub(super) fn allows_host(&self, value: &str) -> bool {
        let Some((name, port)) = split_authority(value) else {
            return false;
        };
        let ours = self.ports.contains(&port.unwrap_or(80));
        let at_home = ours
            && (matches!(name.as_str(), "127.0.0.1" | "localhost" | "[::1]") || self.bound.as_ref() == Some(&name));
        at_home || self.is_given(&name, port)
    }

    /// Whose page sent this `Origin` along with this (allowed) `Host`.
    pub(super) fn origin(&self, origin: &str, host: &str) -> Origin {
        let own = match origin.split_once("://") {
            Some(("http", authority)) => same_authority(authority, host),
            // Behind a proxy that adds TLS, which only ever has a name that was given.
            Some(("https", authority)) => {
                same_authority(authority, host)
                    && split_authority(host).is_some_and(|(name, port)| self.is_given(&name, port))
            }
            _ => false,
        };
        if own {
            Origin::Own
        } else if self.origins.iter().any(|allowed| allowed.0 == origin) {
            Origin::Allowed
        } else {
            Origin::Foreign
        }
    }

    fn is_given(&self, name: &str, port: Option<u16>) -> bool {
        self.hosts.iter().any(|given| {
            given.name == name
                && match given.port {
                    Some(given) => port == Some(given),
                    // The name alone: on our port, or on the usual one of a proxy before us.
                    None => port.is_none_or(|port| self.ports.contains(&port)),
                }
        })
    }
}

fn same_authority(one: &str, other: &str) -> bool {
    match (split_authority(one), split_authority(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Host (lower case, IPv6 in brackets) and port of `host[:port]`; nothing else may be in it.
fn split_authority(text: &str) -> Option<(String, Option<u16>)> {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => {
            let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
            (name, Some(digits.then(|| port.parse().ok())??))
        }
        _ => (text, None),
    };
    let valid = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
        }
    };
    valid.then(|| (name.to_ascii_lowercase(), port))
}

fn join_authority(name: &str, port: Option<u16>) -> String {
    port.map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

/// An address as it stands in a URL.
pub(super) fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn names(bind: &str, hosts: &[&str], origins: &[&str]) -> Names {
        Names::new(
            vec![7640],
            bind.parse().unwrap(),
            hosts.iter().map(|host| host.parse().unwrap()).collect(),
            origins.iter().map(|origin| origin.parse().unwrap()).collect(),
        )
    }

    #[test]
    fn hosts() {
        let plain = names("127.0.0.1", &[], &[]);
        for ours in ["127.0.0.1:7640", "localhost:7640", "LOCALHOST:7640", "[::1]:7640"] {
            assert!(plain.allows_host(ours), "{ours}");
        }
        for foreign in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:7641",
            "127.0.0.1:",
            "127.0.0.1:+7640",
            "127.0.0.1:7640:7640",
            "127.0.0.2:7640",
            "evil.example:7640",
            "localhost.evil.example:7640",
            "localhost.:7640",
            "user@127.0.0.1:7640",
            "[::1]",
            "::1:7640",
            "127.0.0.1:7640/",
            "0.0.0.0:7640",
        ] {
            assert!(!plain.allows_host(foreign), "{foreign}");
        }
    }

    #[test]
    fn hosts_that_were_given() {
        let given = names("0.0.0.0", &["Box.example", "proxy.example:8443"], &[]);
        for ours in [
            "box.example",
            "BOX.example:7640",
            "proxy.example:8443",
            "127.0.0.1:7640",
        ] {
            assert!(given.allows_host(ours), "{ours}");
        }
        for foreign in ["box.example:81", "proxy.example", "proxy.example:7640", "0.0.0.0:7640"] {
            assert!(!given.allows_host(foreign), "{foreign}");
        }
        assert!(names("192.0.2.7", &[], &[]).allows_host("192.0.2.7:7640"));
        assert!(!names("192.0.2.7", &[], &[]).allows_host("192.0.2.8:7640"));
        for odd in ["http://box", "box/path", "", "box:port", "a b"] {
            assert!(odd.parse::<AllowedHost>().is_err(), "{odd}");
        }
    }

    #[test]
    fn origins() {
        let names = names(
            "127.0.0.1",
            &["box.example"],
            &["https://app.example", "tauri://localhost"],
        );
        for (origin, host, expected) in [
            ("http://127.0.0.1:7640", "127.0.0.1:7640", Origin::Own),
            ("http://localhost:7640", "localhost:7640", Origin::Own),
            ("http://box.example", "box.example", Origin::Own),
            ("https://box.example", "box.example", Origin::Own),
            ("https://app.example", "127.0.0.1:7640", Origin::Allowed),
            ("tauri://localhost", "127.0.0.1:7640", Origin::Allowed),
            ("https://127.0.0.1:7640", "127.0.0.1:7640", Origin::Foreign),
            ("http://localhost:7640", "127.0.0.1:7640", Origin::Foreign),
            ("http://127.0.0.1:7641", "127.0.0.1:7640", Origin::Foreign),
            ("http://127.0.0.1", "127.0.0.1:7640", Origin::Foreign),
            ("http://app.example", "127.0.0.1:7640", Origin::Foreign),
            ("https://app.example:444", "127.0.0.1:7640", Origin::Foreign),
            ("https://sub.app.example", "127.0.0.1:7640", Origin::Foreign),
            ("null", "127.0.0.1:7640", Origin::Foreign),
            ("", "127.0.0.1:7640", Origin::Foreign),
        ] {
            assert_eq!(names.origin(origin, host), expected, "{origin} to {host}");
        }
    }

    #[test]
    fn origins_that_are_refused_at_the_start() {
        for odd in [
            "*",
            "null",
            "app.example",
            "https://app.example/",
            "https://*.example",
            "https://App.example",
            "HTTPS://app.example",
            "https://app.example:443",
            "http://app.example:80",
            "https://",
            "https://user@app.example",
            "https://app.example?x",
        ] {
            assert!(odd.parse::<AllowedOrigin>().is_err(), "{odd}");
        }
        for fine in ["https://app.example:8443", "tauri://localhost", "http://[::1]:3000"] {
            assert!(fine.parse::<AllowedOrigin>().is_ok(), "{fine}");
        }
    }
}
