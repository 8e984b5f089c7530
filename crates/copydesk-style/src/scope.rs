//! Which parts of an article a rule looks at, in Vale's words: `text`, `heading.h2`, `sentence`, `~heading`, `raw`, …

use super::page::BlockKind;

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
#[error("scope has {part:?}; one of {FIRST} belongs there")]
pub(super) struct UnknownScope {
    part: String,
}

/// The first words that Vale knows.
const FIRST: &str = "text, heading, table, list, paragraph, sentence, blockquote, title, summary, raw, alt, figure";

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
            if !FIRST.split(", ").any(|known| known == first) {
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

    /// Whether a block of that kind belongs to it, if `title` says whether it is one of the two headlines.
    pub fn holds(&self, kind: BlockKind, title: bool) -> bool {
        let is = |word: &String| match word.as_str() {
            // A kind of file that a rule is for counts as nothing more: an article is Markdown.
            "text" | "md" => true,
            "title" => title,
            word => kind.is(word),
        };
        self.parts.iter().all(|(turned, words)| words.iter().all(is) != *turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(scope: &str) -> Vec<&'static str> {
        let scope = RuleScope::read(scope).unwrap();
        [
            ("headline", BlockKind::Heading(1)),
            ("h2", BlockKind::Heading(2)),
            ("paragraph", BlockKind::Paragraph),
            ("list", BlockKind::Item),
            ("cell", BlockKind::Cell),
        ]
        .into_iter()
        .filter(|(name, kind)| scope.holds(*kind, *name == "headline"))
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
