//! The content blocks of a result, one by one.

use serde_json::value::RawValue;

use super::result::{has_metadata, present};
use super::{ContentDiagnostic, MOST_BLOCK_DIAGNOSTICS, TextBlock, TextResource, ToolResult};
use crate::Code;
use crate::json::{self, Members};
use crate::markdown::inline;
use crate::text::{kind, shortened};

/// What was read of the content so far.
#[derive(Default)]
pub(super) struct Content {
    result: ToolResult,
    blocks: usize,
    /// Diagnostics up to [`MOST_BLOCK_DIAGNOSTICS`].
    named: usize,
    /// Those beyond, of content and of metadata.
    unnamed: (usize, usize),
}

impl Content {
    /// Reads the next block.
    pub(super) fn push(&mut self, block: &RawValue) {
        let index = self.blocks;
        self.blocks += 1;
        if self.named >= MOST_BLOCK_DIAGNOSTICS && kind(Some(block.get())) != "an object" {
            // No sentence is made that nobody reads.
            self.unnamed.0 += 1;
            return;
        }
        let Some(members) = json::members(block.get()) else {
            let what = kind(Some(block.get()));
            self.not_shown(index, &format!("is {what}, where an object belongs"));
            return;
        };
        let block_type = members.get("type").and_then(json::string);
        match block_type.as_deref() {
            Some("text") => self.text(index, &members),
            Some("image") => self.binary(index, "an image", &members),
            Some("audio") => self.binary(index, "audio", &members),
            Some("resource") => self.resource(index, &members),
            Some("resource_link") => self.link(index, &members),
            Some(other) => {
                let block_type = inline(&shortened(other));
                self.not_shown(index, &format!("is of the unknown type {block_type}"));
            }
            None => {
                let what = kind(members.get("type").map(RawValue::get));
                self.not_shown(index, &format!("has no type: its `type` is {what}"));
            }
        }
        if has_metadata(&members) {
            let message = format!("Content block {index} carries metadata (`_meta`), which is not shown.");
            self.diagnostic(index, Code::CallMetadataUnsupported, message);
        }
    }

    /// The result with all blocks read.
    pub(super) fn finish(mut self) -> ToolResult {
        let (content, metadata) = self.unnamed;
        let rest = [
            (
                content,
                Code::CallContentUnsupported,
                "content blocks are not shown, or not as they came",
            ),
            (
                metadata,
                Code::CallMetadataUnsupported,
                "content blocks carry metadata, which is not shown",
            ),
        ];
        for (count, code, what) in rest {
            if count > 0 {
                self.result.diagnostics.push(ContentDiagnostic {
                    code,
                    message: format!("{count} further {what}."),
                    content_index: None,
                });
            }
        }
        self.result
    }

    fn text(&mut self, index: usize, members: &Members<'_>) {
        let raw = members.get("text");
        let Some((text, odd)) = raw.and_then(json::string_lossy) else {
            let what = kind(raw.map(RawValue::get));
            self.not_shown(index, &format!("is a text block whose `text` is {what}"));
            return;
        };
        if odd {
            self.mended(index);
        }
        self.result.text_blocks.push(TextBlock { index, text });
    }

    fn binary(&mut self, index: usize, what: &str, members: &Members<'_>) {
        let described = described(members, members.get("data"));
        self.not_shown(index, &format!("is {what}{described}"));
    }

    fn resource(&mut self, index: usize, members: &Members<'_>) {
        let resource = members.get("resource");
        let Some(inner) = resource.and_then(|resource| json::members(resource.get())) else {
            let what = kind(resource.map(RawValue::get));
            self.not_shown(index, &format!("is a resource block whose `resource` is {what}"));
            return;
        };
        let uri = self.uri(&inner);
        let named = if uri.is_empty() {
            String::new()
        } else {
            format!(" {}", inline(&uri))
        };
        if let Some((text, odd)) = inner.get("text").and_then(json::string_lossy) {
            let mime_type = inner.get("mimeType").and_then(json::string);
            let message = format!(
                "is the text of the resource{named}{}",
                details(mime_type.as_deref(), Some(text.len()))
            );
            self.result.text_resources.push(TextResource {
                index,
                uri,
                mime_type,
                text,
            });
            self.about_resource(index, &format!("{message}; it is not shown"));
            if odd {
                self.mended(index);
            }
        } else {
            let described = described(&inner, inner.get("blob"));
            self.not_shown(index, &format!("is the binary resource{named}{described}"));
        }
        if has_metadata(&inner) {
            let message =
                format!("The resource in content block {index} carries metadata (`_meta`), which is not shown.");
            self.diagnostic(index, Code::CallMetadataUnsupported, message);
        }
    }

    fn link(&mut self, index: usize, members: &Members<'_>) {
        let uri = self.uri(members);
        if uri.is_empty() {
            self.not_shown(index, "is a link to a resource without a URI");
            return;
        }
        let title = ["title", "name"]
            .into_iter()
            .find_map(|key| members.get(key).and_then(json::string))
            .filter(|title| !title.is_empty() && *title != uri);
        let mime_type = members.get("mimeType").and_then(json::string);
        let mut message = format!("is a link to the resource {}", inline(&uri));
        message.push_str(&details(mime_type.as_deref(), None));
        if let Some(size) = present(members, "size").filter(|size| kind(Some(size.get())) == "a number") {
            message.push_str(", ");
            message.push_str(&shortened(size.get()));
            message.push_str(" bytes");
        }
        if let Some(title) = title {
            message.push_str(", named ");
            message.push_str(&inline(&shortened(&title)));
        }
        self.about_resource(index, &format!("{message}; it is not followed"));
    }

    /// The URI of a resource, which is kept; empty where there is none.
    fn uri(&mut self, members: &Members<'_>) -> String {
        let uri = members.get("uri").and_then(json::string).unwrap_or_default();
        if !uri.is_empty() {
            self.result.resource_uris.push(uri.clone());
        }
        uri
    }

    /// What can be acted on is named whatever the number.
    fn about_resource(&mut self, index: usize, what: &str) {
        self.result.diagnostics.push(ContentDiagnostic {
            code: Code::CallContentUnsupported,
            message: format!("Content block {index} {what}."),
            content_index: Some(index),
        });
    }

    fn not_shown(&mut self, index: usize, what: &str) {
        let message = format!("Content block {index} {what}; it is not shown.");
        self.diagnostic(index, Code::CallContentUnsupported, message);
    }

    fn mended(&mut self, index: usize) {
        let message = format!("The text of content block {index} had half a character, which is shown as \u{fffd}.");
        self.diagnostic(index, Code::CallContentUnsupported, message);
    }

    fn diagnostic(&mut self, index: usize, code: Code, message: String) {
        if self.named < MOST_BLOCK_DIAGNOSTICS {
            self.named += 1;
            self.result.diagnostics.push(ContentDiagnostic {
                code,
                message,
                content_index: Some(index),
            });
        } else if code == Code::CallContentUnsupported {
            self.unnamed.0 += 1;
        } else {
            self.unnamed.1 += 1;
        }
    }
}

/// Type and size of binary data, for the middle of a sentence.
fn described(members: &Members<'_>, data: Option<&RawValue>) -> String {
    let mime_type = members.get("mimeType").and_then(json::string);
    details(mime_type.as_deref(), data.and_then(decoded_size))
}

fn details(mime_type: Option<&str>, bytes: Option<usize>) -> String {
    let mut text = String::new();
    if let Some(mime_type) = mime_type.filter(|mime_type| !mime_type.is_empty()) {
        text.push_str(" of type ");
        text.push_str(&inline(&shortened(mime_type)));
    }
    if let Some(bytes) = bytes {
        text.push_str(", ");
        text.push_str(&bytes.to_string());
        text.push_str(" bytes");
    }
    text
}

/// How many bytes a base64 string stands for; `None` where it is no string.
fn decoded_size(raw: &RawValue) -> Option<usize> {
    if kind(Some(raw.get())) != "a string" {
        return None;
    }
    let (text, _) = json::string_lossy(raw)?;
    let digits = text
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
        .count();
    Some(digits / 4 * 3 + (digits % 4).saturating_sub(1))
}
