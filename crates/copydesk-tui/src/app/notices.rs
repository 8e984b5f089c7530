//! The messages: the one in the footer, and all earlier ones.

use std::collections::VecDeque;

use jiff::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something is done.
    Done,
    /// Something went wrong or is not possible now.
    Trouble,
}

/// The message in the footer until the next key: the newest one, but a notice does not replace a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub tone: Tone,
    pub text: String,
    /// The number of other messages since the last key.
    pub others: usize,
}

impl Notice {
    /// The notice after one more message.
    pub fn after(standing: Option<Self>, tone: Tone, text: String) -> Self {
        match standing {
            None => Self { tone, text, others: 0 },
            Some(standing) if (standing.tone, &standing.text) == (tone, &text) => standing,
            Some(standing) if standing.tone == Tone::Trouble && tone == Tone::Done => {
                Self { others: standing.others + 1, ..standing }
            }
            Some(standing) => Self { tone, text, others: standing.others + 1 },
        }
    }
}

pub const MOST: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The last time.
    pub at: Timestamp,
    pub tone: Tone,
    pub text: String,
    /// How often in a row.
    pub times: usize,
}

/// The last [`MOST`] messages since the program was started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notices(VecDeque<Said>);

impl Notices {
    pub fn add(&mut self, at: Timestamp, tone: Tone, text: &str) {
        if let Some(last) = self.0.front_mut().filter(|last| last.tone == tone && last.text == text) {
            (last.at, last.times) = (at, last.times.saturating_add(1));
            return;
        }
        self.0.push_front(Said { at, tone, text: text.to_owned(), times: 1 });
        self.0.truncate(MOST);
    }

    /// The newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Said> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_gives_way_to_another_one_only() {
        let notice = |tone, text: &str, others| Notice { tone, text: text.into(), others };
        let mut standing = None;
        let mut say = |tone, text: &str| {
            let now = Notice::after(standing.take(), tone, text.to_owned());
            standing = Some(now.clone());
            now
        };
        assert_eq!(say(Tone::Done, "saved"), notice(Tone::Done, "saved", 0));
        assert_eq!(say(Tone::Done, "begun"), notice(Tone::Done, "begun", 1));
        assert_eq!(say(Tone::Trouble, "locked"), notice(Tone::Trouble, "locked", 2));
        assert_eq!(say(Tone::Trouble, "locked"), notice(Tone::Trouble, "locked", 2));
        assert_eq!(say(Tone::Done, "saved"), notice(Tone::Trouble, "locked", 3));
        assert_eq!(say(Tone::Trouble, "gone"), notice(Tone::Trouble, "gone", 4));
    }

    #[test]
    fn what_was_said_is_remembered_the_newest_first_and_not_without_end() {
        let mut notices = Notices::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        notices.add(at(1), Tone::Trouble, "locked");
        notices.add(at(2), Tone::Trouble, "locked");
        notices.add(at(3), Tone::Done, "saved");
        let said: Vec<_> = notices.iter().map(|said| (said.at, said.text.as_str(), said.times)).collect();
        assert_eq!(said, [(at(3), "saved", 1), (at(2), "locked", 2)]);
        for number in 0..2 * MOST {
            notices.add(at(4), Tone::Done, &number.to_string());
        }
        assert_eq!(notices.iter().count(), MOST);
        assert_eq!(notices.iter().next().map(|said| said.text.clone()), Some((2 * MOST - 1).to_string()));
    }
}
