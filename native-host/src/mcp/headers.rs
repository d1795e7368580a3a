//! What goes out with every request of a connection: the endpoint and the configured headers, checked before anything
//! is sent.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    TRANSFER_ENCODING, USER_AGENT,
};
use toolgate_core::server::HttpConfig;
use url::Url;

use super::{Failure, FailureClass, Step};

const AGENT: &str = concat!("toolgate/", env!("CARGO_PKG_VERSION"));

/// Names the transport must set itself: the framing of the message, and what the SDK refuses.
const RESERVED: [HeaderName; 5] = [
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
    ACCEPT,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("last-event-id"),
];

/// Where requests go and what they carry. Holds secrets, and therefore has no `Debug`.
pub(super) struct Target {
    url: Url,
    configured: HeaderMap,
}

impl Target {
    /// Checks a configuration; a header that cannot be sent is named in the failure, its value never.
    pub(super) fn new(config: &HttpConfig) -> Result<Self, Failure> {
        let configured = configured(config)?;
        let mut url = Url::parse(&config.url)
            .map_err(|_| Failure::new(FailureClass::NotMcp, Step::Prepare).with_detail("the endpoint is not a URL"))?;
        if configured.contains_key(AUTHORIZATION) {
            // The HTTP client would turn userinfo into a second Authorization. Cannot fail for a URL with a host.
            let _ = url.set_username("");
            let _ = url.set_password(None);
        }
        Ok(Self { url, configured })
    }

    /// The endpoint. Userinfo in it becomes Basic authorization below.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Whether the endpoint is on this computer, so that no proxy may stand in between.
    pub(super) fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(url::Host::Domain(name)) => {
                let name = name.strip_suffix('.').unwrap_or(name);
                name == "localhost" || name.ends_with(".localhost")
            }
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => {
                address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
            }
            None => false,
        }
    }

    /// Headers of one request: our defaults, the configured ones in their place, and the protocol's own over all.
    pub(super) fn headers<'a>(
        &self,
        accept: &'static str,
        protocol: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>,
    ) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        for name in self.configured.keys() {
            headers.remove(name);
        }
        for (name, value) in &self.configured {
            headers.append(name, value.clone());
        }
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        for (name, value) in protocol {
            headers.insert(name, value.clone());
        }
        headers
    }
}

fn configured(config: &HttpConfig) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in config.headers.iter() {
        let invalid = |why: &str| {
            Failure::new(FailureClass::HeadersInvalid, Step::Prepare).with_detail(format!("{} {why}", shown(name)))
        };
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| invalid("is followed by a character that a header's name cannot hold"))?;
        if RESERVED.contains(&header) {
            return Err(invalid("is set by the transport itself"));
        }
        let mut value = HeaderValue::from_bytes(value.as_bytes())
            .map_err(|_| invalid("has a value with a line break or another control character"))?;
        value.set_sensitive(true);
        headers
            .try_append(header, value)
            .map_err(|_| invalid("is one header too many"))?;
    }
    Ok(headers)
}

/// A header's name as an error may show it: up to the first character that no name has. What follows may be a value
/// that was pasted into the wrong field.
fn shown(name: &str) -> String {
    let valid: String = name
        .chars()
        .take_while(|character| character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(*character))
        .take(64)
        .collect();
    if valid.is_empty() {
        "a header without a name".to_owned()
    } else {
        format!("the header {valid}")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use toolgate_core::named_values::NamedValues;
    use toolgate_core::server::ProtocolVersion;

    use super::*;

    fn target(url: &str, headers: &[(&str, &str)]) -> Result<Target, Failure> {
        let mut values = NamedValues::new();
        for (name, value) in headers {
            assert!(values.insert((*name).to_owned(), (*value).to_owned()));
        }
        Target::new(&HttpConfig {
            url: url.to_owned(),
            headers: values,
            protocol_version: ProtocolVersion::Auto,
        })
    }

    fn refusal(name: &str, value: &str) -> String {
        let failure = target("http://h/", &[(name, value)]).err().expect("refused");
        assert_eq!(failure.class, FailureClass::HeadersInvalid);
        let message = failure.to_diagnostic().message;
        assert!(!message.contains("s3cret"), "{message}");
        message
    }

    #[test]
    fn what_cannot_be_sent_is_named_without_its_value() {
        for name in [
            "Content-Length",
            "transfer-encoding",
            "ACCEPT",
            "Mcp-Session-Id",
            "Last-Event-ID",
        ] {
            assert!(refusal(name, "s3cret").contains(&format!("the header {name} is set by")));
        }
        assert!(refusal("X-Key", "s3cret\nX: y").contains("the header X-Key has a value"));
        assert!(refusal("Authorization: Bearer s3cret", "x").contains("the header Authorization is followed"));
        assert!(refusal("", "s3cret").contains("a header without a name"));
        assert!(refusal("名", "s3cret").contains("a header without a name"));
    }

    #[test]
    fn names_equal_but_for_case_are_separate_lines_in_order() {
        let target = target("http://h/", &[("X-A", "1"), ("x-a", "2"), ("Content-Type", "text/x")]).unwrap();
        let version = (
            HeaderName::from_static("mcp-protocol-version"),
            HeaderValue::from_static("2025-06-18"),
        );
        let headers = target.headers("application/json", std::iter::once((&version.0, &version.1)));
        let all = |name: &str| {
            headers
                .get_all(name)
                .iter()
                .map(|value| value.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(all("x-a"), ["1", "2"]);
        assert_eq!(all("content-type"), ["text/x"]);
        assert_eq!(all("mcp-protocol-version"), ["2025-06-18"]);
    }

    #[test]
    fn a_configured_authorization_replaces_userinfo() {
        let kept = target("http://u:p@h/", &[]).unwrap();
        assert_eq!(kept.url().username(), "u");
        let replaced = target("http://u:p@h/", &[("authorization", "Bearer x")]).unwrap();
        assert_eq!((replaced.url().username(), replaced.url().password()), ("", None));
    }

    #[test]
    fn loopback_by_name_and_address() {
        for url in [
            "http://localhost/",
            "http://a.localhost:1/",
            "http://127.9.9.9/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(target(url, &[]).unwrap().is_loopback(), "{url}");
        }
        for url in ["http://localhost.example/", "http://10.0.0.1/", "http://[::2]/"] {
            assert!(!target(url, &[]).unwrap().is_loopback(), "{url}");
        }
    }
}
