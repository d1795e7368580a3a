//! Why a request could not be sent or its answer not be read: the class by the type of the cause, never by its text.

use std::error::Error;
use std::io;

use super::{Failure, FailureClass, Step};

/// A host name that has no address.
#[derive(Debug, thiserror::Error)]
#[error("the host name could not be resolved")]
pub(super) struct NotResolved;

/// What a failed request came to. `step` is what was being done once the connection stood.
pub(super) fn of_request(error: &reqwest::Error, step: Step) -> Failure {
    let step = if error.is_connect() { Step::Connect } else { step };
    if error.is_timeout() {
        return Failure::new(FailureClass::Timeout, step);
    }
    if let Some((class, detail)) = first_known(error) {
        return Failure {
            class,
            step,
            detail: detail.map(str::to_owned),
        };
    }
    if error.is_connect() {
        Failure::new(FailureClass::ConnectionRefused, step).with_detail("the connection was not established")
    } else {
        Failure::new(FailureClass::ConnectionReset, step)
    }
}

type Known = (FailureClass, Option<&'static str>);

/// The outermost cause that has a type we know.
fn first_known(error: &(dyn Error + 'static)) -> Option<Known> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(known) = known(cause) {
            return Some(known);
        }
        next = cause.source();
    }
    None
}

/// The limits are those of the HTTP library.
const HEAD_TOO_LARGE: &str = "its head has more than 100 headers, or more than 400 KB of them";

fn known(cause: &(dyn Error + 'static)) -> Option<Known> {
    if cause.is::<NotResolved>() {
        return Some((FailureClass::Dns, None));
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some((FailureClass::TlsCertificate, tls_detail(error)));
    }
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        // `source` of an I/O error skips the error inside it.
        return match error.get_ref() {
            Some(inner) => first_known(inner).or_else(|| of_kind(error.kind())),
            None => of_kind(error.kind()),
        };
    }
    let error = cause.downcast_ref::<hyper::Error>()?;
    if error.is_timeout() {
        Some((FailureClass::Timeout, None))
    } else if error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
        // What lies below may say more, such as a reset.
        error
            .source()
            .and_then(first_known)
            .or(Some((FailureClass::ConnectionReset, None)))
    } else if error.is_parse_too_large() {
        Some((FailureClass::ResponseTooLarge, Some(HEAD_TOO_LARGE)))
    } else if error.is_parse() {
        Some((FailureClass::NotMcp, Some("the answer is not HTTP")))
    } else {
        None
    }
}

fn of_kind(kind: io::ErrorKind) -> Option<Known> {
    match kind {
        io::ErrorKind::ConnectionRefused => Some((FailureClass::ConnectionRefused, Some("connection refused"))),
        io::ErrorKind::HostUnreachable => Some((FailureClass::ConnectionRefused, Some("host unreachable"))),
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            Some((FailureClass::ConnectionRefused, Some("network unreachable")))
        }
        io::ErrorKind::AddrNotAvailable => Some((FailureClass::ConnectionRefused, Some("address not available"))),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected
        | io::ErrorKind::UnexpectedEof => Some((FailureClass::ConnectionReset, None)),
        io::ErrorKind::TimedOut => Some((FailureClass::Timeout, None)),
        // How the HTTP library says that the chunks of a body are none.
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            Some((FailureClass::NotMcp, Some("the answer is not HTTP")))
        }
        _ => None,
    }
}

fn tls_detail(error: &rustls::Error) -> Option<&'static str> {
    use rustls::CertificateError;

    match error {
        rustls::Error::InvalidCertificate(reason) => Some(match reason {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => "the certificate has expired",
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "the certificate is not valid yet"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another host"
            }
            CertificateError::UnknownIssuer => "the certificate's issuer is not known",
            CertificateError::Revoked => "the certificate is revoked",
            _ => "the certificate was not accepted",
        }),
        rustls::Error::InvalidMessage(_) => Some("what answers does not speak TLS"),
        rustls::Error::AlertReceived(_) => Some("the server broke off the TLS handshake"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_inside_an_io_error_counts_before_its_kind() {
        let refused = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, refused);
        let expected = (
            FailureClass::TlsCertificate,
            Some("the certificate's issuer is not known"),
        );
        assert_eq!(first_known(&error), Some(expected));
        let nested = io::Error::other(io::Error::from(io::ErrorKind::ConnectionReset));
        assert_eq!(first_known(&nested), Some((FailureClass::ConnectionReset, None)));
        assert_eq!(
            first_known(&io::Error::other(NotResolved)),
            Some((FailureClass::Dns, None))
        );
        assert_eq!(first_known(&io::Error::other("text says nothing")), None);
    }
}
