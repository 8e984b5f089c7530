//! Reads a knowledge file's front matter: a block of YAML between two lines `---` at its beginning.

use jiff::civil::Date;
use serde_yaml::{Mapping, Value};

use copydesk_text::{sanitise, yaml};

/// Most bytes of the block. A longer one is not front matter.
const MOST_BYTES: usize = 16 << 10;

/// The keys that this program reads. Others are for other programs.
const KEYS: [&str; 4] = ["title", "credibility", "date", "published"];

/// Keys of other programs that differ from one of ours by a letter or two.
const OTHERS: [&str; 7] = ["data", "dates", "publish", "publisher", "rate", "tile", "titles"];

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// `title`.
    pub title: Option<String>,
    /// `credibility`, from 0 to 1.
    pub credibility: Option<f64>,
    /// `published` or `date`: a day, ISO 8601.
    pub published: Option<String>,
}

/// Why front matter cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadFrontMatter {
    #[error("its front matter has no end: close it with a line --- within {} kB", MOST_BYTES >> 10)]
    NoEnd,
    #[error("its front matter (between the lines ---) has no keys: write each as “key: value”")]
    NoKeys,
    #[error("its front matter (between the lines ---) cannot be read: {0}")]
    Yaml(#[from] serde_yaml::Error),
    /// Values are impossible or keys are unknown.
    #[error("in its front matter {}", .0.join("; "))]
    Values(Vec<String>),
}

/// Reads the block at the beginning of `text`; a byte order mark and blank lines may come before it. Returns its values and the byte at
/// which the text continues after it.
///
/// # Errors
/// [`BadFrontMatter`] if a value is impossible or a key is unknown, because a file of unknown credibility must not be cited.
pub fn read(text: &str) -> Result<(FrontMatter, usize), BadFrontMatter> {
    let none = Ok((FrontMatter::default(), 0));
    let Some(begins) = begins(text) else { return none };
    let Some((block, after)) = block(text, begins) else {
        let block = text.get(begins..).unwrap_or_default();
        // Without an end the line is a horizontal rule, unless keys of ours follow.
        return if first_lines(block).any(is_meant) { Err(BadFrontMatter::NoEnd) } else { none };
    };
    match yaml::value(block) {
        Ok(Value::Mapping(keys)) => said(&keys).map(|said| (said, after)),
        Ok(Value::Null) => Ok((FrontMatter::default(), after)),
        // A text between two rules.
        Ok(_) if !first_lines(block).any(is_meant) => none,
        Ok(_) => Err(BadFrontMatter::NoKeys),
        Err(error) => Err(error.into()),
    }
}

/// The byte after the first line `---`.
fn begins(text: &str) -> Option<usize> {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        match line.trim_start_matches('\u{FEFF}').trim_end() {
            "" => {}
            "---" => return Some(end),
            _ => return None,
        }
    }
    None
}

/// The block, and the byte at which the text continues after it.
fn block(text: &str, begins: usize) -> Option<(&str, usize)> {
    let mut end = begins;
    for line in text.get(begins..)?.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((text.get(begins..end)?, end + line.len()));
        }
        end += line.len();
        if end - begins > MOST_BYTES {
            break;
        }
    }
    None
}

/// The lines before the first blank one.
fn first_lines(block: &str) -> impl Iterator<Item = &str> {
    block.lines().skip_while(|line| line.trim().is_empty()).take_while(|line| !line.trim().is_empty())
}

/// Whether a line begins with a key of ours, or with a misspelt one.
fn is_meant(line: &str) -> bool {
    let written = line.split([':', '=']).next().unwrap_or_default();
    !matches!(key(written), Key::Other)
}

enum Key {
    Ours(&'static str),
    /// A misspelling of this key.
    Like(&'static str),
    Other,
}

fn key(written: &str) -> Key {
    let lower = written.trim().to_lowercase();
    if let Some(ours) = KEYS.into_iter().find(|ours| *ours == lower) {
        return Key::Ours(ours);
    }
    if OTHERS.contains(&lower.as_str()) {
        return Key::Other;
    }
    // One wrong letter in four: a word of four letters may have one.
    let like = |ours: &&str| strsim::damerau_levenshtein(ours, &lower) <= ours.len() / 4;
    // Such a key is about credibility, however it ends.
    let trust = lower.starts_with("credib").then_some("credibility");
    KEYS.into_iter().find(like).or(trust).map_or(Key::Other, Key::Like)
}

/// The values of the keys, or all faults in them.
fn said(keys: &Mapping) -> Result<FrontMatter, BadFrontMatter> {
    let mut faults = Vec::new();
    let mut ours: Vec<(&str, &Value)> = Vec::new();
    for (written, value) in keys {
        let Some(written) = written.as_str() else { continue };
        match key(written) {
            Key::Ours(key) if ours.iter().any(|(known, _)| *known == key) => {
                faults.push(format!("{key} appears twice"));
            }
            Key::Ours(key) => ours.push((key, value)),
            Key::Like(key) => {
                let written = sanitise::excerpt(written, 40);
                faults.push(format!("“{written}: {}” is not a known key; perhaps you mean {key}", shown(value)));
            }
            Key::Other => {}
        }
    }
    let of = |key: &str| {
        let value = ours.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        value.filter(|value| !value.is_null())
    };
    let credibility = of("credibility").map(|value| (value, credibility(value)));
    if let Some((value, None)) = credibility {
        faults.push(format!("credibility “{}” is not a number from 0 to 1", shown(value)));
    }
    let date = ["published", "date"].into_iter().find_map(|key| of(key).map(|value| (key, value)));
    let published = date.map(|(key, value)| (key, value, value.as_str().and_then(day)));
    if let Some((key, value, None)) = &published {
        faults.push(format!("{key} “{}” is not a day such as 2026-11-22", shown(value)));
    }
    if !faults.is_empty() {
        return Err(BadFrontMatter::Values(faults));
    }
    let title = of("title").and_then(Value::as_str).map(|title| sanitise::excerpt(title, 300));
    Ok(FrontMatter {
        title: title.filter(|title| !title.trim().is_empty()),
        credibility: credibility.and_then(|(_, number)| number),
        published: published.and_then(|(.., day)| day),
    })
}

/// A number from 0 to 1, in quotation marks or not.
fn credibility(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    number.filter(|number| (0.0..=1.0).contains(number))
}

/// A value, as the message shows it.
fn shown(value: &Value) -> String {
    sanitise::excerpt(&serde_yaml::to_string(value).unwrap_or_default(), 60)
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
    fn keys_are_read_as_people_write_them() {
        for text in [
            "---\nCredibility: 0.1\nDATE: 2026-01-02\nTitle: T\n---\nText",
            "\u{FEFF}\n  \r\n---\r\ncredibility: \"0.1\"\r\npublished: 2026-01-02\r\ndate: 3 March\r\ntitle: T\r\n---\r\nText",
            "---  \ncredibility: ' .1 '\ndate: 2026-01-02\ntitle: T\npublished:\n---\nText",
        ] {
            let (said, after) = read(text).unwrap();
            let expected =
                FrontMatter { title: Some("T".into()), credibility: Some(0.1), published: Some("2026-01-02".into()) };
            assert_eq!((said, &text[after..]), (expected, "Text"), "{text}");
        }
        let others = "tags: [a]\nlayout: post\nauthor: A\npublisher: P\npublish: true\ndata: 1\nrate: 2\nupdated: 2026\nstyle: x\n7: y";
        let (said, _) = read(&format!("---\n{others}\n---\nText")).unwrap();
        assert_eq!(said, FrontMatter::default(), "other programs' keys");
    }

    #[test]
    fn what_has_none_says_nothing() {
        for text in [
            "",
            "Text.",
            "---",
            "---\nA rule above, and no second one.",
            "---\nA rule above.\n\ncredibility: what it is",
            "---\nDate and place are not known.",
            "\n---\nA text between two rules.\n\n---\nMore.",
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
            ("credibility: high", "in its front matter credibility “high” is not a number from 0 to 1"),
            ("credibility: 1.5", "in its front matter credibility “1.5” is not a number from 0 to 1"),
            ("credibility: \"nan\"", "in its front matter credibility “nan” is not a number from 0 to 1"),
            ("date: yesterday", "in its front matter date “yesterday” is not a day such as 2026-11-22"),
            ("published: 2026-02-30", "in its front matter published “2026-02-30” is not a day such as 2026-11-22"),
            (
                "credibilty: 0.1",
                "in its front matter “credibilty: 0.1” is not a known key; perhaps you mean credibility",
            ),
            ("Credible: 0.1", "in its front matter “Credible: 0.1” is not a known key; perhaps you mean credibility"),
            ("dtae: x", "in its front matter “dtae: x” is not a known key; perhaps you mean date"),
            ("credibility: 0.1\nCredibility: 0.2", "in its front matter credibility appears twice"),
            (
                "credibility: [a]\ntitel: T\ndate: 7",
                "in its front matter “titel: T” is not a known key; perhaps you mean title; credibility “- a” is not a number from 0 to 1; \
                 date “7” is not a day such as 2026-11-22",
            ),
            ("credibility 0.1", "its front matter (between the lines ---) has no keys: write each as “key: value”"),
        ] {
            assert_eq!(read(&format!("---\n{block}\n---\nText")).unwrap_err().to_string(), told, "{block}");
        }
        let problem = read("---\ntitle: [\n---\nText").unwrap_err().to_string();
        assert!(problem.starts_with("its front matter (between the lines ---) cannot be read"), "{problem}");
    }

    #[test]
    fn a_block_that_is_never_closed_is_told() {
        let long = format!("---\ntags: a\nCredibility: 0.1\n{}\n---\n", "# remark\n".repeat(2_000));
        for text in ["---\ncredibility: 0.1\n# Parks\n", "\n---\n\nlayout: a\ncredibilty: 0.1\nText.", &long] {
            let problem = read(text).unwrap_err().to_string();
            assert_eq!(problem, "its front matter has no end: close it with a line --- within 16 kB", "{text}");
        }
    }
}
