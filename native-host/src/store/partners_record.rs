//! `partners.json`: partners and what they are granted (partner contract). Strict version 1. It names servers by id and
//! holds nothing of how they are reached.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use toolgate_core::identity::RegistrationId;
use toolgate_core::partner::{self, GrantScope, Partner, PartnerGrant, PartnerId};
use toolgate_core::{Diagnostic, Limits};

use super::data_file::{DataFile, PARTNERS};
use super::record::{self, Fault};
use super::{FileChange, Store, registration_record, write_failed};

const KIND: &str = "toolgate.partners";
const MAX_BYTES: u64 = 8 * 1024 * 1024;

impl Store {
    /// Every partner, by name, then by id; none where there is no file. An error, the code of the storage issue, where
    /// the file is bad: it is left as it is, and nobody is taken for having no grants.
    pub(crate) fn partners(&self) -> Result<Vec<Partner>, Diagnostic> {
        self.read_partners().map_err(|fault| {
            let (code, sentence) = registration_record::issue(&fault);
            Diagnostic::new(
                code,
                format!("{PARTNERS} cannot be used: {sentence} Mend the file or remove it."),
            )
        })
    }

    pub(super) fn read_partners(&self) -> Result<Vec<Partner>, Fault> {
        match self.read_file(DataFile::Partners, MAX_BYTES)? {
            Some(content) => read(&content, &self.limits),
            None => Ok(Vec::new()),
        }
    }

    /// Writes the partners, which the caller has read before and changed.
    pub(crate) fn write_partners(&self, partners: &[Partner]) -> Result<(), Diagnostic> {
        let text =
            write(partners).map_err(|error| write_failed(&error.into(), &DataFile::Partners.path(&self.data_dir)))?;
        self.apply(&[FileChange::write(DataFile::Partners, text)])
    }

    /// Whether any partner is granted a server; none is as long as the file is bad.
    pub(crate) fn is_granted(&self, server: RegistrationId) -> bool {
        let partners = self.read_partners().unwrap_or_default();
        partners.iter().any(|partner| partner.scope_of(server).is_some())
    }

    /// What becomes of the file when a server is removed; nothing where nobody is granted it. A bad file stays as it is:
    /// the id of a server is never used twice, so that a grant that is left in it gives nobody anything.
    pub(super) fn grants_removal(&self, server: RegistrationId) -> Option<FileChange> {
        let mut partners = self.read_partners().ok()?;
        if partners.iter().all(|partner| partner.scope_of(server).is_none()) {
            return None;
        }
        for partner in &mut partners {
            partner.revoke(server);
        }
        write(&partners)
            .ok()
            .map(|text| FileChange::write(DataFile::Partners, text))
    }
}

/// The partners that a file holds.
fn read(content: &[u8], limits: &Limits) -> Result<Vec<Partner>, Fault> {
    let text = record::text(content)?;
    if record::kind(text)? != KIND {
        return Err(Fault::KindUnknown(format!("kind must be {KIND:?}")));
    }
    let record: Record = record::read(text)?;
    let mut ids = HashSet::new();
    let mut partners = Vec::new();
    for (index, partner) in record.partners.into_iter().enumerate() {
        let partner = checked(partner, &format!("partners[{index}]"), limits)?;
        if !ids.insert(partner.id) {
            return Err(Fault::Invalid(format!(
                "partners[{index}].id: another partner has it too"
            )));
        }
        partners.push(partner);
    }
    sort(&mut partners);
    Ok(partners)
}

/// Our form of the file: two-space indent, partners by name, then by id, a final newline.
fn write(partners: &[Partner]) -> Result<String, serde_json::Error> {
    let mut partners = partners.to_vec();
    sort(&mut partners);
    let partners = partners.into_iter().map(|partner| {
        let Partner {
            id,
            name,
            mcp_enabled,
            grants,
        } = partner;
        let grants = grants.into_iter().map(|grant| {
            let PartnerGrant { server_id, scope } = grant;
            GrantRecord {
                server_id: server_id.to_string(),
                scope,
            }
        });
        PartnerRecord {
            id: id.to_string(),
            name,
            mcp_enabled,
            grants: grants.collect(),
        }
    });
    let mut text = serde_json::to_string_pretty(&Record {
        schema_version: record::SchemaVersion,
        kind: KIND.to_owned(),
        partners: partners.collect(),
    })?;
    text.push('\n');
    Ok(text)
}

fn sort(partners: &mut [Partner]) {
    partners.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
}

fn checked(record: PartnerRecord, path: &str, limits: &Limits) -> Result<Partner, Fault> {
    let at = |field: &str| format!("{path}.{field}");
    let PartnerRecord {
        id,
        name,
        mcp_enabled,
        grants,
    } = record;
    let id = PartnerId::parse(&id).map_err(|reason| record::invalid(&reason.at(at("id"))))?;
    let name = partner::normalize_name(&name, limits).map_err(|reason| record::invalid(&reason.at(at("name"))))?;
    let mut servers = HashSet::new();
    let grants = grants
        .into_iter()
        .enumerate()
        .map(|(index, GrantRecord { server_id, scope })| {
            let place = at(&format!("grants[{index}].serverId"));
            let server_id = RegistrationId::parse(&server_id).map_err(|reason| record::invalid(&reason.at(&place)))?;
            if !servers.insert(server_id) {
                return Err(Fault::Invalid(format!("{place}: the server is granted twice")));
            }
            Ok(PartnerGrant { server_id, scope })
        })
        .collect::<Result<_, Fault>>()?;
    Ok(Partner {
        id,
        name,
        mcp_enabled,
        grants,
    })
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    schema_version: record::SchemaVersion,
    kind: String,
    #[serde(deserialize_with = "crate::strict_json::objects")]
    partners: Vec<PartnerRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PartnerRecord {
    id: String,
    name: String,
    mcp_enabled: bool,
    #[serde(deserialize_with = "crate::strict_json::objects")]
    grants: Vec<GrantRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GrantRecord {
    server_id: String,
    scope: GrantScope,
}
