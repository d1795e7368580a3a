//! Lists and calls: what comes back, and that nothing is waited for that cannot come.

use toolgate_host::mcp::{CallAnswer, Failure, FailureClass};

use crate::kit::{call, class, connect, connectors, list, server};

#[tokio::test]
async fn text_is_kept_both_ways() {
    // A line break between tokens would end the message, and is none of the text that counts.
    let odd = "{\"z\": 9007199254740993,\r\n \"a\":[18446744073709551615, 1E5, 1.50],\n\"s\":\"\\u00e9\\n\"}";
    let sent = odd.replace(['\r', '\n', ' '], "");
    for connector in connectors() {
        for name in ["good", "good-2026"] {
            let connection = connect(&connector, server(name)).await.unwrap();
            let CallAnswer::Result(result) = call(connection.as_ref(), odd).await.unwrap() else {
                panic!("an error")
            };
            assert!(result.ends_with(&format!("\"structuredContent\":{sent}}}")), "{result}");
            connection.close().await;
        }
        let connection = connect(&connector, server("odd-spellings")).await.unwrap();
        let page = list(connection.as_ref()).await.unwrap();
        assert_eq!(page, toolgate_testkit::catalogs::odd_spellings());
        connection.close().await;
    }
}

#[tokio::test]
async fn pages_batches_and_errors_come_as_they_are() {
    for connector in connectors() {
        let connection = connect(&connector, server("two-pages")).await.unwrap();
        assert!(list(connection.as_ref()).await.unwrap().contains("\"nextCursor\":\"\""));
        assert!(connection.list_tools(Some("")).await.is_ok());
        connection.close().await;

        let connection = connect(&connector, server("call-error")).await.unwrap();
        let answer = call(connection.as_ref(), "{}").await.unwrap();
        let CallAnswer::Error(error) = answer else {
            panic!("{answer:?}")
        };
        assert!(error.contains("18446744073709551615"), "{error}");
        // The connection goes on.
        assert!(connection.is_open() && list(connection.as_ref()).await.is_ok());
        connection.close().await;
    }
}

/// What becomes of a call, and whether the connection is of use after it.
async fn faulty(name: &str) -> Vec<(Failure, bool)> {
    let mut seen = Vec::new();
    for connector in connectors() {
        let connection = connect(&connector, server(name)).await.unwrap();
        let failure = call(connection.as_ref(), "{}").await.unwrap_err();
        let goes_on = connection.is_open() && list(connection.as_ref()).await.is_ok();
        connection.close().await;
        seen.push((failure, goes_on));
    }
    seen
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_ends_its_call_and_no_more() {
    let malformed = (FailureClass::MalformedResponse, "the line is no JSON-RPC message");
    for (name, expected) in [
        ("stdio-torn-answer", malformed),
        ("stdio-double-answer", malformed),
        ("stdio-bad-utf8", (FailureClass::MalformedResponse, "it is not UTF-8")),
        (
            "stdio-null-error",
            (
                FailureClass::Refused,
                "the server answers with an error that names no request",
            ),
        ),
        (
            "stdio-long-answer",
            (FailureClass::ResponseTooLarge, "the limit is 4194304 bytes"),
        ),
    ] {
        for (failure, goes_on) in faulty(name).await {
            assert_eq!(class(&failure), expected, "{name}");
            assert!(goes_on, "{name}");
        }
    }
}

#[tokio::test]
async fn a_line_that_may_answer_anything_ends_the_connection() {
    for name in ["stdio-long-answer-id-last", "stdio-endless-line"] {
        for (failure, goes_on) in faulty(name).await {
            assert_eq!(failure.class, FailureClass::ResponseTooLarge, "{name}: {failure}");
            assert!(!goes_on, "{name}");
        }
    }
}

#[tokio::test]
async fn a_process_that_ends_ends_its_call() {
    for (failure, goes_on) in faulty("stdio-dies-of-call").await {
        assert_eq!(class(&failure), (FailureClass::Exited, "exit code 4"));
        assert!(!goes_on);
    }
    for (failure, goes_on) in faulty("stdio-closes-output").await {
        assert_eq!(
            class(&failure),
            (FailureClass::ConnectionReset, "it closed its standard output")
        );
        assert!(!goes_on);
    }
}

#[tokio::test]
async fn a_connection_whose_process_ended_takes_no_call() {
    for connector in connectors() {
        let connection = connect(&connector, server("stdio-dies-of-call")).await.unwrap();
        call(connection.as_ref(), "{}").await.unwrap_err();
        assert!(!connection.is_open());
        let call = toolgate_host::mcp::ToolCall {
            name: "first".to_owned(),
            arguments: toolgate_core::json::JsonText::parse("{}").unwrap(),
            mirrored: Vec::new(),
        };
        assert!(connection.call_tool(call).await.is_err());
        connection.close().await;
    }
}
