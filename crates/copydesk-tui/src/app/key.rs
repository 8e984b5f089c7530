//! One key as a person writes it (`ctrl-p`, `shift-tab`, `f5`, `?`) and as a terminal sends it.
//!
//! The crate `crokey` does not fit: it has other names (`pageup`, `hyphen`, `shift-e`), and it accepts keys that no terminal sends.

use std::{fmt, str::FromStr};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::app::KeyContext;

/// A key with its modifiers, in one form only: Shift is part of a character, Ctrl+letter is lower case, back-tab is
/// `shift-tab`. Prints as it is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Why a text is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No key has that name.
    #[error("{0:?} is not a key; write one like ctrl-p, alt-c, shift-tab, f5, enter, space, pgdn, ? or E")]
    Unknown(String),
    /// Terminals send something else for it.
    #[error("{0:?} does not reach a program from every terminal; {1}")]
    NotSent(String, &'static str),
}

/// Keys with a name; the first name of a key is the one that is printed.
const NAMES: [(&str, KeyCode); 20] = [
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("escape", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("del", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pageup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("pagedown", KeyCode::PageDown),
];

/// The modifiers, in the order in which they are printed.
const MODIFIERS: [(&str, KeyModifiers); 3] =
    [("ctrl", KeyModifiers::CONTROL), ("alt", KeyModifiers::ALT), ("shift", KeyModifiers::SHIFT)];

impl Key {
    /// A key that the terminal sent. None for a release, a repeat of the protocol, and keys that carry nothing alone.
    pub fn pressed(event: KeyEvent) -> Option<Self> {
        if event.kind != KeyEventKind::Press {
            return None;
        }
        if matches!(event.code, KeyCode::Null | KeyCode::Modifier(_) | KeyCode::Media(_)) {
            return None;
        }
        Some(Self::normal(event.code, event.modifiers))
    }

    fn normal(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let mut kept = modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let code = match code {
            KeyCode::BackTab => {
                kept |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            KeyCode::Char(c) => {
                let shifted = kept.contains(KeyModifiers::SHIFT);
                kept -= KeyModifiers::SHIFT;
                KeyCode::Char(match c {
                    c if kept.contains(KeyModifiers::CONTROL) => c.to_ascii_lowercase(),
                    c if shifted => one(c.to_uppercase()).unwrap_or(c),
                    c => c,
                })
            }
            code => code,
        };
        Self { code, modifiers: kept }
    }

    /// Whether the key writes a character where text is typed.
    pub fn types(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    /// Whether a place keeps this key for the typing and editing of text, so that it runs no action there.
    pub fn is_typing_at(self, place: KeyContext) -> bool {
        let in_line = self.types()
            || matches!(
                self.code,
                KeyCode::Backspace | KeyCode::Delete | KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End
            );
        match place {
            KeyContext::Input | KeyContext::Query => in_line,
            KeyContext::Editor => {
                let vertical = matches!(self.code, KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown);
                in_line || vertical || (self.code == KeyCode::Enter && self.modifiers.is_empty())
            }
            KeyContext::Choice => self.types(),
            _ => false,
        }
    }
}

/// The only character of a case mapping; `ß` has two, and stays.
fn one(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    mapped.next().filter(|_| mapped.next().is_none())
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let unknown = || KeyError::Unknown(text.to_owned());
        let not_sent = |why| KeyError::NotSent(text.to_owned(), why);
        let mut rest = text.trim();
        let mut modifiers = KeyModifiers::NONE;
        // A last "-" is the key itself.
        while let Some((prefix, after)) = rest.split_once('-').filter(|(_, after)| !after.is_empty()) {
            let named = MODIFIERS.iter().find(|(name, _)| prefix.eq_ignore_ascii_case(name));
            let Some((_, modifier)) = named else { break };
            modifiers |= *modifier;
            rest = after;
        }
        let lower = rest.to_ascii_lowercase();
        let named = NAMES.iter().find(|(name, _)| *name == lower).map(|(_, code)| *code);
        let function = || {
            let number: u8 = lower.strip_prefix('f')?.parse().ok()?;
            (1..=12).contains(&number).then_some(KeyCode::F(number))
        };
        let character = || one(rest.chars()).filter(|c| !c.is_control() && !c.is_whitespace()).map(KeyCode::Char);
        let code = named.or_else(function).or_else(character).ok_or_else(unknown)?;
        let (ctrl, shift) = (modifiers.contains(KeyModifiers::CONTROL), modifiers.contains(KeyModifiers::SHIFT));
        match code {
            KeyCode::Char(c) if ctrl => {
                if matches!(c.to_ascii_lowercase(), 'i' | 'm' | '[') {
                    return Err(not_sent("it is the same as tab, enter or esc"));
                }
                if shift || !(c.is_ascii_alphabetic() || c == ' ') {
                    return Err(not_sent("ctrl- goes with a letter, space or a named key, without shift-"));
                }
            }
            KeyCode::Char(c) if shift && !c.is_alphabetic() => {
                return Err(not_sent("write the character that it types, such as ? or +"));
            }
            KeyCode::Enter | KeyCode::Esc | KeyCode::Backspace if shift || ctrl => {
                return Err(not_sent("alt- or another key does"));
            }
            _ => {}
        }
        Ok(Self::normal(code, modifiers))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, _) in MODIFIERS.iter().filter(|(_, modifier)| self.modifiers.contains(*modifier)) {
            write!(f, "{name}-")?;
        }
        match (NAMES.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, KeyCode::F(number)) => write!(f, "f{number}"),
            (None, other) => f.write_str(&format!("{other:?}").to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        text.parse().unwrap()
    }

    fn sent(code: KeyCode, modifiers: KeyModifiers) -> Key {
        Key::pressed(KeyEvent::new(code, modifiers)).unwrap()
    }

    #[test]
    fn a_key_prints_as_it_is_written() {
        for text in [
            "ctrl-p",
            "shift-tab",
            "f5",
            "f12",
            "+",
            "-",
            "space",
            "enter",
            "pgdn",
            "?",
            "E",
            "e",
            "ctrl-space",
            "alt-enter",
            "alt--",
            "alt-E",
            "ö",
            "ß",
            "ctrl-right",
            "ctrl-alt-x",
            "shift-up",
            "[",
            "|",
        ] {
            assert_eq!(key(text).to_string(), text);
        }
        for (written, printed) in [
            ("Ctrl-P", "ctrl-p"),
            ("PageDown", "pgdn"),
            ("F1", "f1"),
            ("shift-e", "E"),
            ("escape", "esc"),
            ("ENTER", "enter"),
        ] {
            assert_eq!(key(written).to_string(), printed);
        }
    }

    #[test]
    fn what_is_no_key_says_what_one_looks_like() {
        for bad in ["", "ctrl-", "strg-p", "f13", "f0", "pp", "super-a", "\u{1b}", "\n"] {
            assert_eq!(bad.parse::<Key>(), Err(KeyError::Unknown(bad.to_owned())), "{bad:?}");
        }
        for lost in
            ["ctrl-i", "ctrl-M", "ctrl-[", "ctrl-shift-p", "ctrl-+", "ctrl--", "shift-1", "ctrl-enter", "shift-esc"]
        {
            assert!(matches!(lost.parse::<Key>(), Err(KeyError::NotSent(..))), "{lost}");
        }
        assert_eq!(
            "strg-p".parse::<Key>().unwrap_err().to_string(),
            "\"strg-p\" is not a key; write one like ctrl-p, alt-c, shift-tab, f5, enter, space, pgdn, ? or E"
        );
    }

    #[test]
    fn terminals_send_one_key_in_several_forms() {
        use KeyModifiers as With;
        assert_eq!(sent(KeyCode::Char('?'), With::SHIFT), key("?"));
        assert_eq!(sent(KeyCode::Char('?'), With::NONE), key("?"));
        assert_eq!(sent(KeyCode::Char('E'), With::SHIFT), key("E"));
        assert_eq!(sent(KeyCode::Char('e'), With::SHIFT), key("E"));
        assert_eq!(sent(KeyCode::Char('E'), With::NONE), key("E"));
        assert_eq!(sent(KeyCode::Char('P'), With::CONTROL), key("ctrl-p"));
        assert_eq!(sent(KeyCode::Char('P'), With::CONTROL | With::SHIFT), key("ctrl-p"));
        assert_eq!(sent(KeyCode::BackTab, With::NONE), key("shift-tab"));
        assert_eq!(sent(KeyCode::BackTab, With::SHIFT), key("shift-tab"));
        assert_eq!(sent(KeyCode::Tab, With::SHIFT), key("shift-tab"));
        assert_eq!(sent(KeyCode::Char(' '), With::CONTROL), key("ctrl-space"));
    }

    #[test]
    fn only_presses_count() {
        let mut event = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        assert!(Key::pressed(event).is_some());
        event.kind = KeyEventKind::Release;
        assert_eq!(Key::pressed(event), None);
        event.kind = KeyEventKind::Repeat;
        assert_eq!(Key::pressed(event), None);
    }

    #[test]
    fn where_text_is_typed_keys_type() {
        for typed in ["q", "?", "space", "Ä", "backspace", "left", "ctrl-left", "home"] {
            assert!(
                key(typed).is_typing_at(KeyContext::Editor) && key(typed).is_typing_at(KeyContext::Input),
                "{typed}"
            );
            assert!(key(typed).is_typing_at(KeyContext::Query), "{typed}");
            assert!(key(typed).types() == key(typed).is_typing_at(KeyContext::Choice), "{typed}");
            assert!(
                !key(typed).is_typing_at(KeyContext::Dialog) && !key(typed).is_typing_at(KeyContext::Desk),
                "{typed}"
            );
        }
        for typed in ["enter", "up", "pgdn"] {
            assert!(
                key(typed).is_typing_at(KeyContext::Editor) && !key(typed).is_typing_at(KeyContext::Input),
                "{typed}"
            );
        }
        for command in ["esc", "ctrl-s", "tab", "shift-tab", "f1", "alt-enter", "alt-c"] {
            assert!(
                !key(command).is_typing_at(KeyContext::Editor) && !key(command).is_typing_at(KeyContext::Input),
                "{command}"
            );
        }
    }
}
