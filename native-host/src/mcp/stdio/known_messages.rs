//! The one place where a text decides what a failure is: messages of tools that start servers and say nothing by their
//! exit code. Nothing of the text goes any further.

use super::super::FailureClass;

/// A message of a tool.
struct Known {
    /// Whose message it is.
    tool: &'static str,
    /// What stands in it, all of it.
    parts: &'static [&'static str],
    class: FailureClass,
}

const fn known(tool: &'static str, parts: &'static [&'static str], class: FailureClass) -> Known {
    Known { tool, parts, class }
}

/// In the order of how much a message tells: the first that is there counts.
const KNOWN: &[Known] = &[
    // mcp-remote: plain http beyond this computer, without the flag that allows it.
    known(
        "mcp-remote",
        &["Non-HTTPS URLs are only allowed for localhost or when --allow-http"],
        FailureClass::HttpNotAllowed,
    ),
    // npm, npx: packages that are half there, or a cache that cannot be used.
    known("npm", &["code EINTEGRITY"], FailureClass::NpmCacheBroken),
    known("npm", &["code ENOTEMPTY", "_npx"], FailureClass::NpmCacheBroken),
    known("npm", &["code EEXIST", "_cacache"], FailureClass::NpmCacheBroken),
    known("npm", &["code EACCES", "_cacache"], FailureClass::NpmCacheBroken),
    known("npm", &["code EACCES", "_npx"], FailureClass::NpmCacheBroken),
    known(
        "npm",
        &["cache folder contains root-owned files"],
        FailureClass::NpmCacheBroken,
    ),
    known("npm", &["Cannot find module", "_npx"], FailureClass::NpmCacheBroken),
    known("npm", &["ERR_MODULE_NOT_FOUND", "_npx"], FailureClass::NpmCacheBroken),
    known("npm", &["code TAR_BAD_ARCHIVE"], FailureClass::NpmCacheBroken),
    // TLS, as Node says it, and as Python and uv do.
    known("Node", &["SELF_SIGNED_CERT_IN_CHAIN"], FailureClass::TlsCertificate),
    known("Node", &["DEPTH_ZERO_SELF_SIGNED_CERT"], FailureClass::TlsCertificate),
    known(
        "Node",
        &["UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
        FailureClass::TlsCertificate,
    ),
    known("Node", &["UNABLE_TO_GET_ISSUER_CERT"], FailureClass::TlsCertificate),
    known("Node", &["CERT_HAS_EXPIRED"], FailureClass::TlsCertificate),
    known("Node", &["ERR_TLS_CERT_ALTNAME_INVALID"], FailureClass::TlsCertificate),
    known(
        "Node",
        &["unable to get local issuer certificate"],
        FailureClass::TlsCertificate,
    ),
    known(
        "Node",
        &["unable to verify the first certificate"],
        FailureClass::TlsCertificate,
    ),
    known(
        "Node",
        &["Error: self-signed certificate"],
        FailureClass::TlsCertificate,
    ),
    known("Node", &["certificate has expired"], FailureClass::TlsCertificate),
    known("Python", &["CERTIFICATE_VERIFY_FAILED"], FailureClass::TlsCertificate),
    known("uv", &["invalid peer certificate"], FailureClass::TlsCertificate),
    // Names that have no address.
    known("Node", &["getaddrinfo ENOTFOUND"], FailureClass::Dns),
    known("Node", &["getaddrinfo EAI_AGAIN"], FailureClass::Dns),
    known("npm", &["code ENOTFOUND"], FailureClass::Dns),
    known("npm", &["code EAI_AGAIN"], FailureClass::Dns),
    known("uv", &["failed to lookup address information"], FailureClass::Dns),
    known("Python", &["Name or service not known"], FailureClass::Dns),
    known("Python", &["Temporary failure in name resolution"], FailureClass::Dns),
    known("Python", &["nodename nor servname provided"], FailureClass::Dns),
    // Addresses at which nothing listens.
    known("Node", &["connect ECONNREFUSED"], FailureClass::ConnectionRefused),
    known("npm", &["code ECONNREFUSED"], FailureClass::ConnectionRefused),
    known("Python", &["ConnectionRefusedError"], FailureClass::ConnectionRefused),
    known(
        "uv",
        &["tcp connect error", "Connection refused"],
        FailureClass::ConnectionRefused,
    ),
    // Credentials.
    known("npm", &["code E401"], FailureClass::Unauthorized),
    known("mcp-remote", &["Authentication required"], FailureClass::Unauthorized),
    known("mcp-remote", &["UnauthorizedError"], FailureClass::Unauthorized),
    known(
        "mcp-remote",
        &["StreamableHTTPError", "HTTP 401"],
        FailureClass::Unauthorized,
    ),
    known("mcp-remote", &["Fatal error", "HTTP 401"], FailureClass::Unauthorized),
    known(
        "mcp-remote",
        &["Connection error", "HTTP 401"],
        FailureClass::Unauthorized,
    ),
    // Something that the program needs is not there.
    known("npm", &["code E404"], FailureClass::DependencyMissing),
    known("npm", &["code ETARGET"], FailureClass::DependencyMissing),
    known("npm", &["code ENOTCACHED"], FailureClass::DependencyMissing),
    known(
        "npm",
        &["could not determine executable to run"],
        FailureClass::DependencyMissing,
    ),
    known("Node", &["Cannot find module"], FailureClass::DependencyMissing),
    known("Node", &["Cannot find package"], FailureClass::DependencyMissing),
    known("Node", &["ERR_MODULE_NOT_FOUND"], FailureClass::DependencyMissing),
    known("Python", &["ModuleNotFoundError"], FailureClass::DependencyMissing),
    known("Python", &["No module named"], FailureClass::DependencyMissing),
    known("Python", &["ImportError: "], FailureClass::DependencyMissing),
    known(
        "uv",
        &["No solution found when resolving"],
        FailureClass::DependencyMissing,
    ),
    known("uv", &["error: Failed to spawn"], FailureClass::DependencyMissing),
    known(
        "the system",
        &["error while loading shared libraries"],
        FailureClass::DependencyMissing,
    ),
    known(
        "the system",
        &["dyld", "Library not loaded"],
        FailureClass::DependencyMissing,
    ),
    known(
        "env",
        &["env: ", "No such file or directory"],
        FailureClass::DependencyMissing,
    ),
];

/// What a known tool says in this text: the class of the failure, and whose message it is.
pub(super) fn find(text: &str) -> Option<(FailureClass, &'static str)> {
    let known = KNOWN
        .iter()
        .find(|known| known.parts.iter().all(|part| text.contains(part)))?;
    Some((known.class, known.tool))
}
