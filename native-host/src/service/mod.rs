//! What the host does with servers: the use cases behind the bridge's methods.

use std::sync::Arc;

use toolgate_core::Refusal;

use crate::bridge::messages::HostInfo;
use crate::bridge::{Events, NoParams};
use crate::host::{HostOptions, OpenError};
use crate::mcp::Connector;

/// The use cases over one data directory.
pub struct Service {
    options: HostOptions,
    #[expect(dead_code, reason = "discovery uses it")]
    connector: Arc<dyn Connector>,
    events: Events,
}

impl Service {
    pub(crate) fn open(options: HostOptions, connector: Arc<dyn Connector>) -> Result<Self, OpenError> {
        Ok(Self {
            options,
            connector,
            events: Events::new(),
        })
    }

    pub(crate) fn events(&self) -> &Events {
        &self.events
    }

    pub(crate) fn stop(&self) {
        self.events.close();
    }

    pub(crate) async fn info(&self, _params: NoParams) -> Result<HostInfo, Refusal> {
        Ok(HostInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_dir: self.options.data_dir.display().to_string(),
            transports: self.options.transports.clone(),
            proxies: self.options.proxies.clone(),
        })
    }
}
