//! What follows a publication, as lines: stories that rest on the same passages.

use crate::{
    newsroom::SharingStory,
    text::{count, sanitise},
};

/// Most stories that are named one by one.
const MOST: usize = 20;

/// Most texts that are named of one story.
const MOST_TEXTS: usize = 3;

/// The other stories that rest on passages of a story; nothing if there are none.
#[must_use]
pub fn sharing_lines(shared: &[SharingStory]) -> Vec<String> {
    let head = match shared.len() {
        0 => return Vec::new(),
        1 => "1 other story rests on the same passages:".to_owned(),
        several => format!("{several} other stories rest on the same passages:"),
    };
    let line = |other: &SharingStory| {
        let signed = other
            .signed_by
            .as_ref()
            .map_or_else(String::new, |editor| format!(", signed off by {}", sanitise::excerpt(editor, 40)));
        let mut texts: Vec<String> =
            other.texts.iter().take(MOST_TEXTS).map(|name| sanitise::excerpt(name, 60)).collect();
        texts.extend((other.texts.len() > MOST_TEXTS).then(|| "…".to_owned()));
        format!(
            "  {}: {} of {}{signed}",
            sanitise::one_line(&other.story),
            count(other.passages, "passage"),
            texts.join(", ")
        )
    };
    let more = shared.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("  and {more} more (`copydesk show --json` has them all)"));
    std::iter::once(head).chain(shared.iter().take(MOST).map(line)).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_stories_are_named_with_what_they_share() {
        let other = |story: &str, signed_by: Option<&str>, passages, texts: &[&str]| SharingStory {
            story: story.into(),
            title: "t".into(),
            signed_by: signed_by.map(str::to_owned),
            passages,
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        assert_eq!(sharing_lines(&[]), Vec::<String>::new());
        let stories = [
            other("desk/mill", Some("Ada"), 3, &["minutes\u{1b}[2J.txt"]),
            other("desk/pool", None, 1, &["a", "b", "c", "d"]),
        ];
        assert_eq!(
            sharing_lines(&stories),
            [
                "2 other stories rest on the same passages:",
                "  desk/mill: 3 passages of minutes.txt, signed off by Ada",
                "  desk/pool: 1 passage of a, b, c, …",
            ]
        );
        assert_eq!(sharing_lines(&stories[1..])[0], "1 other story rests on the same passages:");
        let many = vec![other("desk/mill", None, 1, &["a"]); 25];
        assert_eq!(sharing_lines(&many).last().unwrap(), "  and 5 more (`copydesk show --json` has them all)");
    }
}
