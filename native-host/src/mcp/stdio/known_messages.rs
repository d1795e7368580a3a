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
    known("mcp-remote", &["Authentication required. "], FailureClass::Unauthorized),
    known(
        "mcp-remote",
        &["Initializing auth coordination on-demand"],
        FailureClass::Unauthorized,
    ),
    known(
        "mcp-remote",
        &["Dynamic Client Registration rejected (HTTP 401)"],
        FailureClass::Unauthorized,
    ),
    known(
        "mcp-remote",
        &["To authorize this client, visit:"],
        FailureClass::Unauthorized,
    ),
    known(
        "mcp-remote",
        &["SdkHttpError", "data: { status: 401"],
        FailureClass::Unauthorized,
    ),
    known(
        "mcp-remote",
        &["SdkHttpError", "data: { status: 403"],
        FailureClass::Forbidden,
    ),
    known(
        "mcp-remote",
        &["SdkHttpError", "data: { status: 404"],
        FailureClass::NotFound,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_that_tells_most_says_what_the_failure_is() {
        for (text, class, tool) in [
            (
                "npm error code EINTEGRITY\nnpm error sha512-AA== integrity checksum failed",
                FailureClass::NpmCacheBroken,
                "npm",
            ),
            (
                "npm error code ENOTEMPTY\nnpm error path /home/a/.npm/_npx/15b0/node_modules/x",
                FailureClass::NpmCacheBroken,
                "npm",
            ),
            // A module that is missing from what npx unpacked is npm's cache; any other is the package's.
            (
                "Error: Cannot find module '/home/a/.npm/_npx/15b0/node_modules/x/index.js'",
                FailureClass::NpmCacheBroken,
                "npm",
            ),
            (
                "Error: Cannot find module '/srv/server/index.js'",
                FailureClass::DependencyMissing,
                "Node",
            ),
            (
                "npm error code E404\nnpm error 404 Not Found - GET",
                FailureClass::DependencyMissing,
                "npm",
            ),
            (
                "ModuleNotFoundError: No module named 'mcp'",
                FailureClass::DependencyMissing,
                "Python",
            ),
            (
                "/usr/bin/env: ‘node’: No such file or directory",
                FailureClass::DependencyMissing,
                "env",
            ),
            (
                "Error: Non-HTTPS URLs are only allowed for localhost or when --allow-http flag is provided",
                FailureClass::HttpNotAllowed,
                "mcp-remote",
            ),
            (
                "TypeError: fetch failed\n  code: 'CERT_HAS_EXPIRED'",
                FailureClass::TlsCertificate,
                "Node",
            ),
            ("Error: getaddrinfo ENOTFOUND mcp.example", FailureClass::Dns, "Node"),
            (
                "Error: connect ECONNREFUSED 127.0.0.1:9",
                FailureClass::ConnectionRefused,
                "Node",
            ),
            ("npm error code E401", FailureClass::Unauthorized, "npm"),
        ] {
            assert_eq!(find(text), Some((class, tool)), "{text}");
        }
        for text in ["", "npm error code ENOTEMPTY", "Listening on 8080", "code EEXIST"] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
