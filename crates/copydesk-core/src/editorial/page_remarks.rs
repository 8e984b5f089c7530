//! Remarks on a page, for whoever relies on it: it redirected elsewhere, its text changed between two looks, it is in another
//! language than the story. None of them refuses the page.

use url::Url;

use copydesk_newsroom::Journal;
use copydesk_text::{language, sanitise};

/// Characters of a digest that tell two texts apart for a person.
const SHOWN: usize = 12;

/// Says that the page at `asked` redirected to `address`.
pub fn redirected(asked: &str, address: &str) -> Option<String> {
    let (from, to) = (Url::parse(asked.trim()).ok()?, Url::parse(address).ok()?);
    (from != to).then(|| format!("redirected to {}", sanitise::one_line(address)))
}

/// Says that the text at an address was another one at the look before. Both are told by their digests.
pub fn changed(before: &str, now: &str) -> Option<String> {
    let short = |digest: &str| digest.chars().take(SHOWN).collect::<String>();
    (before != now).then(|| {
        format!("changed between two looks: its text had the digest {}, and now has {}", short(before), short(now))
    })
}

/// Says that a page's text is in another language than the story, or than English if the story's language is not known.
pub fn in_other_language(journal: &Journal, text: &str) -> Option<String> {
    let own = language::detect(text)?;
    let draft = journal.draft(journal.latest_draft()).map(|draft| draft.article.articleBody.as_str());
    let story = draft.and_then(language::detect).or_else(|| language::detect(&journal.opening.topic.source_text));
    match story {
        Some(story) => (story != own).then(|| format!("in {own}, and the story is in {story}")),
        None => (!own.is_english()).then(|| format!("in {own}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;

    const GERMAN: &str = "Der Stadtrat hat am Dienstag mit sieben gegen zwei Stimmen beschlossen, den Park am Fluss zu erneuern. Die Arbeiten \
                          beginnen im Mai und kosten zwei Millionen Euro, sagte die Bürgermeisterin nach der Sitzung.";
    const ENGLISH: &str = "The council voted seven to two on Tuesday to renovate the park by the river. The work begins in May and costs two \
                           million euros, the mayor said after the meeting.";

    #[test]
    fn a_redirection_names_where_it_leads() {
        assert_eq!(
            redirected(" https://a.example/old ", "https://b.example/new").unwrap(),
            "redirected to https://b.example/new"
        );
        for (asked, read) in [
            ("https://A.example", "https://a.example/"),
            ("https://a.example/ä", "https://a.example/%C3%A4"),
            ("Smith 2024", "https://a.example/"),
            ("https://a.example/", "parks.md"),
        ] {
            assert_eq!(redirected(asked, read), None, "{asked}");
        }
    }

    #[test]
    fn two_looks_are_told_by_the_digests_of_their_texts() {
        assert_eq!(changed("00112233445566", "00112233445566"), None);
        assert_eq!(
            changed("00112233445566", "aabbccddeeff00").unwrap(),
            "changed between two looks: its text had the digest 001122334455, and now has aabbccddeeff"
        );
    }

    #[test]
    fn a_page_says_its_language_if_it_is_not_the_storys() {
        let mut journal = Journal::new(opening());
        let mut said = |story: &str, page: &str| {
            story.clone_into(&mut journal.opening.topic.source_text);
            in_other_language(&journal, page)
        };
        assert_eq!(said(ENGLISH, GERMAN).unwrap(), "in German, and the story is in English");
        assert_eq!(said(GERMAN, ENGLISH).unwrap(), "in English, and the story is in German");
        assert_eq!((said(GERMAN, GERMAN), said(ENGLISH, ENGLISH), said("Why?", ENGLISH)), (None, None, None));
        assert_eq!(said("Why?", GERMAN).unwrap(), "in German");
        assert_eq!(said(ENGLISH, "Nein."), None, "too short to tell");
    }
}
