//! Certificates for servers of the kit that speak TLS, good and bad, made anew in each process.

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, LazyLock};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, SanType, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio_rustls::TlsAcceptor;

/// What a server shows for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Its own word for it.
    SelfSigned,
    /// The same, and it has expired.
    SelfSignedExpired,
    /// One that the kit's authority gave it.
    Issued,
    /// One of the authority that has expired.
    Expired,
    /// One that the authority gave to another host.
    ForAnother,
}

/// The kit's authority, which nobody trusts who was not told to.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

static AUTHORITY: LazyLock<Result<Authority, rcgen::Error>> = LazyLock::new(|| {
    let mut params = CertificateParams::new(Vec::new())?;
    params
        .distinguished_name
        .push(DnType::CommonName, "The kit's authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let key = KeyPair::generate()?;
    let pem = params.self_signed(&key)?.pem();
    Ok(Authority {
        pem,
        issuer: Issuer::new(params, key),
    })
});

fn authority() -> io::Result<&'static Authority> {
    AUTHORITY.as_ref().map_err(io::Error::other)
}

/// The certificate of the kit's authority as a PEM file has it, for who is to trust it.
///
/// # Errors
///
/// No key could be made.
pub fn authority_pem() -> io::Result<&'static str> {
    authority().map(|authority| authority.pem.as_str())
}

/// What makes a connection of a server with this certificate one of TLS.
pub(crate) fn acceptor(certificate: Certificate) -> io::Result<TlsAcceptor> {
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let params = params(certificate).map_err(io::Error::other)?;
    let signed = match certificate {
        Certificate::SelfSigned | Certificate::SelfSignedExpired => params.self_signed(&key),
        Certificate::Issued | Certificate::Expired | Certificate::ForAnother => {
            params.signed_by(&key, &authority()?.issuer)
        }
    };
    let chain = vec![signed.map_err(io::Error::other)?.der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(io::Error::other)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn params(certificate: Certificate) -> Result<CertificateParams, rcgen::Error> {
    let name = match certificate {
        Certificate::ForAnother => SanType::DnsName("another.invalid".try_into()?),
        _ => SanType::IpAddress(Ipv4Addr::LOCALHOST.into()),
    };
    let mut params = CertificateParams::new(Vec::new())?;
    params.subject_alt_names = vec![name];
    if let Certificate::SelfSignedExpired | Certificate::Expired = certificate {
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
    }
    Ok(params)
}
