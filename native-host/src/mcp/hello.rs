//! The result that starts a connection, of `initialize` or of `server/discover`: the host takes from it what it needs
//! and hands the SDK the least that its types ask for. So an odd field that nobody needs cannot cost the connection.

use serde_json::value::RawValue;
use toolgate_core::json::{Members, items, members, string};

/// What a server says of itself besides its version of the protocol; untrusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Its name, where it has one.
    pub(super) name: Option<String>,
    /// Its version, where it has one.
    pub(super) version: Option<String>,
    /// Whether the capability `tools` is there, whatever is in it.
    pub(super) offers_tools: bool,
}

/// What a result that starts a connection is worth.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hello {
    /// A start; beside it the result as the SDK gets it.
    Usable { said: Said, for_sdk: String },
    /// Asked for discovery, the server answered with something else: it does not know the method.
    NotDiscovery,
    /// No connection can follow from it, for this reason.
    Unusable(&'static str),
}

/// Where a result of revision 2026-07-28 names the server.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Reads the result of `initialize`.
pub(super) fn of_initialize(result: &str) -> Hello {
    let fields = members(result);
    let version = fields
        .as_ref()
        .and_then(|fields| fields.get("protocolVersion"))
        .filter(|version| string(version).is_some_and(|text| !text.is_empty()));
    let (Some(fields), Some(version)) = (&fields, version) else {
        return Hello::Unusable("the answer to initialize names no protocol version");
    };
    let said = said(fields, fields.get("serverInfo"));
    let capabilities = capabilities(&said);
    Hello::Usable {
        said,
        for_sdk: format!(
            r#"{{"protocolVersion":{version},"capabilities":{capabilities},"serverInfo":{{"name":"","version":""}}}}"#
        ),
    }
}

/// Reads the result of `server/discover`.
pub(super) fn of_discover(result: &str) -> Hello {
    // Servers that give every method they do not know an empty result, as some older ones do, must not be taken for
    // ones of 2026-07-28. Only what has this field can be meant as an answer to the question.
    let Some((fields, versions)) =
        members(result).and_then(|fields| fields.get("supportedVersions").map(|versions| (fields, versions)))
    else {
        return Hello::NotDiscovery;
    };
    // MCP 2026-07-28: a kind of result that the client does not know is invalid.
    let kind = fields.get("resultType").and_then(string);
    if kind.is_some_and(|kind| kind != "complete") {
        return Hello::Unusable("the answer to server/discover is of an unknown kind");
    }
    let versions: Vec<&str> = items(versions.get())
        .unwrap_or_default()
        .into_iter()
        .filter(|version| string(version).is_some())
        .map(RawValue::get)
        .collect();
    if versions.is_empty() {
        return Hello::Unusable("the answer to server/discover names no protocol version");
    }
    let meta = fields.get("_meta").and_then(|meta| members(meta.get()));
    let said = said(&fields, meta.as_ref().and_then(|meta| meta.get(SERVER_INFO)));
    let (versions, capabilities) = (versions.join(","), capabilities(&said));
    Hello::Usable {
        said,
        for_sdk: format!(
            r#"{{"resultType":"complete","supportedVersions":[{versions}],"capabilities":{capabilities},"ttlMs":0,"cacheScope":"private"}}"#
        ),
    }
}

fn said(result: &Members<'_>, server: Option<&RawValue>) -> Said {
    let server = server.and_then(|server| members(server.get()));
    let text = |key| {
        let text = server.as_ref().and_then(|server| server.get(key)).and_then(string);
        text.filter(|text| !text.is_empty())
    };
    let capabilities = result
        .get("capabilities")
        .and_then(|capabilities| members(capabilities.get()));
    let tools = capabilities.and_then(|capabilities| capabilities.get("tools"));
    Said {
        name: text("name"),
        version: text("version"),
        offers_tools: tools.is_some_and(|tools| !matches!(tools.get(), "null" | "false")),
    }
}

const fn capabilities(said: &Said) -> &'static str {
    if said.offers_tools { r#"{"tools":{}}"# } else { "{}" }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use rmcp::model::{DiscoverResult, InitializeResult, ProtocolVersion};

    use super::*;

    fn usable(hello: Hello) -> (Said, String) {
        match hello {
            Hello::Usable { said, for_sdk } => (said, for_sdk),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_sdk_reads_what_it_is_handed() {
        let (_, text) = usable(of_initialize(r#"{"protocolVersion":"2025-\u0030\u0036-18"}"#));
        let read: InitializeResult = serde_json::from_str(&text).unwrap();
        assert_eq!(read.protocol_version, ProtocolVersion::V_2025_06_18);
        assert!(read.capabilities.tools.is_none());

        let (_, text) = usable(of_discover(
            r#"{"supportedVersions":[5,"2026-07-28","\ud800",null,"2099-01-01"],"capabilities":{"tools":1}}"#,
        ));
        let read: DiscoverResult = serde_json::from_str(&text).unwrap();
        let versions: Vec<_> = read.supported_versions.iter().map(ProtocolVersion::as_str).collect();
        assert_eq!(versions, ["2026-07-28", "2099-01-01"]);
        assert!(read.capabilities.tools.is_some());
    }

    #[test]
    fn what_is_said_is_taken_where_it_is_text() {
        let odd = r#"{"protocolVersion":"x","serverInfo":{"name":"kit","version":5,"icons":"x"},"capabilities":{"logging":5,"tools":[]},"instructions":[]}"#;
        let expected = Said {
            name: Some("kit".to_owned()),
            version: None,
            offers_tools: true,
        };
        assert_eq!(usable(of_initialize(odd)).0, expected);
        for nothing in [
            r#"{"protocolVersion":"x"}"#,
            r#"{"protocolVersion":"x","serverInfo":"kit","capabilities":"tools"}"#,
            r#"{"protocolVersion":"x","serverInfo":{"name":"","version":null},"capabilities":{"tools":null}}"#,
            r#"{"protocolVersion":"x","serverInfo":null,"capabilities":{"tools":false}}"#,
        ] {
            assert_eq!(usable(of_initialize(nothing)).0, Said::default(), "{nothing}");
        }
        let meta = r#"{"supportedVersions":["x"],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"kit","version":"1.0"}}}"#;
        let (said, _) = usable(of_discover(meta));
        assert_eq!(
            (said.name.as_deref(), said.version.as_deref()),
            (Some("kit"), Some("1.0"))
        );
    }

    #[test]
    fn without_a_version_there_is_no_start() {
        for bad in [
            "{}",
            "null",
            "[]",
            r#"{"protocolVersion":5}"#,
            r#"{"protocolVersion":""}"#,
            r#"{"protocolVersion":null}"#,
            r#"{"protocolVersion":"\ud800"}"#,
        ] {
            let hello = of_initialize(bad);
            assert!(matches!(hello, Hello::Unusable(_)), "{bad}: {hello:?}");
        }
        for bad in [
            r#"{"supportedVersions":[]}"#,
            r#"{"supportedVersions":5}"#,
            r#"{"supportedVersions":null}"#,
            r#"{"supportedVersions":[5]}"#,
            r#"{"supportedVersions":["2026-07-28"],"resultType":"input_required"}"#,
        ] {
            let hello = of_discover(bad);
            assert!(matches!(hello, Hello::Unusable(_)), "{bad}: {hello:?}");
        }
        for other in [
            "{}",
            "null",
            "[]",
            "5",
            r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
        ] {
            assert_eq!(of_discover(other), Hello::NotDiscovery, "{other}");
        }
    }
}
