//! What was asked to be what, and when: the values that something can have had at a moment, given that requests under
//! way at once are carried out in any order.

use std::collections::BTreeMap;

use crate::chance::Moment;

/// Some time that never comes.
pub(crate) const NEVER: Moment = usize::MAX;

#[derive(Debug)]
struct Write {
    value: String,
    asked: Moment,
    answered: Moment,
    /// False where it may have been carried out, and may not.
    certain: bool,
}

/// The values of one thing after the other.
#[derive(Default)]
pub(crate) struct History(BTreeMap<String, Vec<Write>>);

impl History {
    /// Something was to have a value: asked at one moment, acknowledged at another.
    pub(crate) fn write(&mut self, name: &str, value: &str, asked: Moment, answered: Moment, certain: bool) {
        self.0.entry(name.to_owned()).or_default().push(Write {
            value: value.to_owned(),
            asked,
            answered,
            certain,
        });
    }

    /// Whether something can have had a value at some moment between these. What was never written is nothing.
    pub(crate) fn can_be(&self, name: &str, value: &str, from: Moment, to: Moment) -> bool {
        let none = Vec::new();
        let writes = self.0.get(name).unwrap_or(&none);
        let is_over = |write: &Write| {
            let later = |other: &&Write| other.certain && other.asked > write.answered && other.answered < from;
            writes.iter().any(|other| later(&other))
        };
        let first_is_over = writes.iter().any(|other| other.certain && other.answered < from);
        let can = writes
            .iter()
            .any(|write| write.value == value && write.asked <= to && !is_over(write));
        can || (value == "none" && !first_is_over)
    }

    /// How often it may have been given a value.
    pub(crate) fn times(&self, name: &str, value: &str) -> usize {
        let writes = self.0.get(name).into_iter().flatten();
        writes.filter(|write| write.value == value).count()
    }

    /// What is known of it, for whoever has to find out why.
    pub(crate) fn tell(&self, name: &str) -> String {
        format!("{name}: {:#?}", self.0.get(name))
    }

    /// The names that begin so.
    pub(crate) fn names(&self, start: &str) -> Vec<String> {
        self.0.keys().filter(|name| name.starts_with(start)).cloned().collect()
    }
}

impl History {
    /// Whether something had this value for certain after one moment, asked for and acknowledged before another.
    pub(crate) fn was_between(&self, name: &str, value: &str, after: Moment, before: Moment) -> bool {
        let writes = self.0.get(name).into_iter().flatten();
        writes
            .filter(|write| write.certain && write.value == value)
            .any(|write| write.asked > after && write.answered < before)
    }

    /// Whether it had any value for certain in that time.
    pub(crate) fn was_written_between(&self, name: &str, after: Moment, before: Moment) -> bool {
        let writes = self.0.get(name).into_iter().flatten();
        writes
            .filter(|write| write.certain)
            .any(|write| write.asked > after && write.answered < before)
    }
}
