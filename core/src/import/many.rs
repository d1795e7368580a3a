//! Import of many servers from one text: all of them or none.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::text::Document;
use super::{Entry, Reading, ServerDraft, in_order};
use crate::server::ServerConfig;
use crate::{Code, Diagnostic, Limits, Refusal, identity};

/// The most errors that are named; where there are more, a last one says how many.
const MOST_NAMED: usize = 100;
/// Of a text with too many servers, so many times as many as may be imported are looked at.
const LOOKED_AT: usize = 10;

/// What there is before an import.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'names> {
    /// The display names of the servers.
    pub names: &'names [String],
    /// How many servers there are, those included whose files cannot be read.
    pub servers: usize,
}

/// What an import would create (partner contract). The preview a page shows is this value; the host imports if
/// [`ImportPreview::accepted`] says so of the same text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportPreview {
    /// The servers of the text, in its order. All of them are created, paused, or, where there is any error here or in
    /// one of them, none.
    pub entries: Vec<ImportEntry>,
    /// Why the text as a whole is refused; what is wrong with one server is said there.
    pub errors: Vec<Diagnostic>,
    /// What was not used of the text around the servers, or read differently than it was written.
    pub notes: Vec<Diagnostic>,
}

/// One server of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ImportEntry {
    /// Its name as it would be stored, or, where it could not be, as it is written; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Its path in the text, such as `mcpServers.docs`; empty where the text is the server itself.
    pub path: String,
    /// The line where it begins, counted from 1.
    pub line: u32,
    /// The column in that line, counted from 1 in UTF-16 code units.
    pub column: u32,
    /// How to reach it, normalised; absent where that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<ServerConfig>,
    /// What is wrong with it; empty where it would be created.
    pub errors: Vec<Diagnostic>,
    /// What was accepted of it but not used, or read differently than it was written.
    pub notes: Vec<Diagnostic>,
}

/// What an import that is not refused creates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The servers, in the order of the text, each with a name.
    pub servers: Vec<ServerDraft>,
    /// Every note, in the order of the text.
    pub notes: Vec<Diagnostic>,
}

impl ImportPreview {
    /// Keeps the first so many errors in the order of the text; one more says how many there are besides.
    fn name_at_most(&mut self, most: usize) {
        let place = |error: &Diagnostic| (error.line, error.column);
        let mut places: Vec<_> = self.errors.iter().map(place).collect();
        places.extend(self.entries.iter().flat_map(|entry| &entry.errors).map(place));
        places.sort_unstable();
        let Some(&cut) = places.get(most) else { return };
        // Several may stand at one place.
        let mut left = places.iter().take(most).filter(|place| **place == cut).count();
        let mut is_named = |error: &Diagnostic| match place(error).cmp(&cut) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => match left.checked_sub(1) {
                Some(fewer) => {
                    left = fewer;
                    true
                }
                None => false,
            },
        };
        self.errors.retain(&mut is_named);
        for entry in &mut self.entries {
            entry.errors.retain(&mut is_named);
        }
        let message = format!(
            "There are {} errors more; mend those that are named, then import again.",
            places.len() - most
        );
        let more = Diagnostic::new(Code::ImportMoreErrors, message);
        self.errors.push(match cut {
            (Some(line), Some(column)) => more.at_position(line, column),
            _ => more,
        });
    }

    /// What is created; a refusal with every error, in the order of the text, where there is any.
    pub fn accepted(self) -> Result<Accepted, Refusal> {
        let Self {
            entries,
            mut errors,
            mut notes,
        } = self;
        let mut servers = Vec::with_capacity(entries.len());
        for entry in entries {
            errors.extend(entry.errors);
            notes.extend(entry.notes);
            if let Some(config) = entry.config {
                servers.push(ServerDraft {
                    display_name: entry.display_name,
                    config,
                });
            }
        }
        match Refusal::from_reasons(in_order(errors)) {
            Some(refusal) => Err(refusal),
            None => Ok(Accepted {
                servers,
                notes: in_order(notes),
            }),
        }
    }
}

/// Reads servers of either transport: `mcpServers` (or `servers`, or another program's key) with 1 to 30 of them by
/// name, `{"name": {…}, …}`, or a list of servers that hold their `name` (partner contract). All or none: a name that is
/// taken (by its normalised spelling, upper and lower case told apart) or stands in the text twice, a server that cannot
/// be read, one too many for the registry or for one import refuse everything, and each is named, up to 100 errors. What the text may look
/// like besides is as for [`super::add_one`]; placeholders of saved values are errors.
pub fn import_many(text: &str, registered: &Registered<'_>, limits: &Limits) -> ImportPreview {
    let document = match Document::read(text) {
        Ok(document) => document,
        Err(error) => {
            return ImportPreview {
                entries: Vec::new(),
                errors: vec![error],
                notes: Vec::new(),
            };
        }
    };
    let mut reading = Reading {
        places: &document.places,
        saved: None,
        limits,
        errors: Vec::new(),
        notes: Vec::from_iter(document.relaxed),
    };
    reading.refuse_duplicate_keys("", &document.value);
    let entries = if reading.errors.is_empty() {
        let found = reading.entries(&document.value);
        let most = limits.servers_per_import;
        let mut imported = reading.imported(
            found.get(..most.saturating_mul(LOOKED_AT)).unwrap_or(&found),
            registered,
        );
        reading.at_most_as_many_as_one_import_may(&found);
        // What is wrong with those that are too many is said as well; they are not shown.
        for rest in imported.drain(most.min(imported.len())..) {
            reading.errors.extend(rest.errors);
        }
        imported
    } else {
        Vec::new()
    };
    let mut preview = ImportPreview {
        entries,
        errors: in_order(reading.errors),
        notes: in_order(reading.notes),
    };
    preview.name_at_most(MOST_NAMED);
    preview
}

impl Reading<'_> {
    fn at_most_as_many_as_one_import_may(&mut self, entries: &[Entry<'_, '_>]) {
        let limit = self.limits.servers_per_import;
        if let Some(first_too_many) = entries.get(limit) {
            let message = format!(
                "There are {} servers in this text, and {limit} can be imported at a time. Import those from here on by themselves.",
                entries.len()
            );
            self.error(Code::ImportLimit, &first_too_many.path, first_too_many.at, message);
        }
    }

    fn imported(&mut self, entries: &[Entry<'_, '_>], registered: &Registered<'_>) -> Vec<ImportEntry> {
        let names: Vec<Option<String>> = entries.iter().map(|entry| self.name_of(entry)).collect();
        let mut often: BTreeMap<&str, usize> = BTreeMap::new();
        for name in names.iter().flatten() {
            *often.entry(name).or_default() += 1;
        }
        let room = self.limits.servers.saturating_sub(registered.servers);
        let (around, notes_around) = (self.errors.len(), self.notes.len());
        let mut imported = Vec::with_capacity(entries.len());
        for (index, (entry, name)) in entries.iter().zip(&names).enumerate() {
            if index >= room && index < self.limits.servers_per_import {
                let message = format!(
                    "There are {} servers and there may be {}, so there is room for {room} of this text. Remove servers, or import fewer.",
                    registered.servers, self.limits.servers
                );
                self.error(Code::ServerLimit, &entry.path, entry.at, message);
            }
            match name {
                None => self.error(
                    Code::ImportNameMissing,
                    &entry.path,
                    entry.at,
                    "This server has no name. Put it under one, as in {\"mcpServers\": {\"docs\": {…}}}.",
                ),
                Some(name) if registered.names.contains(name) => self.error(
                    Code::ImportNameTaken,
                    &entry.path,
                    entry.at,
                    "There is a server of this name already; rename this one, or leave it out. An import never overwrites.",
                ),
                Some(name) if often.get(name.as_str()).is_some_and(|count| *count > 1) => self.error(
                    Code::ImportNameDoubled,
                    &entry.path,
                    entry.at,
                    "Several servers of this text have this name (white space makes no difference); rename all but one.",
                ),
                Some(_) => {}
            }
            let draft = self.server(entry);
            let (line, column) = self.places.position(entry.at);
            imported.push(ImportEntry {
                display_name: name.clone(),
                path: entry.path.clone(),
                line,
                column,
                config: draft.map(|draft| draft.config),
                errors: in_order(self.errors.split_off(around)),
                notes: in_order(self.notes.split_off(notes_around)),
            });
        }
        imported
    }

    /// An entry's name: normalised, or as it is written where it cannot be stored, which has its own error.
    fn name_of(&self, entry: &Entry<'_, '_>) -> Option<String> {
        let written = match entry.name {
            Some(name) => name,
            None => entry.object.get_string("name").map(|literal| literal.value.as_ref())?,
        };
        Some(identity::normalize_display_name(written, self.limits).unwrap_or_else(|_| written.to_owned()))
    }
}
