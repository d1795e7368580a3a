//! Aliases: the names under which models see tools. One allocator for agents, Legacy chats and partners.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::identity::ToolId;

/// The most bytes of an alias.
const MOST_BYTES: usize = 64;
/// `mcp__` before the server's part and `__` after it.
const FIXED_BYTES: usize = 7;
/// Digits of the first suffix, and how many more each further one has.
const FIRST_DIGITS: usize = 8;
const MORE_DIGITS: usize = 4;
/// With these digits one character is left for the server and three for the tool.
const MOST_DIGITS: usize = 52;

/// Gives each tool its alias, in the order of the tools; `server` is the name a person knows the tool's server by.
///
/// An alias is `mcp__<server>__<tool>`, of `A-Z a-z 0-9 _ -` only, at most 64 bytes:
/// 1. Each part is cleaned: a run of other characters becomes one `_`, none at the beginning or end; what is left with
///    nothing becomes `x`.
/// 2. Both parts share 57 bytes, less a suffix with its `_`. A tool's name that is too long is cut at its end, down to
///    what a server's name cut to a third of the room leaves it.
/// 3. Where cleaning or cutting changed anything, `_` and the first 8 hexadecimal digits of the SHA-256 of the tool id
///    are added.
/// 4. As long as two of these names are equal, or one is a local name, all the tools that have it (the suffix of each its
///    own) go on to the next longer suffix: none, 8, 12, 16 … 52 digits; and should even those meet, 52 digits of the
///    SHA-256 of the tool id and a line feed and a `1`, a `2` and so on.
///
/// Local names stay as they are: the tools make way. The result does not depend on the order of tools or of local names,
/// and a tool that meets no other's name has the same alias whatever else is in the set. Different tools never share
/// one; a tool that stands twice has the same one at both places.
pub fn allocate<'t, 'l>(
    tools: impl IntoIterator<Item = (&'t ToolId, &'t str)>,
    local_names: impl IntoIterator<Item = &'l str>,
) -> Vec<String> {
    let tools: Vec<(&ToolId, &str)> = tools.into_iter().collect();
    let mut wanted: HashMap<&ToolId, Wanted> = tools
        .iter()
        // Of two names given for one tool's server the lesser counts, whatever the order.
        .fold(HashMap::new(), |mut names: HashMap<&ToolId, &str>, (id, server)| {
            names
                .entry(id)
                .and_modify(|name| *name = (*name).min(server))
                .or_insert(server);
            names
        })
        .into_iter()
        .map(|(id, server)| (id, Wanted::new(id, server)))
        .collect();
    let local_names: HashSet<&str> = local_names.into_iter().collect();
    loop {
        let mut holders: HashMap<&str, usize> = HashMap::new();
        for wanted in wanted.values() {
            *holders.entry(&wanted.alias).or_default() += 1;
        }
        let meeting: Vec<&ToolId> = wanted
            .iter()
            .filter(|(_, wanted)| {
                local_names.contains(wanted.alias.as_str())
                    || holders.get(wanted.alias.as_str()).is_some_and(|count| *count > 1)
            })
            .map(|(id, _)| *id)
            .collect();
        if meeting.is_empty() {
            break;
        }
        for id in meeting {
            if let Some(wanted) = wanted.get_mut(id) {
                wanted.make_way(id);
            }
        }
    }
    tools
        .iter()
        .map(|(id, _)| wanted.get(id).map(|wanted| wanted.alias.clone()).unwrap_or_default())
        .collect()
}

/// The name a tool has as yet.
struct Wanted {
    server: String,
    tool: String,
    /// 0 is without a suffix.
    step: usize,
    alias: String,
}

impl Wanted {
    fn new(id: &ToolId, server: &str) -> Self {
        let cleaned_server = cleaned(server);
        let cleaned_tool = cleaned(id.native_name());
        let is_changed = cleaned_server != server
            || cleaned_tool != id.native_name()
            || FIXED_BYTES + cleaned_server.len() + cleaned_tool.len() > MOST_BYTES;
        let mut wanted = Self {
            server: cleaned_server,
            tool: cleaned_tool,
            step: usize::from(is_changed),
            alias: String::new(),
        };
        wanted.alias = wanted.name(id);
        wanted
    }

    fn make_way(&mut self, id: &ToolId) {
        self.step += 1;
        self.alias = self.name(id);
    }

    fn name(&self, id: &ToolId) -> String {
        let suffix = suffix(id, self.step);
        let room = MOST_BYTES - FIXED_BYTES - suffix.len();
        let server_room = room.saturating_sub(self.tool.len()).max(room / 3);
        let server = start(&self.server, server_room);
        let tool = start(&self.tool, room - server.len());
        format!("mcp__{server}__{tool}{suffix}")
    }
}

/// At most so many bytes from the start of an ASCII text.
fn start(text: &str, bytes: usize) -> &str {
    text.get(..bytes.min(text.len())).unwrap_or(text)
}

fn cleaned(part: &str) -> String {
    let mut cleaned = String::with_capacity(part.len());
    let mut gap = false;
    for character in part.chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '-') {
            if std::mem::take(&mut gap) && !cleaned.is_empty() {
                cleaned.push('_');
            }
            cleaned.push(character);
        } else {
            gap = true;
        }
    }
    if cleaned.is_empty() {
        cleaned.push('x');
    }
    cleaned
}

fn suffix(id: &ToolId, step: usize) -> String {
    if step == 0 {
        return String::new();
    }
    let digits = FIRST_DIGITS + MORE_DIGITS * (step - 1);
    let hash = if digits <= MOST_DIGITS {
        Sha256::digest(id.to_string())
    } else {
        let further = (digits - MOST_DIGITS) / MORE_DIGITS;
        Sha256::digest(format!("{id}\n{further}"))
    };
    let hexadecimal = hash
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0xf])
        .map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0'));
    std::iter::once('_')
        .chain(hexadecimal.take(digits.min(MOST_DIGITS)))
        .collect()
}
