//! `substitution`: words for which the house writes others.

use super::{
    fields::Fields,
    message::choice,
    pattern::{self, GivenUp, Pattern, PatternBudget},
    stretch::RuleMatch,
};
use copydesk_text::capital;

/// A word and what is written instead.
#[derive(Debug, Clone)]
struct Swap {
    /// The pattern with its own groups, if what is written instead takes from them (`$1`).
    groups: Option<Pattern>,
    /// Matches a find that is right already (`ios: iOS`, case aside).
    right: Option<Pattern>,
    instead: String,
}

/// Looks for the keys of `swap`.
#[derive(Debug, Clone)]
pub(super) struct Substitution {
    pattern: Pattern,
    exceptions: Option<Pattern>,
    /// In the order of the pattern's groups.
    swaps: Vec<Swap>,
    capitalize: bool,
    /// `action: replace`: the replacement is a choice, `|` between.
    replaces: bool,
}

impl Substitution {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let ignore_case = fields.yes("ignorecase");
        let nonword = fields.yes("nonword");
        let capitalize = fields.yes("capitalize");
        let mut pairs = fields.pairs("swap", "a section of words, each with what is written instead,");
        let exceptions = fields.exceptions();
        let action = fields.action();
        // Vale keeps the key for old rules and asks nothing of it.
        fields.ignore(&["pos"]);
        if pairs.is_empty() {
            fields.missing("swap", "a section of words, each with what is written instead,");
            return None;
        }
        fields.check_each(pairs.iter().map(|(line, word, _)| (*line, word.as_str())))?;
        // The longest first, so that a phrase goes before its words.
        pairs.sort_by_key(|(_, word, _)| std::cmp::Reverse(word.len()));
        let line = pairs.first().map_or(1, |(line, ..)| *line);
        let words: Vec<String> = pairs.iter().map(|(_, word, _)| format!("({})", ungrouped(word))).collect();
        let pattern = fields.compile(line, &pattern::words(&words, nonword, ignore_case))?;
        let swaps = pairs.into_iter().map(|(line, word, instead)| {
            let case = if ignore_case { "(?i)" } else { "" };
            let groups = if refers(&instead) { Some(fields.compile(line, &format!("{case}{word}"))?) } else { None };
            let right = if is_phrase(&instead) { None } else { Pattern::new(&format!("^(?:{instead})$")).ok() };
            Some(Swap { groups, right, instead })
        });
        let swaps = swaps.collect::<Option<Vec<_>>>()?;
        let replaces = action.is_some_and(|(name, params)| name == "replace" && params.is_empty());
        Some(Self { pattern, exceptions, swaps, capitalize, replaces })
    }

    pub fn matches(&self, text: &str, patience: &PatternBudget) -> Result<Vec<RuleMatch>, GivenUp> {
        let mut found = Vec::new();
        for (index, range) in self.pattern.find_groups(text, patience)? {
            let (Some(swap), Some(written)) = (self.swaps.get(index), text.get(range.clone())) else { continue };
            let written = written.trim();
            let begins = self.capitalize && written == capital(written);
            let case = |word: &str| if begins { capital(word) } else { word.to_owned() };
            let instead =
                case(&swap.groups.as_ref().map_or(swap.instead.clone(), |groups| groups.put(written, &swap.instead)));
            let right = instead == written || swap.right.as_ref().is_some_and(|right| right.is_match(written));
            if right || pattern::excepts(self.exceptions.as_ref(), written) {
                continue;
            }
            let choices: Vec<String> =
                if self.replaces { instead.split('|').map(case).collect() } else { vec![instead.clone()] };
            let said = if self.replaces { choice(&choices) } else { instead.clone() };
            // A replacement that reads like a pattern is no text to put there.
            let plain = !instead.contains(['|', '\\', '(', '[', '*', '+']);
            let replacement = (plain && choices.len() == 1).then(|| choices.concat());
            found.push(RuleMatch { range, values: vec![said, written.to_owned()], replacement });
        }
        Ok(found)
    }

    /// Whether a message writes its own marks around a choice that has them already.
    pub fn message(&self, message: &str) -> String {
        let mut message = message.to_owned();
        if self.replaces {
            for marked in ["'%s'", "\"%s\""] {
                if message.matches(marked).count() == 2 {
                    message = message.replacen(marked, "%s", 1);
                }
            }
        }
        message
    }
}

/// Whether what is written instead takes from the pattern's groups.
fn refers(instead: &str) -> bool {
    instead
        .match_indices('$')
        .any(|(at, _)| instead.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
}

/// Letters, digits, spaces and hyphens: no pattern.
fn is_phrase(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'))
}

/// A pattern whose own groups take nothing, so that the groups of the whole are its words.
fn ungrouped(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.chars().peekable();
    let mut class = false;
    while let Some(c) = chars.next() {
        written.push(c);
        match c {
            '\\' => written.extend(chars.next()),
            '[' => class = true,
            ']' => class = false,
            '(' if !class && chars.peek() != Some(&'?') => written.push_str("?:"),
            _ => {}
        }
    }
    written
}
