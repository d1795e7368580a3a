//! What `host.info` says of where connections are kept.

use serde::Serialize;

use crate::store::CredentialProvider;

/// Where the connections of servers (endpoints, headers, arguments, environment) are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CredentialsInfo {
    /// Where those are kept that are saved from now on.
    pub provider: CredentialProvider,
    /// How many servers have theirs elsewhere still. They work as they are; the next save of one of them moves its
    /// connection. A page says so where this is not 0: with `file` or `keyring`, that saving takes the connection out of
    /// the registration file, which other programs that share the data folder (`TauriTavern`) then cannot use; with
    /// `inline`, that saving writes it there in the open. Absent where the registrations cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_form: Option<u32>,
}
