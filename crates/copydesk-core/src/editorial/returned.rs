//! A review copy (`export --format docx-review`) that came back: what its reviewer decided, as decisions of the editor who takes it in.

use crate::editorial::{
    changes::{self, Change},
    decisions::standing,
    export::docx,
};
use copydesk_newsroom::{ArticleResponse, Choice, Journal, ReturnedComment, ReturnedDocument};
use copydesk_text::{alignment::likeness, merge::merge, sanitise::one_line};

/// The least likeness of a copy to its draft, from 0 to 1, by words. Below it the text is another one. Judged, not measured.
const LEAST_LIKENESS: f32 = 0.4;

/// How an export begins the name of a comment's author.
const OWN_COMMENT: &str = "Concern ";

/// The content of a returned review copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadBack {
    /// In the order in which they are to be made: accepted changes, comments, the edited text.
    pub choices: Vec<Choice>,
    /// How many changes are still tracked in the copy, and so undecided.
    pub pending: usize,
    /// Words that the reviewer changed and somebody at the desk changed since. The desk's stand; these are the reviewer's.
    pub clashes: Vec<String>,
}

/// Why a document cannot be taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReadBack {
    #[error(
        "it is no review copy of this story's drafts. Send one that `copydesk export STORY --format docx-review` wrote, or take the text as \
         your own: `copydesk decide STORY edit FILE`"
    )]
    NoCopy,
    #[error(
        "its text has little in common with the draft. To take it as your own text: `copydesk decide STORY edit FILE`"
    )]
    AnotherText,
}

/// Reads back a review copy while the draft of `round` waits.
///
/// # Errors
/// [`NotReadBack`] if it is no copy of a draft of this story, or was rewritten.
pub fn read_back(journal: &Journal, round: u32, document: &ReturnedDocument) -> Result<ReadBack, NotReadBack> {
    let copied = |round: &u32| {
        let draft = journal.draft(*round);
        draft.is_some_and(|draft| document.bookmarks.contains(&docx::bookmark(&draft.article)))
    };
    let of = (1..=round).rev().find(copied).ok_or(NotReadBack::NoCopy)?;
    let (Some(base), Some(now)) = (journal.draft(of), journal.draft(round)) else { return Err(NotReadBack::NoCopy) };
    let theirs = article(document, &base.article);
    let (old, new) = (words(&base.article), words(&theirs));
    if likeness(&old, &new) < LEAST_LIKENESS {
        return Err(NotReadBack::AnotherText);
    }
    let mut clashes = Vec::new();
    let mut merged = now.article.clone();
    let sides = base.article.fields().into_iter().zip(theirs.fields());
    for ((field, before), (_, theirs)) in sides {
        merged = merged.map(|name, mine| {
            if name != field {
                return mine.to_owned();
            }
            let made = merge(before, mine, theirs);
            clashes.extend(made.clashes.into_iter().map(|clash| clash.theirs.trim().to_owned()));
            made.text
        });
    }
    let mut choices = if of == round { accepted(journal, round, document, &theirs) } else { Vec::new() };
    choices.extend(comments(journal, round, &document.comments));
    choices.extend((merged != now.article).then_some(Choice::Edit { article: merged }));
    Ok(ReadBack { choices, pending: document.pending.len(), clashes })
}

/// The text of the copy as an article, each paragraph of the body parted from the next as `base` has it.
fn article(document: &ReturnedDocument, base: &ArticleResponse) -> ArticleResponse {
    let is = |style: &str, name: &str| style.eq_ignore_ascii_case(name);
    // Text above the title is a notice.
    let own = document.paragraphs.iter().skip_while(|paragraph| !is(&paragraph.style, "title"));
    let mut lines: [Vec<&str>; 4] = Default::default();
    for paragraph in own {
        let field = match paragraph.style.as_str() {
            style if is(style, "title") => 0,
            style if is(style, "subtitle") => 1,
            style if is(style, "lead") => 2,
            _ => 3,
        };
        if let Some(lines) = lines.get_mut(field) {
            lines.extend(paragraph.text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()));
        }
    }
    let [headline, alternative, description, body] =
        lines.map(|lines| lines.into_iter().map(str::to_owned).collect::<Vec<_>>());
    ArticleResponse {
        headline: put_together(&headline, &base.headline),
        alternativeHeadline: put_together(&alternative, &base.alternativeHeadline),
        articleBody: put_together(&body, &base.articleBody),
        description: put_together(&description, &base.description),
    }
}

/// Lines with the line ends that `base` has between them; between new ones, those of Markdown.
fn put_together(lines: &[String], base: &str) -> String {
    // Each line of the base, and what stands between it and the next.
    let mut known: Vec<(&str, &str)> = Vec::new();
    let mut rest = base.trim_end();
    let lead = base.len() - base.trim_start_matches('\n').len();
    rest = rest.get(lead..).unwrap_or_default();
    while let Some(end) = rest.find('\n') {
        let (line, after) = rest.split_at(end);
        let next = after.len() - after.trim_start().len();
        known.push((line.trim_end(), after.get(..next).unwrap_or_default()));
        rest = after.get(next..).unwrap_or_default();
    }
    known.push((rest, ""));
    let between = |line: &str, next: &str| -> String {
        let pairs = || known.iter().zip(known.iter().skip(1));
        let both = pairs().find(|((one, _), (two, _))| *one == line && *two == next);
        let either = || pairs().find(|((one, _), (two, _))| *one == line || *two == next);
        let is_item = |line: &str| {
            let line = line.trim_start();
            line.starts_with("- ")
                || line.starts_with("* ")
                || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(". ")
        };
        match both.or_else(either) {
            Some(((_, end), _)) => (*end).to_owned(),
            None if is_item(line) && is_item(next) => "\n".to_owned(),
            None => "\n\n".to_owned(),
        }
    };
    let mut text = base.get(..lead).unwrap_or_default().to_owned();
    for (at, line) in lines.iter().enumerate() {
        text.push_str(line);
        if let Some(next) = lines.get(at + 1) {
            text.push_str(&between(line, next));
        }
    }
    text.push_str(base.get(base.trim_end().len()..).unwrap_or_default());
    text
}

fn words(article: &ArticleResponse) -> String {
    article.fields().map(|(_, text)| one_line(text)).join(" ")
}

/// The changes of the draft that waits that the reviewer accepted: they are not tracked any more, and their words stand.
fn accepted(journal: &Journal, round: u32, document: &ReturnedDocument, theirs: &ArticleResponse) -> Vec<Choice> {
    let pair = (round.saturating_sub(1), round);
    let Some(comparison) = changes::between(journal, pair.0, pair.1) else { return Vec::new() };
    let known = changes::accepted(journal, pair, &comparison);
    let Some(now) = journal.draft(round) else { return Vec::new() };
    let is_pending = |inserted: bool, words: &str| {
        document.pending.iter().any(|change| {
            let tracked = one_line(&change.text);
            change.inserted == inserted && !tracked.is_empty() && (tracked.contains(words) || words.contains(&tracked))
        })
    };
    let fresh = comparison.changes.iter().enumerate().filter(|(at, _)| !known.contains(at)).map(|(_, change)| change);
    let accepting = |change: &Change| {
        let choice = changes::accepting(journal, pair, change)?;
        let Choice::AcceptChange { removed, added, .. } = &choice else { return None };
        let (removed, added) = (one_line(removed), one_line(added));
        let open = if added.is_empty() { is_pending(false, &removed) } else { is_pending(true, &added) };
        (!open && stands(&now.article, theirs, change)).then_some(choice)
    };
    fresh.filter_map(accepting).collect()
}

/// Bytes on each side of a change, within its line, that show its place. More of them would hold other changes.
const AROUND: usize = 16;

/// Whether the words of a change stand in the copy as in the draft, with the text around them: the same words may stand elsewhere.
fn stands(now: &ArticleResponse, theirs: &ArticleResponse, change: &Change) -> bool {
    let text = |article: &ArticleResponse| article.field(change.field).unwrap_or_default().to_owned();
    let own = text(now);
    let start = own.floor_char_boundary(change.new.start.saturating_sub(AROUND));
    let end = own.ceil_char_boundary(change.new.end.saturating_add(AROUND).min(own.len()));
    let (before, after) = (own.get(start..change.new.start), own.get(change.new.end..end));
    let (Some(before), Some(after), Some(words)) = (before, after, own.get(change.new.clone())) else { return false };
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    one_line(&text(theirs)).contains(&one_line(&format!("{before}{words}{after}")))
}

/// The reviewer's comments that the record does not have yet.
fn comments(journal: &Journal, round: u32, comments: &[ReturnedComment]) -> Vec<Choice> {
    let is_own = |comment: &&ReturnedComment| {
        comment.by.strip_prefix(OWN_COMMENT).is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let draft = journal.draft(round).map(|draft| &draft.article);
    let stands =
        |words: &str| draft.is_some_and(|article| article.fields().into_iter().any(|(_, text)| text.contains(words)));
    let known: Vec<Choice> = standing(journal, round).map(|decided| decided.decision.choice.clone()).collect();
    let theirs = comments.iter().filter(|comment| !is_own(comment) && !comment.text.trim().is_empty());
    let choices = theirs.map(|ReturnedComment { by, text, about }| {
        let about = if stands(about) { about.clone() } else { String::new() };
        let text = if by.trim().is_empty() { text.clone() } else { format!("{by}: {text}") };
        Choice::Comment { about, text }
    });
    choices.filter(|choice| !known.contains(choice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{
        ArticleReviewResult, Decision, Draft, GateOutcome, Outcome, PendingChange, ReturnedParagraph, Step,
    };

    const FIRST: &str = "It has 1.8 miles of paths.\n\n- One\n- Two\n\nThe pond stays.";
    const SECOND: &str = "It has 1.4 miles of paths.\n\n- One\n- Two\n\nThe old pond stays.";

    fn journal() -> Journal {
        let mut journal = Journal::new(opening());
        let draft = |body: &str| Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] });
        add(&mut journal, Step::Draft, draft(FIRST));
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
        let choice = Choice::Edit { article: article(SECOND) };
        add(
            &mut journal,
            Step::Decide { round: 1, number: 1 },
            Outcome::Decision(Decision { by: "Ada".into(), choice }),
        );
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Edited));
        add(&mut journal, Step::Revise { round: 1 }, draft(SECOND));
        journal
    }

    /// The copy of the second draft whose body's lines are these.
    fn copy(body: &[&str]) -> ReturnedDocument {
        let wanted = article(SECOND);
        let head = [
            ("Lead", "EMBARGOED"),
            ("Title", wanted.headline.as_str()),
            ("Subtitle", &wanted.alternativeHeadline),
            ("Lead", &wanted.description),
        ];
        let body = body.iter().map(|line| ("Normal", *line));
        let paragraphs = head.into_iter().chain(body).filter(|(_, text)| !text.is_empty());
        ReturnedDocument {
            paragraphs: paragraphs
                .map(|(style, text)| ReturnedParagraph { style: style.into(), text: text.into() })
                .collect(),
            bookmarks: vec![docx::bookmark(&wanted)],
            ..ReturnedDocument::default()
        }
    }

    fn pending(inserted: bool, text: &str) -> PendingChange {
        PendingChange { inserted, text: text.into() }
    }

    #[test]
    fn a_copy_that_nobody_touched_decides_nothing() {
        let mut document = copy(&["It has 1.4 miles of paths.", "- One\n- Two", "The old pond stays."]);
        document.pending = vec![pending(false, "1.8"), pending(true, "1.4"), pending(true, "old ")];
        let read = read_back(&journal(), 2, &document).unwrap();
        assert_eq!((read.choices, read.pending), (vec![], 3));
    }

    #[test]
    fn an_accepted_change_is_one_and_a_rejected_one_is_an_edit() {
        let mut document = copy(&["It has 1.4 miles of paths.", "- One\n- Two", "The pond stays."]);
        let comment =
            |by: &str, about: &str| ReturnedComment { by: by.into(), text: "Sure?".into(), about: about.into() };
        document.comments = vec![comment("Bo", "1.4 miles"), comment("Concern 1", "x"), comment("", "nowhere")];
        let read = read_back(&journal(), 2, &document).unwrap();
        let [Choice::AcceptChange { added, .. }, rest @ ..] = &read.choices[..] else { panic!("{read:?}") };
        assert_eq!(added, "1.4");
        let said = |about: &str, text: &str| Choice::Comment { about: about.into(), text: text.into() };
        let edited = article(&SECOND.replace("old ", ""));
        assert_eq!(rest, [said("1.4 miles", "Bo: Sure?"), said("", "Sure?"), Choice::Edit { article: edited }]);
        // The words of a rejected change may stand elsewhere.
        let mut elsewhere = copy(&["It has 1.8 miles of paths, not 1.4.", "- One\n- Two", "The old pond stays."]);
        elsewhere.pending = vec![pending(true, "old")];
        let other = read_back(&journal(), 2, &elsewhere).unwrap();
        assert!(matches!(&other.choices[..], [Choice::Edit { .. }]), "{other:?}");
        // A second time there is nothing new but the edit.
        let mut known = journal();
        for (number, choice) in (1..).zip(read.choices.iter().take(3).cloned()) {
            let decision = Decision { by: "Ada".into(), choice };
            add(&mut known, Step::Decide { round: 2, number }, Outcome::Decision(decision));
        }
        assert_eq!(read_back(&known, 2, &document).unwrap().choices.len(), 1);
    }

    #[test]
    fn a_reviewer_s_own_words_are_an_edit_also_on_an_earlier_draft() {
        let mut document =
            copy(&["It has 1.4 miles of good paths.", "- One\n- Three\n- Two", "", "The old pond stays. So it is."]);
        let edited = "It has 1.4 miles of good paths.\n\n- One\n- Three\n- Two\n\nThe old pond stays. So it is.";
        let read = |document: &ReturnedDocument| match read_back(&journal(), 2, document).unwrap().choices.pop() {
            Some(Choice::Edit { article }) => article,
            other => panic!("{other:?}"),
        };
        assert_eq!(read(&document), article(edited));
        // The copy is of the first draft. Later changes of the desk stay, and its words stand if both changed the same
        // ones.
        document.bookmarks = vec![docx::bookmark(&article(FIRST))];
        document.paragraphs.retain(|paragraph| paragraph.style != "Normal");
        for line in ["It has 1.9 miles of paths.", "- One\n- Two", "The pond stays. So it is."] {
            document.paragraphs.push(ReturnedParagraph { style: "Normal".into(), text: line.into() });
        }
        assert_eq!(read(&document), article(&format!("{SECOND} So it is.")));
        assert_eq!(read_back(&journal(), 2, &document).unwrap().clashes, ["1.9"]);
    }

    #[test]
    fn what_is_no_copy_or_was_rewritten_is_refused() {
        let mut document = copy(&["A different article about a bridge, with nothing of the other left in it at all."]);
        document.paragraphs.retain(|paragraph| paragraph.style == "Title" || paragraph.style == "Normal");
        document.paragraphs[0].text = "Bridge".into();
        assert_eq!(read_back(&journal(), 2, &document), Err(NotReadBack::AnotherText));
        document.bookmarks.clear();
        assert_eq!(read_back(&journal(), 2, &document), Err(NotReadBack::NoCopy));
    }
}
