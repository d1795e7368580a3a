//! The proxy variables of the environment, as curl and others read them.

use reqwest::{NoProxy, Proxy};

use super::ConnectorError;

/// Which proxies connections go through. Holds secrets where a proxy asks for a password, and therefore has no `Debug`.
#[derive(Clone, Default)]
pub struct ProxySettings {
    http: Option<Variable>,
    https: Option<Variable>,
    all: Option<Variable>,
    except: Option<Variable>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    value: String,
}

impl ProxySettings {
    /// No proxy.
    pub fn none() -> Self {
        Self::default()
    }

    /// The settings of this process's environment: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, each in upper
    /// or lower case. Upper-case `HTTP_PROXY` does not count in a CGI program, where a request's header sets it.
    pub fn from_environment() -> Self {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// The same from any source of variables.
    pub fn from_variables(read: impl Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            names.iter().find_map(|name| {
                read(name).filter(|value| !value.is_empty()).map(|value| Variable {
                    name: (*name).to_owned(),
                    value,
                })
            })
        };
        let http: &[&str] = if read("REQUEST_METHOD").is_some() {
            &["http_proxy"]
        } else {
            &["http_proxy", "HTTP_PROXY"]
        };
        Self {
            http: first(http),
            https: first(&["https_proxy", "HTTPS_PROXY"]),
            all: first(&["all_proxy", "ALL_PROXY"]),
            except: first(&["no_proxy", "NO_PROXY"]),
        }
    }

    /// The names of the variables in force; empty where every connection goes out directly.
    pub fn names(&self) -> Vec<String> {
        let proxies: Vec<_> = [&self.http, &self.https, &self.all].into_iter().flatten().collect();
        if proxies.is_empty() {
            return Vec::new();
        }
        proxies
            .into_iter()
            .chain(&self.except)
            .map(|variable| variable.name.clone())
            .collect()
    }

    /// The rules for the HTTP client, the more specific first.
    pub(super) fn rules(&self) -> Result<Vec<Proxy>, ConnectorError> {
        let except = self
            .except
            .as_ref()
            .and_then(|variable| NoProxy::from_string(&variable.value));
        let rule = |variable: &Option<Variable>, make: fn(&str) -> reqwest::Result<Proxy>| {
            let Some(variable) = variable else { return Ok(None) };
            make(&variable.value)
                .map(|proxy| Some(proxy.no_proxy(except.clone())))
                .map_err(|_| ConnectorError::Proxy(variable.name.clone()))
        };
        Ok([
            rule(&self.http, |url| Proxy::http(url))?,
            rule(&self.https, |url| Proxy::https(url))?,
            rule(&self.all, |url| Proxy::all(url))?,
        ]
        .into_iter()
        .flatten()
        .collect())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> ProxySettings {
        ProxySettings::from_variables(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn names_are_listed_only_where_a_proxy_is_in_force() {
        assert!(settings(&[("NO_PROXY", "x"), ("HTTP_PROXY", "")]).names().is_empty());
        assert_eq!(
            settings(&[
                ("HTTPS_PROXY", "http://p:1"),
                ("all_proxy", "http://p:2"),
                ("NO_PROXY", "x")
            ])
            .names(),
            ["HTTPS_PROXY", "all_proxy", "NO_PROXY"]
        );
        assert!(
            settings(&[("HTTP_PROXY", "http://p:1"), ("REQUEST_METHOD", "GET")])
                .names()
                .is_empty()
        );
    }

    #[test]
    fn a_value_that_is_no_address_names_the_variable_only() {
        let error = settings(&[("HTTPS_PROXY", "http://user:s3cret@:::")])
            .rules()
            .unwrap_err();
        assert!(error.to_string().contains("HTTPS_PROXY"), "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }
}
