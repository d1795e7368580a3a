//! The HTTP clients below a connector: TLS, name look-up, and everything switched off that would send a request twice
//! or somewhere else.

use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use super::cause::NotResolved;
use super::{ConnectorError, NetLimits};

/// A client that goes through these proxies; none of them means directly.
pub(super) fn client(
    limits: &NetLimits,
    tls: ClientConfig,
    proxies: Vec<reqwest::Proxy>,
) -> Result<reqwest::Client, ConnectorError> {
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        // A reused connection can die under a request, which is then neither sent nor not sent.
        .pool_max_idle_per_host(0)
        .http1_only()
        .connect_timeout(limits.connect)
        .dns_resolver(Arc::new(Resolver))
        .tls_backend_preconfigured(tls);
    for proxy in proxies {
        builder = builder.proxy(proxy);
    }
    builder.build().map_err(|_| ConnectorError::Client)
}

/// The platform decides which certificates are trusted; where it has no roots, Mozilla's are built in. Reads the
/// platform's roots, which takes a while.
pub(super) fn config() -> Result<ClientConfig, ConnectorError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| ConnectorError::Client)?;
    Ok(match Verifier::new(provider) {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(_) => builder
            .with_root_certificates(RootCertStore {
                roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
            })
            .with_no_client_auth(),
    })
}

/// The system's name look-up, with an error that can be told from others.
struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses: Vec<_> = tokio::net::lookup_host((name.as_str(), 0))
                .await
                .map_err(|_| NotResolved)?
                .collect();
            if addresses.is_empty() {
                return Err(NotResolved.into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
