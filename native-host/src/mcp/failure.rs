//! Failures as a person reads them: the code, and one or two sentences that say what happened and what to do.

use toolgate_core::{Code, Diagnostic};

use super::{Failure, FailureClass, Step};

impl Failure {
    /// A failure of which nothing is known beyond its class.
    pub fn new(class: FailureClass, step: Step) -> Self {
        Self {
            class,
            step,
            detail: None,
        }
    }

    /// The same with what else is known and safe to show.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The failure as a diagnostic: its code, and sentences that say what to do.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let (_, advice) = sentences(self.class, self.step);
        Diagnostic::new(self.class.code(), format!("{} {advice}", self.what()))
    }

    /// What happened, as a sentence without advice: where trying again is not for us to recommend.
    pub fn what(&self) -> String {
        let (what, _) = sentences(self.class, self.step);
        match &self.detail {
            Some(detail) => format!("{what} ({detail})."),
            None => format!("{what}."),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_diagnostic().fmt(formatter)
    }
}

impl std::error::Error for Failure {}

impl FailureClass {
    /// The code of this class.
    pub const fn code(self) -> Code {
        match self {
            Self::Dns => Code::ConnectionDns,
            Self::ConnectionRefused => Code::ConnectionRefused,
            Self::ConnectionReset => Code::ConnectionReset,
            Self::Timeout => Code::ConnectionTimeout,
            Self::TlsCertificate => Code::ConnectionTlsCertificate,
            Self::Unauthorized => Code::ConnectionUnauthorized,
            Self::Forbidden => Code::ConnectionForbidden,
            Self::NotFound => Code::ConnectionNotFound,
            Self::MethodNotAllowed => Code::ConnectionMethodNotAllowed,
            Self::RateLimited => Code::ConnectionRateLimited,
            Self::ServerError => Code::ConnectionServerError,
            Self::Redirect => Code::ConnectionRedirect,
            Self::NotMcp => Code::ConnectionNotMcp,
            Self::LegacySse => Code::ConnectionLegacySse,
            Self::ProtocolVersion => Code::ConnectionProtocolVersion,
            Self::ResponseTooLarge => Code::ConnectionResponseTooLarge,
            Self::MalformedResponse => Code::ConnectionMalformedResponse,
            Self::UnsupportedEncoding => Code::ConnectionUnsupportedEncoding,
            Self::Refused => Code::ConnectionRequestRefused,
            Self::HeadersInvalid => Code::DiscoveryHeadersInvalid,
            Self::HttpClientUnavailable => Code::ConnectionHttpClientUnavailable,
            Self::ToolsCapabilityMissing => Code::ConnectionToolsCapabilityMissing,
            Self::CommandMissing => Code::ConnectionCommandMissing,
            Self::CommandNotExecutable => Code::ConnectionCommandNotExecutable,
            Self::FolderMissing => Code::ConnectionFolderMissing,
            Self::DependencyMissing => Code::ConnectionDependencyMissing,
            Self::HttpNotAllowed => Code::ConnectionHttpNotAllowed,
            Self::NpmCacheBroken => Code::ConnectionNpmCacheBroken,
            Self::Exited => Code::ConnectionExited,
            Self::TransportUnsupported => Code::TransportUnsupported,
        }
    }
}

/// What happened, without a full stop, and what to do about it.
fn sentences(class: FailureClass, step: Step) -> (&'static str, &'static str) {
    match class {
        FailureClass::Dns => (
            "The server's host name could not be resolved",
            "Check the spelling of the endpoint and this computer's network connection.",
        ),
        FailureClass::ConnectionRefused => (
            "No connection to the server's address could be made",
            "Check that the server is running and that host and port are right.",
        ),
        FailureClass::ConnectionReset => (
            "The server closed the connection in the middle",
            "Try again; where it happens each time, look at the server's own log.",
        ),
        FailureClass::Timeout => timeout_sentences(step),
        FailureClass::TlsCertificate => (
            "No trusted TLS connection to the server could be made",
            "Check that the certificate is valid for this host and that this computer trusts its issuer, or whether the endpoint should begin with http://.",
        ),
        FailureClass::Unauthorized => (
            "The server asks for credentials (HTTP status 401)",
            "Set the header it expects, often Authorization, and check that its value is current.",
        ),
        FailureClass::Forbidden => (
            "The server refuses access (HTTP status 403)",
            "Check that the credentials in the headers have the rights this server asks for.",
        ),
        FailureClass::NotFound => (
            "There is nothing at the endpoint (HTTP status 404)",
            "Check the path; many servers answer at /mcp.",
        ),
        FailureClass::MethodNotAllowed => (
            "The endpoint takes no MCP requests (HTTP status 405)",
            "Check the path; many servers answer at /mcp.",
        ),
        FailureClass::RateLimited => (
            "The server asks for fewer requests (HTTP status 429)",
            "Wait a while, then try again.",
        ),
        FailureClass::ServerError => (
            "The server failed",
            "Try again later; where it happens each time, look at the server's own log.",
        ),
        FailureClass::Redirect => (
            "The endpoint redirects elsewhere",
            "Redirects are not followed, so that headers reach nobody else. Save the address it leads to as the endpoint; often only a slash at the end differs.",
        ),
        FailureClass::NotMcp => (
            "What answers at the endpoint does not speak MCP",
            "Check the address: it should be the server's MCP endpoint, not a web page.",
        ),
        FailureClass::LegacySse => (
            "The server speaks only the HTTP+SSE transport of 2024, which is not supported",
            "Use its Streamable HTTP endpoint if it has one, often at /mcp, or a newer version of it.",
        ),
        FailureClass::ProtocolVersion => (
            "There is no protocol version in common",
            "Set the server's protocol version to auto, or to one that it speaks.",
        ),
        FailureClass::ResponseTooLarge => (
            "The server's answer is larger than the limit",
            match step {
                Step::Call => "Nothing of it was used; ask for less at a time.",
                _ => "Nothing of it was used; ask the server's provider for smaller pages or fewer headers.",
            },
        ),
        FailureClass::MalformedResponse => (
            "The server's answer is not valid JSON-RPC",
            "This is a fault of the server, or of something in between; look at the server's own log.",
        ),
        FailureClass::UnsupportedEncoding => (
            "The server's answer is compressed although that was not offered",
            "Switch compression off at the server, or at the proxy in front of it.",
        ),
        FailureClass::Refused => (
            "The server refused the request",
            "Check the protocol version and, over HTTP, the headers; the server's own log may say more.",
        ),
        FailureClass::HeadersInvalid => (
            "A configured header cannot be sent",
            "Correct or remove it; nothing was sent.",
        ),
        FailureClass::HttpClientUnavailable => (
            "The HTTP client could not be set up",
            "Correct that variable or unset it, then start Toolgate again; nothing was sent.",
        ),
        FailureClass::ToolsCapabilityMissing => (
            "The server says that it offers no tools",
            "There is nothing to list; check that the endpoint belongs to the server you mean.",
        ),
        FailureClass::CommandMissing
        | FailureClass::CommandNotExecutable
        | FailureClass::FolderMissing
        | FailureClass::DependencyMissing
        | FailureClass::HttpNotAllowed
        | FailureClass::NpmCacheBroken
        | FailureClass::Exited
        | FailureClass::TransportUnsupported => process_sentences(class),
    }
}

/// The same of a server that is a child process, and of one that cannot be reached at all.
fn process_sentences(class: FailureClass) -> (&'static str, &'static str) {
    match class {
        FailureClass::CommandMissing => (
            "The server's command was not found",
            "Check its spelling and whether it is installed on the computer Toolgate runs on; its full path always finds it.",
        ),
        FailureClass::CommandNotExecutable => (
            "The server's command could not be run",
            "Check that it is a program for this computer, and that its file may be executed.",
        ),
        FailureClass::FolderMissing => (
            "The folder the server should start in does not exist",
            "Correct the server's cwd or make the folder.",
        ),
        FailureClass::DependencyMissing => (
            "The server could not start because something it needs is not installed",
            "Install the package or program it needs where Toolgate runs, and check the package's name in the arguments.",
        ),
        FailureClass::HttpNotAllowed => (
            "mcp-remote refuses an unencrypted address on another computer",
            "Use an https:// address; or, in a network you trust, add --allow-http to the arguments.",
        ),
        FailureClass::NpmCacheBroken => (
            "npm's cache on the computer Toolgate runs on is damaged",
            "Clear it there for this package (npm cache verify, or remove its folder below _npx) and install the package anew; the server need not be changed.",
        ),
        FailureClass::TransportUnsupported => (
            "This host cannot use the server's transport",
            "Use a server that is reached over HTTP.",
        ),
        // Exited; no other class comes here.
        _ => (
            "The server's process ended",
            "Run its command in a terminal to see what it says; often an argument or a variable is missing.",
        ),
    }
}

/// The same of a step that took too long.
fn timeout_sentences(step: Step) -> (&'static str, &'static str) {
    match step {
        Step::Prepare | Step::Connect => (
            "No connection to the server came about in time",
            "Check host and port, and whether a firewall or proxy stands in between.",
        ),
        Step::Start => (
            "The server did not answer the first request in time",
            "Check that it is up and that the address, or the command, is that of an MCP server; then try again.",
        ),
        Step::ListTools => (
            "The server did not send its list of tools in time",
            "Try again; where it happens each time, look at the server's own log.",
        ),
        Step::Check => (
            "The tools were read, but checking their schemas was not done in time",
            "Nothing of them was kept. A tool's schema is too costly to check; tell the server's provider.",
        ),
        Step::Call => (
            "The server did not answer the call in time",
            "Where it happens each time, look at the server's own log.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_stands_in_the_sentence() {
        let failure = Failure::new(FailureClass::ServerError, Step::ListTools).with_detail("HTTP status 503");
        let diagnostic = failure.to_diagnostic();
        assert_eq!(diagnostic.code, Code::ConnectionServerError);
        assert!(
            diagnostic.message.starts_with("The server failed (HTTP status 503). "),
            "{}",
            diagnostic.message
        );
    }

    #[test]
    fn a_timeout_says_which_step_took_too_long() {
        let at = |step| Failure::new(FailureClass::Timeout, step).to_diagnostic().message;
        assert!(at(Step::Connect).contains("connection"));
        assert!(at(Step::Start).contains("first request"));
        assert!(at(Step::ListTools).contains("list of tools"));
    }
}
