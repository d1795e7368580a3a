//! The npm packages of a lock file. What the page ships is of few packages; the others are for building and testing.

use anyhow::{Context, Result};
use serde_json::Value;

use super::license::is_allowed;

/// The licences of packages.
const ALLOWED: [&str; 8] = [
    "Apache-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "Zlib",
];

/// Packages under others, or that do not state theirs in words a program can read: for tests alone, and unchanged.
const TESTS_ONLY: [(&str, &str); 4] = [
    ("axe-core", "MPL-2.0"),
    // MIT, and Apache-2.0 for what is newer, says the file.
    ("@modelcontextprotocol/server-everything", "SEE LICENSE IN LICENSE"),
    ("@modelcontextprotocol/server-filesystem", "SEE LICENSE IN LICENSE"),
    ("@modelcontextprotocol/server-memory", "SEE LICENSE IN LICENSE"),
];

/// What is wrong with a `package-lock.json`: packages from elsewhere than the registry, without a checksum, or under a
/// licence that is not allowed.
pub(super) fn findings(lock: &str) -> Result<Vec<String>> {
    let lock: Value = serde_json::from_str(lock)?;
    let packages = lock.get("packages").and_then(Value::as_object).context("no packages")?;
    let mut findings = Vec::new();
    for (path, package) in packages {
        let text = |key: &str| package.get(key).and_then(Value::as_str);
        let flag = |key: &str| package.get(key).and_then(Value::as_bool) == Some(true);
        // A link, and what it leads to, is of this repository.
        let Some((_, name)) = path.rsplit_once("node_modules/").filter(|_| !flag("link")) else {
            continue;
        };
        // Where a package is from is left out of the lock file (`.npmrc`) if that is the registry.
        if text("resolved").is_some() || text("integrity").is_none() {
            findings.push(format!("{name} is not from the registry, with a checksum"));
        }
        let license = text("license").unwrap_or_default();
        let is_for_tests = flag("dev") && TESTS_ONLY.contains(&(name, license));
        if !is_for_tests && !is_allowed(license, &ALLOWED) {
            findings.push(format!("{name} is under {license:?}, which is not allowed"));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what it expects by failing")]

    use serde_json::{Value, json};

    use super::findings;

    fn found(packages: &Value) -> Vec<String> {
        findings(&json!({ "packages": packages }).to_string()).unwrap()
    }

    #[test]
    fn packages_are_from_the_registry_and_under_allowed_licences() {
        let good = json!({
            "": {"name": "ours"},
            "web": {"version": "0.1.0"},
            "node_modules/@ours/web": {"resolved": "web", "link": true},
            "node_modules/a": {"version": "1.0.0", "integrity": "sha512-0", "license": "(MIT OR GPL-3.0)"},
            "node_modules/axe-core": {"integrity": "sha512-0", "license": "MPL-2.0", "dev": true},
        });
        assert_eq!(found(&good), Vec::<String>::new());
        let bad = json!({
            "node_modules/a/node_modules/@b/c": {"resolved": "git+ssh://host/c.git#0", "license": "MIT"},
            "node_modules/axe-core": {"integrity": "sha512-0", "license": "MPL-2.0"},
            "node_modules/d": {"integrity": "sha512-0"},
        });
        assert_eq!(
            found(&bad),
            [
                "@b/c is not from the registry, with a checksum",
                "axe-core is under \"MPL-2.0\", which is not allowed",
                "d is under \"\", which is not allowed",
            ]
        );
        assert!(findings("{}").is_err());
    }
}
