//! The pages of one `tools/list` discovery, as they come: where the next one begins, and whether the list as a whole
//! keeps to the limits.

use std::collections::HashSet;

use serde_json::value::RawValue;

use crate::json;
use crate::{Code, Diagnostic, Limits};

/// Collects the pages of one discovery.
///
/// ```
/// use toolgate_core::Limits;
/// use toolgate_core::catalog::{CatalogPages, NextPage};
///
/// let mut pages = CatalogPages::new(&Limits::default());
/// let next = pages.push(r#"{"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "nextCursor": "2"}"#)?;
/// assert_eq!(next, NextPage::Cursor("2".to_owned()));
/// assert_eq!(pages.push(r#"{"tools": []}"#)?, NextPage::End);
/// # Ok::<(), toolgate_core::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct CatalogPages {
    pub(super) limits: Limits,
    /// The raw text of each tool, in the server's order.
    pub(super) items: Vec<Box<RawValue>>,
    pages: usize,
    bytes: usize,
    cursors: HashSet<String>,
    ended: bool,
}

/// What comes after a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// The page that this cursor names. An empty cursor is one.
    Cursor(String),
    /// Nothing: the list is complete.
    End,
}

impl CatalogPages {
    /// No pages yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            items: Vec::new(),
            pages: 0,
            bytes: 0,
            cursors: HashSet::new(),
            ended: false,
        }
    }

    /// Adds a page, given as the raw JSON text of the `result` of `tools/list`, and says what to ask for next.
    ///
    /// An error fails the whole discovery (manager contract §5): `mcp.discovery_list_failed` where the page has no
    /// `tools` array or a `nextCursor` that is neither a string, null nor absent (or where the list had ended already);
    /// `mcp.discovery_cursor_cycle` for a cursor that was there before; `mcp.discovery_page_limit` where a further page
    /// would be one too many; `mcp.discovery_tool_limit` and `mcp.discovery_catalog_size_limit`, counted over all
    /// tools of all pages, odd ones included, on their JSON text as it came.
    pub fn push(&mut self, result: &str) -> Result<NextPage, Diagnostic> {
        if self.ended {
            return Err(list_failed(
                "The list of tools had ended, and this page comes after it.",
            ));
        }
        if self.pages >= self.limits.pages {
            return Err(self.page_limit());
        }
        self.pages += 1;
        let page = json::members(result)
            .ok_or_else(|| list_failed(format!("Page {} of the list of tools is no JSON object.", self.pages)))?;
        let tools = page.get("tools").map(RawValue::get).unwrap_or_default();
        let tools = json::items(tools).ok_or_else(|| {
            list_failed(format!(
                "Page {} of the list of tools has no array `tools`.",
                self.pages
            ))
            .at("tools")
        })?;
        self.take(tools)?;
        match page.get("nextCursor") {
            None => self.ended = true,
            Some(cursor) if cursor.get() == "null" => self.ended = true,
            Some(cursor) => return self.follow(cursor),
        }
        Ok(NextPage::End)
    }

    /// Whether the last page was the last one of the list.
    pub const fn is_complete(&self) -> bool {
        self.ended
    }

    fn take(&mut self, tools: Vec<&RawValue>) -> Result<(), Diagnostic> {
        if tools.len() > self.limits.tools - self.items.len() {
            return Err(Diagnostic::new(
                Code::DiscoveryToolLimit,
                format!("The server lists more than {} tools. {FEWER}", self.limits.tools),
            ));
        }
        let bytes = tools.iter().map(|tool| tool.get().len()).sum::<usize>();
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.catalog_bytes {
            return Err(Diagnostic::new(
                Code::DiscoveryCatalogSizeLimit,
                format!(
                    "The server's tools are more than {} bytes of JSON. {FEWER}",
                    self.limits.catalog_bytes
                ),
            ));
        }
        self.items.extend(tools.into_iter().map(ToOwned::to_owned));
        Ok(())
    }

    fn follow(&mut self, cursor: &RawValue) -> Result<NextPage, Diagnostic> {
        let cursor = json::string(cursor).ok_or_else(|| {
            list_failed(format!(
                "The cursor on page {} of the list of tools is no string.",
                self.pages
            ))
            .at("nextCursor")
        })?;
        if !self.cursors.insert(cursor.clone()) {
            return Err(Diagnostic::new(
                Code::DiscoveryCursorCycle,
                format!(
                    "Page {} of the list of tools leads back to a page that was read: its cursor was there before. The server's \
                     maker has to repair its paging.",
                    self.pages
                ),
            )
            .at("nextCursor"));
        }
        if self.pages >= self.limits.pages {
            return Err(self.page_limit());
        }
        Ok(NextPage::Cursor(cursor))
    }

    fn page_limit(&self) -> Diagnostic {
        Diagnostic::new(
            Code::DiscoveryPageLimit,
            format!(
                "The server's list of tools has more than {} pages. {FEWER}",
                self.limits.pages
            ),
        )
    }
}

/// What to do about a list that is too large.
const FEWER: &str = "Nothing of it was kept; let the server offer fewer tools, if it has a setting for that.";

pub(super) fn list_failed(message: impl Into<String>) -> Diagnostic {
    let message = message.into();
    Diagnostic::new(
        Code::DiscoveryListFailed,
        format!("{message} Nothing of the list was kept; if it stays so, the server's maker has to repair it."),
    )
}
