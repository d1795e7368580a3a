//! The types of the bridge's methods: each name with its parameters and its result. The page's typed method map is
//! generated from it; what carries a method out is the dispatcher's business.

use toolgate_core::diagnostic::Diagnostic;
use toolgate_core::projection::DiscoveryResult;

use super::messages::{
    CreateParams, EditableConfig, HostInfo, ListParams, ReadConfigParams, RemoveFileParams, SaveConfigParams,
    ServerList, ServerParams, ServerSummary, SetDescriptionOverrideParams, SetPermissionParams, SetPermissionsParams,
    SetStateParams,
};

/// The parameters of a method that has none: `{}`.
#[derive(Clone, Copy, Debug, ts_rs::TS)]
#[ts(type = "Record<string, never>")]
pub struct NoParams {}

/// What is told of each method in turn, for a generator.
pub trait MethodVisitor {
    /// One method: its name, the type of its parameters, the type of its result.
    fn method<P: ts_rs::TS + 'static, R: ts_rs::TS + 'static>(&mut self, name: &'static str);
}

macro_rules! methods {
    ($($name:literal: $params:ty => $result:ty;)*) => {
        /// Shows every method, in the order of the table.
        pub fn visit(visitor: &mut impl MethodVisitor) {
            $(visitor.method::<$params, $result>($name);)*
        }
    };
}

methods! {
    "servers.list": ListParams => ServerList;
    "servers.create": CreateParams => ServerSummary;
    "servers.review": CreateParams => Vec<Diagnostic>;
    "servers.readConfig": ReadConfigParams => EditableConfig;
    "servers.saveConfig": SaveConfigParams => ServerSummary;
    "servers.setState": SetStateParams => ServerSummary;
    "servers.remove": ServerParams => ();
    "servers.discover": ServerParams => DiscoveryResult;
    "servers.refresh": ServerParams => DiscoveryResult;
    "storage.remove": RemoveFileParams => ();
    "tools.setPermission": SetPermissionParams => ServerSummary;
    "tools.setPermissions": SetPermissionsParams => ServerSummary;
    "tools.setDescriptionOverride": SetDescriptionOverrideParams => ServerSummary;
    "host.info": NoParams => HostInfo;
}
