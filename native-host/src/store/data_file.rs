//! Which file of a data directory is meant: the names that a change of several files may hold, and no others.

use std::path::{Path, PathBuf};

use toolgate_core::identity::RegistrationId;

use super::{SETTINGS, named_id};

/// Where registrations are, in the data directory.
pub(super) const REGISTRATIONS: &str = "_tauritavern/mcp/registrations";
/// Where catalogs are.
pub(super) const CATALOGS: &str = "_tauritavern/mcp/catalogs";
/// Where the record of credentials is.
pub(super) const CREDENTIALS: &str = "credentials";

const CREDENTIAL_RECORD: &str = "credentials/dsh-partner-mcp.json";
/// The file of the partners.
pub(super) const PARTNERS: &str = "partners.json";

/// A file that may be one of several in a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DataFile {
    /// A server's registration.
    Registration(RegistrationId),
    /// A server's catalog.
    Catalog(RegistrationId),
    /// The connections of all servers, where they are kept apart from the registrations.
    Credentials,
    /// Partners and their grants.
    Partners,
    /// The salt of revisions, and what was offered once.
    Settings,
}

impl DataFile {
    /// The file's place in the data directory, with `/` on every system.
    pub(super) fn name(self) -> String {
        match self {
            Self::Registration(id) => format!("{REGISTRATIONS}/{id}.json"),
            Self::Catalog(id) => format!("{CATALOGS}/{id}.json"),
            Self::Credentials => CREDENTIAL_RECORD.to_owned(),
            Self::Partners => PARTNERS.to_owned(),
            Self::Settings => SETTINGS.to_owned(),
        }
    }

    /// The file that has this name, spelled exactly as [`DataFile::name`] spells it.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            CREDENTIAL_RECORD => return Some(Self::Credentials),
            PARTNERS => return Some(Self::Partners),
            SETTINGS => return Some(Self::Settings),
            _ => {}
        }
        let (folder, file) = name.rsplit_once('/')?;
        let id = named_id(file.as_ref())?;
        match folder {
            REGISTRATIONS => Some(Self::Registration(id)),
            CATALOGS => Some(Self::Catalog(id)),
            _ => None,
        }
    }

    /// The file in a data directory.
    pub(super) fn path(self, data_dir: &Path) -> PathBuf {
        data_dir.join(self.name())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_its_file_and_no_other_name_means_any() {
        let id = RegistrationId::parse("8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a").unwrap();
        for file in [
            DataFile::Registration(id),
            DataFile::Catalog(id),
            DataFile::Credentials,
            DataFile::Partners,
            DataFile::Settings,
        ] {
            assert_eq!(DataFile::parse(&file.name()), Some(file));
        }
        for name in [
            "",
            "./settings.json",
            "pending.json",
            "host.json",
            "/partners.json",
            "./partners.json",
            "../partners.json",
            "credentials/other.json",
            "_tauritavern/mcp/registrations/x.json",
            "_tauritavern/mcp/registrations/../../../8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a.json",
            "_tauritavern/mcp/registrations/8C0A7F0E-31BB-4C6E-9F58-5D5E1C6D2B1A.json",
            "elsewhere/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a.json",
        ] {
            assert_eq!(DataFile::parse(name), None, "{name}");
        }
    }
}
