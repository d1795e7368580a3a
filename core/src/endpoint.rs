//! The endpoint of an HTTP server: what is one, and the form in which it is stored.

use url::{Host, ParseError, Url};

use crate::{Code, Diagnostic};

/// The endpoint as it is stored: trimmed, parsed by the WHATWG URL rules and written as that parser writes it. It is
/// an http or https URL with a host; userinfo and a query are kept, a fragment, even an empty one, is refused (manager
/// contract §5).
///
/// The first rule that is broken names the code: text that is no URL at all `mcp.endpoint_invalid`; a relative URL,
/// or one without a host (`/mcp`, `//host`, `mailto:x`, `http:///`) `mcp.endpoint_absolute_required`; another scheme
/// `mcp.endpoint_scheme_invalid`; a fragment `mcp.endpoint_fragment_forbidden`. No message repeats the text: it may
/// hold a secret.
pub fn normalize(text: &str) -> Result<String, Diagnostic> {
    let text = text.trim();
    let url = Url::parse(text).map_err(|error| unparsable(text, error))?;
    if url.cannot_be_a_base() || !url.has_host() {
        return Err(Diagnostic::new(
            Code::EndpointAbsoluteRequired,
            "The endpoint has no host. Write https:// (or http://) and the host in front, such as https://example.com/mcp.",
        ));
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Diagnostic::new(
            Code::EndpointSchemeInvalid,
            "The endpoint's scheme is neither http nor https; MCP over HTTP knows only these two.",
        ));
    }
    if url.fragment().is_some() {
        return Err(Diagnostic::new(
            Code::EndpointFragmentForbidden,
            "The endpoint has a fragment; it is never sent to a server. Leave out the # and what follows it.",
        ));
    }
    Ok(url.into())
}

/// Whether the URL's host is this machine by its name or address, without any look-up.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
        None => false,
    }
}

fn unparsable(text: &str, error: ParseError) -> Diagnostic {
    if text.is_empty() {
        return Diagnostic::new(
            Code::EndpointInvalid,
            "The endpoint is empty. Write a URL such as https://example.com/mcp.",
        );
    }
    let what = match error {
        // Text with white space inside is prose rather than a relative URL.
        ParseError::RelativeUrlWithoutBase if !text.contains(char::is_whitespace) => {
            return Diagnostic::new(
                Code::EndpointAbsoluteRequired,
                "The endpoint is not absolute. Write https:// (or http://) and the host in front, such as https://example.com/mcp.",
            );
        }
        ParseError::EmptyHost => {
            return Diagnostic::new(
                Code::EndpointAbsoluteRequired,
                "The endpoint has no host. Write it after the two slashes, such as https://example.com/mcp.",
            );
        }
        ParseError::InvalidPort => "its port is not a number from 0 to 65535",
        ParseError::InvalidIpv4Address => "its host is not a valid IPv4 address",
        ParseError::InvalidIpv6Address => "its host is not a valid IPv6 address",
        ParseError::IdnaError | ParseError::InvalidDomainCharacter => "its host name holds what a host name cannot",
        _ => "it does not follow the rules for URLs",
    };
    Diagnostic::new(
        Code::EndpointInvalid,
        format!("The endpoint is not a URL: {what}. Write a URL such as https://example.com/mcp."),
    )
}
