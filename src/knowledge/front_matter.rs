//! What a knowledge file says of itself: a block of YAML between two lines `---` at its beginning.

use jiff::civil::Date;
use serde::Deserialize;

use crate::text::sanitise;

/// Most bytes of the block: more is no front matter.
const MOST_BYTES: usize = 16 << 10;

/// What is said; other keys are for other programs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// `title`.
    pub title: Option<String>,
    /// `credibility`, from 0 to 1.
    pub credibility: Option<f64>,
    /// `date` or `published`: a day, ISO 8601.
    pub published: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Keys {
    title: Option<serde_yaml::Value>,
    credibility: Option<serde_yaml::Value>,
    date: Option<serde_yaml::Value>,
    published: Option<serde_yaml::Value>,
}

/// Reads the block at the beginning of `text`. Returns what it says and where the text goes on after it, in bytes.
///
/// # Errors
/// A sentence, where the block says something that cannot be so: a file whose credibility nobody knows is not to be cited.
pub fn read(text: &str) -> Result<(FrontMatter, usize), String> {
    let none = Ok((FrontMatter::default(), 0));
    let Some(after) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return none };
    let begin = text.len() - after.len();
    let mut end = begin;
    let mut block = None;
    for line in after.split_inclusive('\n') {
        let fence = matches!(line.trim_end(), "---" | "...");
        if fence {
            block = text.get(begin..end);
        }
        end += line.len();
        if fence || end > MOST_BYTES {
            break;
        }
    }
    // Without an end the line was a rule, not a fence.
    let Some(block) = block else { return none };
    if block.trim().is_empty() {
        return Ok((FrontMatter::default(), end));
    }
    let keys: Keys = serde_yaml::from_str(block)
        .map_err(|error| format!("its front matter (between the lines ---) cannot be read: {error}"))?;
    let credibility = match &keys.credibility {
        None | Some(serde_yaml::Value::Null) => None,
        Some(value) => {
            let number = value.as_f64().filter(|number| (0.0..=1.0).contains(number));
            Some(number.ok_or("credibility in its front matter is no number from 0 to 1")?)
        }
    };
    let published = match keys.published.as_ref().or(keys.date.as_ref()) {
        None | Some(serde_yaml::Value::Null) => None,
        Some(value) => {
            let day = value.as_str().and_then(day);
            Some(day.ok_or("the date in its front matter is no day such as 2026-11-22")?)
        }
    };
    let title = keys.title.as_ref().and_then(serde_yaml::Value::as_str).map(|title| sanitise::excerpt(title, 300));
    Ok((FrontMatter { title: title.filter(|title| !title.trim().is_empty()), credibility, published }, end))
}

/// The day of a date, with or without a time.
fn day(text: &str) -> Option<String> {
    let day: Date = text.trim().get(..10)?.parse().ok()?;
    Some(day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself() {
        let text = "---\ntitle: \"Parks: a report\"\ncredibility: 0.9\ndate: 2026-03-04T10:00:00Z\ntags: [a, b]\n---\n# Parks\n";
        let (said, after) = read(text).unwrap();
        assert_eq!(
            said,
            FrontMatter {
                title: Some("Parks: a report".into()),
                credibility: Some(0.9),
                published: Some("2026-03-04".into())
            }
        );
        assert_eq!(&text[after..], "# Parks\n");
        let (said, after) = read("---\npublished: 2025-01-31\n...\nText").unwrap();
        assert_eq!((said.published.as_deref(), after), (Some("2025-01-31"), 30));
    }

    #[test]
    fn what_has_none_says_nothing() {
        for text in [
            "",
            "Text.",
            "---\nA rule above, and no second one.",
            "text\n---\ncredibility: 2\n---\n",
            "----\na: 1\n---\n",
        ] {
            assert_eq!(read(text).unwrap(), (FrontMatter::default(), 0), "{text}");
        }
        assert_eq!(read("---\n---\nText").unwrap(), (FrontMatter::default(), 8));
        assert_eq!(read("---\ncredibility:\ntitle: 3\n---\n").unwrap().0, FrontMatter::default());
    }

    #[test]
    fn what_cannot_be_so_is_told() {
        for (block, told) in [
            ("credibility: high", "credibility in its front matter is no number"),
            ("credibility: 1.5", "credibility in its front matter is no number"),
            ("date: yesterday", "the date in its front matter is no day"),
            ("date: 2026-02-30", "the date in its front matter is no day"),
            ("title: [", "its front matter (between the lines ---) cannot be read"),
        ] {
            let problem = read(&format!("---\n{block}\n---\nText")).unwrap_err();
            assert!(problem.starts_with(told), "{block}: {problem}");
        }
    }
}
