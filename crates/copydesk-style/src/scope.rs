//! Which parts of an article a rule looks at, in Vale's words: `text`, `heading.h2`, `sentence`, `~heading`, `raw`, …

/// The traits of a block that a scope looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockTraits {
    /// heading, paragraph, list, blockquote, header or cell.
    pub kind: &'static str,
    /// A heading's level.
    pub level: Option<u8>,
    /// One of the two headlines.
    pub title: bool,
}

impl BlockTraits {
    /// Whether one word of a scope names it.
    fn is(&self, word: &str) -> bool {
        match word {
            // A kind of file that a rule is for counts as nothing more: an article is Markdown.
            "text" | "md" => true,
            "title" => self.title,
            "table" => matches!(self.kind, "header" | "cell"),
            _ => {
                let level = word.strip_prefix('h').and_then(|level| level.parse().ok());
                self.kind == word || level.is_some() && self.level == level
            }
        }
    }
}

/// The unit of text that a rule is run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeUnit {
    /// Each block.
    Block,
    /// Each sentence of running text.
    Sentence,
    /// All running text of a field at once.
    Summary,
    /// A field as it is written.
    Raw,
}

/// One of a rule's scopes: all of its parts must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleScope {
    pub unit: ScopeUnit,
    /// Words joined with a point, and whether the part is turned round by `~`.
    parts: Vec<(bool, Vec<String>)>,
}

/// A scope that begins with no word of Vale's, with its part that does.
#[derive(Debug, thiserror::Error)]
#[error("scope has {part:?}; one of {} belongs there", FIRST.join(", "))]
pub(super) struct UnknownScope {
    part: String,
}

/// The first words that Vale knows.
const FIRST: [&str; 12] = [
    "text",
    "heading",
    "table",
    "list",
    "paragraph",
    "sentence",
    "blockquote",
    "title",
    "summary",
    "raw",
    "alt",
    "figure",
];

impl RuleScope {
    /// Reads a scope.
    ///
    /// # Errors
    /// [`UnknownScope`], which says what belongs there.
    pub fn read(text: &str) -> Result<Self, UnknownScope> {
        let mut unit = ScopeUnit::Block;
        let mut parts = Vec::new();
        for part in text.split('&').map(str::trim) {
            let (turned, part) = part.strip_prefix('~').map_or((false, part), |part| (true, part.trim()));
            let words: Vec<String> = part.split('.').map(|word| word.trim().to_owned()).collect();
            let first = words.first().map_or("", String::as_str);
            if !FIRST.contains(&first) {
                return Err(UnknownScope { part: part.to_owned() });
            }
            match first {
                "sentence" if !turned => unit = ScopeUnit::Sentence,
                "summary" if !turned => unit = ScopeUnit::Summary,
                "raw" if !turned => unit = ScopeUnit::Raw,
                _ => parts.push((turned, words)),
            }
        }
        Ok(Self { unit, parts })
    }

    /// Whether it asks for block quotations, which are somebody else's words.
    pub fn cites(&self) -> bool {
        self.parts.iter().any(|(turned, words)| !turned && words.iter().any(|word| word == "blockquote"))
    }

    /// Whether a block belongs to it.
    pub fn holds(&self, place: &BlockTraits) -> bool {
        self.parts.iter().all(|(turned, words)| words.iter().all(|word| place.is(word)) != *turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(scope: &str) -> Vec<&'static str> {
        let scope = RuleScope::read(scope).unwrap();
        let place = |kind, level, title| BlockTraits { kind, level, title };
        [
            ("headline", place("heading", Some(1), true)),
            ("h2", place("heading", Some(2), false)),
            ("paragraph", place("paragraph", None, false)),
            ("list", place("list", None, false)),
            ("cell", place("cell", None, false)),
        ]
        .into_iter()
        .filter(|(_, place)| scope.holds(place))
        .map(|(name, _)| name)
        .collect()
    }

    #[test]
    fn vales_scopes() {
        assert_eq!(places("text"), ["headline", "h2", "paragraph", "list", "cell"]);
        assert_eq!(places("heading"), ["headline", "h2"]);
        assert_eq!(places("heading & ~heading.h1"), ["h2"]);
        assert_eq!(places("~heading"), ["paragraph", "list", "cell"]);
        assert_eq!(places("title"), ["headline"]);
        assert_eq!(places("table.cell"), ["cell"]);
        assert_eq!(places("paragraph.rst"), [] as [&str; 0]);
        assert_eq!(places("figure.caption"), [] as [&str; 0]);
        assert_eq!(RuleScope::read("sentence").unwrap().unit, ScopeUnit::Sentence);
        assert_eq!(RuleScope::read("raw").unwrap().unit, ScopeUnit::Raw);
        assert!(RuleScope::read("text & blockquote").unwrap().cites());
        assert!(!RuleScope::read("text & ~blockquote").unwrap().cites());
        assert!(RuleScope::read("headings").unwrap_err().to_string().contains("one of text, heading"));
    }
}
