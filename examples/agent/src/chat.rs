//! One request to a chat completions endpoint. What the model says is kept as it came, so that it goes back unchanged.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::tools::Tool;

/// How long a model may take for one answer.
const ANSWER: Duration = Duration::from_mins(5);

/// An endpoint and the model behind it.
pub struct Endpoint {
    http: reqwest::Client,
    url: String,
    model: String,
    key: Option<String>,
}

/// A message of the conversation, as JSON.
pub type Message = Box<RawValue>;

/// What the model said.
pub struct Said {
    /// The whole message, which belongs into the next request.
    pub message: Message,
    /// Its text.
    pub text: String,
    /// The tools it calls, in order.
    pub calls: Vec<Call>,
}

/// One call of a tool by the model.
#[derive(Debug, Deserialize)]
pub struct Call {
    /// The provider's id, under which the result goes back.
    pub id: String,
    /// Which tool, and with what.
    pub function: Function,
}

/// The tool and its arguments as the model wrote them.
#[derive(Debug, Deserialize)]
pub struct Function {
    /// The name the tool was offered by.
    pub name: String,
    /// JSON text, or what the model takes for it.
    pub arguments: String,
}

/// Why there is no answer. Never holds the key.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// The endpoint could not be asked.
    #[error("the model's endpoint could not be asked: {0}")]
    Request(reqwest::Error),
    /// It refused.
    #[error("the model's endpoint answered with HTTP status {0}; check the address, the key and the model's name")]
    Status(u16),
    /// It said something else.
    #[error("the model's endpoint answered with something that is no chat completion")]
    NotChat,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: &'a [Message],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tools: &'a [Tool],
}

#[derive(Deserialize)]
struct Response {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Content {
    content: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

impl Endpoint {
    /// The endpoint below a base address such as `https://api.openai.com/v1`.
    ///
    /// # Errors
    ///
    /// The HTTP client could not be set up.
    pub fn new(base_url: &str, model: impl Into<String>, key: Option<String>) -> Result<Self, ChatError> {
        // Another part of the program may have chosen already, and that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .timeout(ANSWER)
            .build()
            .map_err(ChatError::Request)?;
        Ok(Self {
            http,
            url: format!("{}/chat/completions", base_url.trim_end_matches('/')),
            model: model.into(),
            key,
        })
    }

    /// Asks the model once.
    ///
    /// # Errors
    ///
    /// No answer came, or none that can be understood.
    pub async fn ask(&self, messages: &[Message], tools: &[Tool]) -> Result<Said, ChatError> {
        let body = serde_json::to_vec(&Request {
            model: &self.model,
            messages,
            tools,
        })
        .map_err(|_| ChatError::NotChat)?;
        let mut request = self
            .http
            .post(&self.url)
            .header("content-type", "application/json")
            .body(body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        let failed = |error: reqwest::Error| ChatError::Request(error.without_url());
        let response = request.send().await.map_err(failed)?;
        if !response.status().is_success() {
            return Err(ChatError::Status(response.status().as_u16()));
        }
        let body = response.bytes().await.map_err(failed)?;
        let response: Response = serde_json::from_slice(&body).map_err(|_| ChatError::NotChat)?;
        let message = response.choices.into_iter().next().ok_or(ChatError::NotChat)?.message;
        let content: Content = serde_json::from_str(message.get()).map_err(|_| ChatError::NotChat)?;
        Ok(Said {
            message,
            text: content.content.unwrap_or_default(),
            calls: content.tool_calls.unwrap_or_default(),
        })
    }
}
