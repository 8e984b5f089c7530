use std::io::{Cursor, Read as _};

use proptest::prelude::*;
use quick_xml::{Reader, events::Event};
use zip::ZipArchive;

use super::{
    document::{Run, TrackedMark, WordDocument},
    *,
};
use crate::editorial::testing::{add, add_round, article, opening};
use copydesk_newsroom::{
    ArticleReviewResult, Choice, Concern, Decision, Draft, GateOutcome, Outcome, Specialist, Status, Step, Verdict,
};

pub(in crate::editorial::export) fn read(bytes: &[u8]) -> String {
    let purpose = copydesk_documents::ReadingPurpose::Source;
    copydesk_documents::read("a.docx", bytes, purpose).unwrap().text
}

pub(in crate::editorial::export) fn part(bytes: &[u8], name: &str) -> String {
    let mut text = String::new();
    ZipArchive::new(Cursor::new(bytes)).unwrap().by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Every part is XML from its first to its last byte.
fn is_whole(bytes: &[u8]) -> bool {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len()).all(|at| {
        let mut text = String::new();
        archive.by_index(at).unwrap().read_to_string(&mut text).unwrap();
        let mut reader = Reader::from_str(&text);
        reader.config_mut().check_end_names = true;
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break true,
                Ok(_) => {}
                Err(_) => break false,
            }
        }
    })
}

#[test]
fn an_article_is_a_document_that_is_read_back() {
    let mut article = article(
        "The council **voted** *5–2*.[^b]\n\n> “No,” Voss said.[^a]\n\n## What now\n\n- One\n- Two\n\n1. First\n\n\
         [Minutes](https://m.example/a?b&c), [x](javascript:alert).\n\n| a | b |\n|---|---|\n| c | d |\n\n## Footnotes\n\n\
         [^a]: A.\n[^b]: Minutes & more.\n",
    );
    article.headline = "Park & “pond”".into();
    let bytes = to_docx(&article).unwrap();
    assert!(is_whole(&bytes));
    assert_eq!(bytes, to_docx(&article).unwrap(), "the same article gives the same bytes");
    let text = read(&bytes);
    for words in
        ["Park & “pond”", "The council voted 5–2.", "“No,” Voss said.", "What now", "One", "First", "Minutes & more."]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("Footnotes"), "{text}");
    let xml = part(&bytes, "word/document.xml");
    assert!(xml.contains("<w:b/>") && xml.contains("<w:i/>") && xml.contains("w:val=\"Heading2\""), "{xml}");
    // The first note of the text is Word's first note.
    let notes = part(&bytes, "word/footnotes.xml");
    assert!(notes.find("Minutes &amp; more.") < notes.find(">A.<"), "{notes}");
    let links = part(&bytes, "word/_rels/document.xml.rels");
    assert!(links.contains("https://m.example/a?b&amp;c") && !links.contains("javascript"), "{links}");
}

#[test]
fn hostile_names_and_texts_stay_text() {
    let mut hostile = article("<w:t>\"'&]]>\u{1}\u{202e}👩‍🚒 </w:document><script>\n");
    hostile.headline = "\"><w:ins/>\u{8}".into();
    let bytes = to_docx(&hostile).unwrap();
    assert!(is_whole(&bytes) && !part(&bytes, "word/document.xml").contains("<script>"));
    let mut journal = edited("One word.", "Another word.", "\"><x y='&'>");
    journal.opening.opened_at = "\"".into();
    let bytes = to_review_docx(&journal, None).unwrap().unwrap();
    assert!(is_whole(&bytes), "{}", part(&bytes, "word/document.xml"));
}

/// A story whose first draft somebody edited by hand.
fn edited(first: &str, second: &str, by: &str) -> Journal {
    let mut journal = Journal::new(opening());
    let draft = |body: &str| Draft { article: article(body), stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Draft, Outcome::Draft(draft(first)));
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
    let edit = Choice::Edit { article: article(second) };
    add(
        &mut journal,
        Step::Decide { round: 1, number: 1 },
        Outcome::Decision(Decision { by: by.into(), choice: edit }),
    );
    add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Edited));
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft(second)));
    journal
}

#[test]
fn a_change_carries_who_made_it() {
    let journal = edited("The plan costs $1.8 million.", "The plan costs $2.8 million.", "A. Editor");
    let xml = part(&to_review_docx(&journal, None).unwrap().unwrap(), "word/document.xml");
    assert!(xml.contains("<w:del w:id=\"1\" w:author=\"A. Editor\"") && xml.contains("<w:delText"), "{xml}");
    assert!(xml.contains("<w:ins w:id=\"2\" w:author=\"A. Editor\""), "{xml}");
    assert_eq!(to_review_docx(&Journal::new(opening()), None).unwrap(), None, "there is no draft");
}

#[test]
fn an_open_concern_is_a_comment_on_its_words() {
    let mut journal = Journal::new(opening());
    add_round(&mut journal, 1, &[Specialist::Opinion]);
    let concern = Concern { concern_id: 1, excerpt: "an x".into(), review_note: "“an x” says little".into() };
    let concerns = ArticleReviewResult { concerns: vec![concern] };
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(concerns));
    let verdict = Verdict { rationale: "It is vague.".into(), ..next_verdict() };
    add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict));
    let document = review::document(&journal, None).unwrap();
    assert_eq!(document.comments[0].by, "Concern 1");
    assert!(document.comments[0].text.contains("“an x” says little\nREWRITE: It is vague."), "{:?}", document.comments);
    let on: String = document
        .paragraphs
        .iter()
        .flat_map(|paragraph| &paragraph.runs)
        .filter(|run| run.comments == [0])
        .map(|run| run.text.as_str())
        .collect();
    assert_eq!(on, "an x");
    let xml = part(&to_review_docx(&journal, None).unwrap().unwrap(), "word/document.xml");
    assert_eq!(xml.matches("<w:commentReference w:id=\"0\"/>").count(), 1, "{xml}");
}

fn next_verdict() -> Verdict {
    crate::editorial::testing::verdict(1, Status::Rewrite, Some("Say more."))
}

/// The words of a document if every change were accepted, or refused.
fn taken(document: &WordDocument, accepted: bool) -> Vec<String> {
    let stays = |run: &&Run| match run.mark {
        TrackedMark::Kept => true,
        TrackedMark::Inserted(_) => accepted,
        TrackedMark::Deleted(_) => !accepted,
    };
    let texts = document.paragraphs.iter().map(|paragraph| {
        let text: String = paragraph.runs.iter().filter(stays).map(|run| run.text.as_str()).collect();
        text
    });
    texts.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

proptest! {
    #[test]
    fn refusing_gives_the_first_draft_and_accepting_the_last(
        old in "([A-Ca-c]{1,3}|[0-9]{1,2}|[.,“”]| |\n\n){1,30}",
        new in "([A-Ca-c]{1,3}|[0-9]{1,2}|[.,“”]| |\n\n){1,30}",
    ) {
        let journal = edited(&old, &new, "E");
        let document = review::document(&journal, None).unwrap();
        for (accepted, body) in [(false, &old), (true, &new)] {
            let article = article(body);
            let wanted: Vec<&str> = article.fields().into_iter().flat_map(|(_, text)| text.split_whitespace()).collect();
            prop_assert_eq!(taken(&document, accepted), wanted);
        }
        prop_assert!(is_whole(&pack::pack(&document).unwrap()));
    }

    #[test]
    fn any_markdown_is_a_whole_document(text in "\\PC*", busy in "([a-z]{1,4}|[ \n]|[*_`>#|\\[\\]()!^:<&-]|\\[\\^1\\](: )?|1\\. ){0,60}") {
        for text in [text, busy] {
            prop_assert!(is_whole(&to_docx(&article(&text)).unwrap()), "{text}");
        }
    }
}
