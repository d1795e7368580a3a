//! What the page may do, as headers: the content security policy with the nonce of its own style sheets, and what keeps
//! other pages away from it.

use http::{HeaderName, HeaderValue, Response, header};

use crate::secret::Secret;

/// A value that allows the style sheets which one answered page makes itself; new for each.
pub struct Nonce(Secret);

impl Nonce {
    /// A new one: 64 hexadecimal digits. Fails where the system gives no random numbers.
    pub fn new() -> Result<Self, getrandom::Error> {
        Secret::random().map(Self)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        self.0.reveal()
    }
}

/// The content security policy that the page needs, and everything else it is kept from. `nonce` is the one in the page's
/// index; every other answer goes without one.
///
/// `'self'` is the origin of the page, whatever the scheme. An application that adds to its page's policy adds to this one.
pub fn content_security_policy(nonce: Option<&Nonce>) -> String {
    let styles = nonce.map_or_else(String::new, |nonce| format!(" 'nonce-{}'", nonce.as_str()));
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'{styles}; connect-src 'self'; \
         img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// Puts the protecting headers on an answer, the policy with this nonce among them.
pub fn protect<B>(mut answer: Response<B>, nonce: Option<&Nonce>) -> Response<B> {
    let headers = answer.headers_mut();
    // The nonce is hexadecimal digits, so the policy is always a header value.
    if let Ok(policy) = HeaderValue::from_str(&content_security_policy(nonce)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer
}
