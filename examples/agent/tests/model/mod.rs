//! A chat completions endpoint on loopback whose every answer the test gives.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

/// The endpoint.
pub(crate) struct Model {
    port: u16,
    asked: mpsc::UnboundedReceiver<Asked>,
    count: usize,
}

/// A request, which waits for the test.
pub(crate) struct Asked {
    pub(crate) body: Value,
    pub(crate) authorization: Option<String>,
    answer: oneshot::Sender<(u16, String)>,
}

impl Model {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, asked) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone()));
            }
        });
        Self { port, asked, count: 0 }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1/", self.port)
    }

    /// The next request.
    pub(crate) async fn asked(&mut self) -> Asked {
        let asked = self.asked.recv().await.unwrap();
        self.count += 1;
        asked
    }

    /// How many requests there were, also such that the test has not taken.
    pub(crate) fn requests(&mut self) -> usize {
        while self.asked.try_recv().is_ok() {
            self.count += 1;
        }
        self.count
    }
}

impl Asked {
    /// Answers with a text.
    pub(crate) fn say(self, text: &str) {
        self.message(&json!({"role": "assistant", "content": text}));
    }

    /// Answers with calls of tools, each with its arguments.
    pub(crate) fn call(self, calls: &[(&str, &str)]) {
        let calls: Vec<Value> = calls
            .iter()
            .enumerate()
            .map(|(index, (name, arguments))| {
                let function = json!({"name": name, "arguments": arguments});
                json!({"id": format!("call-{index}"), "type": "function", "function": function})
            })
            .collect();
        self.message(&json!({"role": "assistant", "content": null, "tool_calls": calls, "of_the_provider": {"n": 1}}));
    }

    fn message(self, message: &Value) {
        self.answer(
            200,
            &json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
        );
    }

    pub(crate) fn answer(self, status: u16, body: &Value) {
        self.answer.send((status, body.to_string())).expect("somebody waits");
    }
}

/// Answers the requests of one connection, each as the test says.
async fn serve(stream: TcpStream, asked: mpsc::UnboundedSender<Asked>) {
    let mut stream = BufReader::new(stream);
    while let Some((authorization, body)) = read(&mut stream).await {
        let (answer, answered) = oneshot::channel();
        let request = Asked {
            body: serde_json::from_slice(&body).unwrap(),
            authorization,
            answer,
        };
        if asked.send(request).is_err() {
            return;
        }
        let Ok((status, body)) = answered.await else { return };
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        if stream.write_all(format!("{head}{body}").as_bytes()).await.is_err() {
            return;
        }
    }
}

/// One request: its authorization and its body. None at the end of the connection.
async fn read(stream: &mut BufReader<TcpStream>) -> Option<(Option<String>, Vec<u8>)> {
    let mut authorization = None;
    let mut length = 0;
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    if line.is_empty() {
        return None;
    }
    assert_eq!(line, "POST /v1/chat/completions HTTP/1.1\r\n");
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.trim().to_owned()),
            "content-length" => length = value.trim().parse().unwrap(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((authorization, body))
}
