//! The crates of a workspace: what its lock file and its packages say of themselves.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::Value;

use super::Workspace;
use super::license::is_allowed;
use super::policy::Policy;
use crate::process::{cargo, output};
use crate::toolchain;

/// A package of a lock file.
struct Locked<'a> {
    name: &'a str,
    version: &'a str,
    source: Option<&'a str>,
    has_checksum: bool,
}

/// What is wrong with a `Cargo.lock`: other sources than one registry, and versions beside each other that nobody explained.
pub(super) fn findings(lock: &str, policy: &Policy) -> Vec<String> {
    let packages: Vec<Locked<'_>> = lock.split("[[package]]").skip(1).filter_map(locked).collect();
    let mut findings = Vec::new();
    let mut registries = BTreeSet::new();
    for package in &packages {
        let Locked { name, version, .. } = package;
        // One without a source is of this repository.
        let Some(source) = package.source else { continue };
        if !source.starts_with("registry+") || !package.has_checksum {
            findings.push(format!("{name} {version} is not from the registry, with a checksum"));
        }
        registries.insert(source);
    }
    if registries.len() > 1 {
        findings.push("the packages are from more than one registry".to_owned());
    }
    let Some(skip) = &policy.skip else { return findings };
    for Locked { name, version, .. } in &packages {
        let versions = packages.iter().filter(|other| other.name == *name).count();
        // One of them, whichever, needs no excuse.
        let unexplained = packages
            .iter()
            .filter(|other| other.name == *name && !skip.contains(&format!("{name}@{}", other.version)))
            .count();
        if versions > 1 && unexplained > 1 && !skip.contains(&format!("{name}@{version}")) {
            findings.push(format!(
                "{name} {version} is here beside another version: get rid of one, or say in `skip` of deny.toml whose it is"
            ));
        }
    }
    for entry in skip {
        let is_needed = packages.iter().any(|package| {
            format!("{}@{}", package.name, package.version) == *entry
                && packages.iter().filter(|other| other.name == package.name).count() > 1
        });
        if !is_needed {
            findings.push(format!(
                "`skip` of deny.toml has {entry}, which needs no excuse any more"
            ));
        }
    }
    findings
}

fn locked(text: &str) -> Option<Locked<'_>> {
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.find_map(|rest| rest.strip_prefix(" = \"")?.strip_suffix('"'))
    };
    Some(Locked {
        name: value("name")?,
        version: value("version")?,
        source: value("source"),
        has_checksum: value("checksum").is_some(),
    })
}

/// What Cargo knows of the packages of a workspace.
pub(super) fn metadata(workspace: &Workspace) -> Result<Value> {
    let mut metadata = cargo();
    let manifest = format!("{}Cargo.toml", workspace.folder);
    metadata.args(["metadata", "--all-features", "--format-version", "1"]);
    metadata.args(["--manifest-path", &manifest]);
    if !workspace.every_platform {
        metadata.args(["--filter-platform", &toolchain::host()?]);
    }
    Ok(serde_json::from_str(&output(&mut metadata)?)?)
}

/// The packages whose licence is not allowed.
pub(super) fn license_findings(metadata: &Value, allowed: &[String]) -> Vec<String> {
    let text = |package: &Value, key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let packages = metadata.get("packages").and_then(Value::as_array);
    packages
        .into_iter()
        .flatten()
        .filter(|package| !is_allowed(&text(package, "license"), allowed))
        .map(|package| {
            format!(
                "{} {} is under {:?}, which `allow` of deny.toml does not have",
                text(package, "name"),
                text(package, "version"),
                text(package, "license")
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Policy, findings, license_findings};

    fn package(name: &str, version: &str, source: &str) -> String {
        format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\nchecksum = \"00\"\n\
            dependencies = [\n \"other\",\n]\n\n"
        )
    }

    fn policy(skip: &[&str]) -> Policy {
        Policy {
            allow: Vec::new(),
            skip: Some(skip.iter().map(|one| (*one).to_owned()).collect()),
        }
    }

    #[test]
    fn everything_is_from_one_registry() {
        let ours = "[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n";
        let good = format!("version = 4\n\n{ours}{}", package("a", "1.0.0", "registry+r"));
        assert_eq!(findings(&good, &policy(&[])), Vec::<String>::new());
        let git = format!("{good}{}", package("b", "2.0.0", "git+g#0"));
        assert_eq!(
            findings(&git, &policy(&[])),
            [
                "b 2.0.0 is not from the registry, with a checksum",
                "the packages are from more than one registry"
            ]
        );
        let other = format!("{good}{}", package("b", "2.0.0", "registry+s"));
        assert_eq!(
            findings(&other, &policy(&[])),
            ["the packages are from more than one registry"]
        );
        let unchecked = good.replace("checksum = \"00\"\n", "");
        assert_eq!(
            findings(&unchecked, &policy(&[])),
            ["a 1.0.0 is not from the registry, with a checksum"]
        );
    }

    #[test]
    fn a_second_version_is_explained_and_no_explanation_is_left_over() {
        let lock = package("a", "1.0.0", "registry+r") + &package("a", "2.0.0", "registry+r");
        assert_eq!(findings(&lock, &policy(&["a@1.0.0"])), Vec::<String>::new());
        assert_eq!(findings(&lock, &policy(&[])).len(), 2);
        let one = package("a", "2.0.0", "registry+r");
        assert_eq!(
            findings(&one, &policy(&["a@1.0.0"])),
            ["`skip` of deny.toml has a@1.0.0, which needs no excuse any more"]
        );
        assert_eq!(
            findings(&one, &policy(&["a@2.0.0"])),
            ["`skip` of deny.toml has a@2.0.0, which needs no excuse any more"]
        );
        let any = Policy {
            allow: Vec::new(),
            skip: None,
        };
        assert_eq!(findings(&lock, &any), Vec::<String>::new());
    }

    #[test]
    fn a_licence_that_is_not_allowed_or_not_stated_is_named() {
        let metadata = json!({"packages": [
            {"name": "a", "version": "1.0.0", "license": "MIT OR GPL-3.0"},
            {"name": "b", "version": "2.0.0", "license": "GPL-3.0"},
            {"name": "c", "version": "3.0.0", "license": null},
        ]});
        assert_eq!(
            license_findings(&metadata, &["MIT".to_owned()]),
            [
                "b 2.0.0 is under \"GPL-3.0\", which `allow` of deny.toml does not have",
                "c 3.0.0 is under \"\", which `allow` of deny.toml does not have"
            ]
        );
    }
}
