//! A copy for a colleague: the first draft, each change tracked by who asked for it, each open concern a comment.

use std::ops::Range;

use super::document::{Comment, Paragraph, ParagraphLook, Run, TrackedMark, WordDocument};
use crate::editorial::{
    changes::{self, ChangeReason, ComparedParagraph, Comparison, Segment},
    decisions, excerpts, report,
    version::version_of,
};
use copydesk_newsroom::{ArticleResponse, Choice, ConcernType, Journal, Status};
use copydesk_text::alignment::RowKind;

pub(super) fn document(journal: &Journal, notice: Option<&str>) -> Option<WordDocument> {
    let round = report::shown_round(journal, journal.latest_draft());
    let comparison = changes::between(journal, 1, round)?;
    let (places, comments) = open(journal, round).into_iter().unzip();
    let drafts = (&journal.draft(1)?.article, &journal.draft(round)?.article);
    let writers = Writers { comparison: &comparison, drafts, editor: editor(journal), places };
    let changed = comparison.paragraphs.iter().filter_map(|paragraph| writers.paragraph(paragraph));
    let paragraphs = notice.map(noted).into_iter().chain(changed).collect();
    let title = drafts.1.headline.trim().to_owned();
    let at = journal.publication().map_or(&journal.opening.opened_at, |publication| &publication.generated_at).clone();
    let bookmark = Some(bookmark(drafts.1));
    Some(WordDocument { title, paragraphs, notes: Vec::new(), comments, bookmark, at })
}

/// The bookmark of a draft's review copy. Word's names have at most 40 letters, digits and underscores.
pub fn bookmark(article: &ArticleResponse) -> String {
    let version = version_of(article);
    format!("Copydesk_{}", version.get(..24).unwrap_or(&version))
}

/// A paragraph that is no part of the article.
fn noted(text: &str) -> Paragraph {
    let runs = vec![Run { text: text.to_owned(), bold: true, ..Run::default() }];
    Paragraph { look: ParagraphLook::Lead, runs, ..Paragraph::default() }
}

/// The place of a comment: a field by its name, and bytes of it.
type Place = Option<(&'static str, Range<usize>)>;

/// The concerns of a round that no KEEP settles, each with its verdict.
fn open(journal: &Journal, round: u32) -> Vec<(Place, Comment)> {
    let verdicts = decisions::effective_verdicts(journal, round);
    let concerns = report::open_concerns(journal, round).into_iter();
    let comments = concerns.map(|concern| {
        let mut lines = vec![ConcernType::in_words(&concern.review_note)];
        if let Some(verdict) = verdicts.iter().find(|verdict| verdict.concern_id == concern.concern_id) {
            lines.push(format!("{}: {}", verdict.status.name(), verdict.rationale));
            lines.extend(verdict.suggested_fix.iter().filter(|_| verdict.status != Status::Keep).cloned());
        }
        let comment = Comment { by: format!("Concern {}", concern.concern_id), text: lines.join("\n") };
        (excerpts::place_of(journal, round, concern.concern_id), comment)
    });
    comments.collect()
}

/// Who edited the text by hand.
fn editor(journal: &Journal) -> String {
    let rounds = 1..=journal.rounds();
    let edits = rounds.flat_map(|round| journal.decisions(round));
    let mut by = edits.filter(|decided| {
        matches!(decided.decision.choice, Choice::Edit { .. } | Choice::Applied { .. }) && !decided.undone
    });
    by.next().map_or_else(|| "The editor".to_owned(), |decided| decided.decision.by.clone())
}

struct Writers<'a> {
    comparison: &'a Comparison,
    /// The first draft and the one that stands.
    drafts: (&'a ArticleResponse, &'a ArticleResponse),
    editor: String,
    /// Where each comment stands; one without a place stands at the headline.
    places: Vec<Place>,
}

impl<'a> Writers<'a> {
    /// Who asked for a change.
    fn by(&self, change: Option<usize>) -> String {
        let change = change.and_then(|change| self.comparison.changes.get(change));
        match change.map(|change| (change.why, self.comparison.asked_for(change))) {
            Some((ChangeReason::ByHand, _)) => self.editor.clone(),
            Some((ChangeReason::Asked(_), Some(asked))) => format!("Writer, for {}", asked.label),
            Some((ChangeReason::Citation, _)) => "Writer, a citation".to_owned(),
            _ => "Writer, unasked".to_owned(),
        }
    }

    fn paragraph(&self, paragraph: &ComparedParagraph) -> Option<Paragraph> {
        let moved = || self.by(paragraph.moved);
        let (mark, runs): (TrackedMark, Vec<Run>) = match paragraph.kind {
            RowKind::MovedAway => {
                let mark = TrackedMark::Deleted(moved());
                let went = self.went(paragraph)?;
                let text = went.segments.iter().map(|segment| self.texts(went.field, segment).0).collect();
                (mark.clone(), vec![Run { text, mark, ..Run::default() }])
            }
            RowKind::MovedHere => {
                let mark = TrackedMark::Inserted(moved());
                let runs = paragraph.segments.iter().flat_map(|segment| self.cut(paragraph.field, segment, &mark));
                let runs = runs.collect();
                (mark, runs)
            }
            RowKind::Same | RowKind::Changed | RowKind::Added | RowKind::Removed => {
                let by = || self.by(paragraph.segments.first().and_then(|segment| segment.change));
                let whole = match paragraph.kind {
                    RowKind::Added => TrackedMark::Inserted(by()),
                    RowKind::Removed => TrackedMark::Deleted(by()),
                    _ => TrackedMark::Kept,
                };
                let runs = paragraph.segments.iter().flat_map(|segment| self.tracked(paragraph.field, segment));
                (whole, runs.collect())
            }
        };
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        Some(Paragraph { look: paragraph_look(paragraph.field, &text), runs, mark })
    }

    /// The new place of a paragraph that was moved away from here.
    fn went(&self, away: &ComparedParagraph) -> Option<&ComparedParagraph> {
        let mut paragraphs = self.comparison.paragraphs.iter();
        paragraphs.find(|other| other.kind == RowKind::MovedHere && other.moved == away.moved)
    }

    /// A segment as both drafts have it. Words that are the same may have other white space around them.
    fn texts(&self, field: &str, segment: &Segment) -> (&'a str, &'a str) {
        let text = |article: &'a ArticleResponse, range: &Range<usize>| -> &'a str {
            article.field(field).and_then(|text| text.get(range.clone())).unwrap_or_default()
        };
        (text(self.drafts.0, &segment.old), text(self.drafts.1, &segment.new))
    }

    /// A segment with what became of it.
    fn tracked(&self, field: &str, segment: &Segment) -> Vec<Run> {
        let (old, new) = self.texts(field, segment);
        if old == new {
            return self.cut(field, segment, &TrackedMark::Kept);
        }
        let by = self.by(segment.change);
        let gone = Run { text: old.to_owned(), mark: TrackedMark::Deleted(by.clone()), ..Run::default() };
        let gone = Some(gone).filter(|run| !run.text.is_empty());
        gone.into_iter().chain(self.cut(field, segment, &TrackedMark::Inserted(by))).collect()
    }

    /// The words of a segment in the draft that stands, cut where a comment begins or ends.
    fn cut(&self, field: &str, segment: &Segment, mark: &TrackedMark) -> Vec<Run> {
        let (_, text) = self.texts(field, segment);
        let new = &segment.new;
        let own = |place: &Place| -> Option<Range<usize>> {
            match place {
                Some((at, range)) if *at == field => {
                    let (start, end) = (range.start.max(new.start), range.end.min(new.end));
                    (start < end).then(|| start - new.start..end - new.start)
                }
                None if field == "headline" && !text.is_empty() => Some(0..text.len()),
                _ => None,
            }
        };
        let here: Vec<(usize, Range<usize>)> =
            self.places.iter().enumerate().filter_map(|(at, place)| Some((at, own(place)?))).collect();
        let mut cuts: Vec<usize> = here.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let pieces = cuts.iter().zip(cuts.iter().skip(1)).filter_map(|(start, end)| {
            let comments = here.iter().filter(|(_, range)| range.start <= *start && *end <= range.end);
            let comments = comments.map(|(at, _)| *at).collect();
            Some(Run { text: text.get(*start..*end)?.to_owned(), mark: mark.clone(), comments, ..Run::default() })
        });
        pieces.collect()
    }
}

/// How a paragraph looks, by its field and by the mark it begins with.
fn paragraph_look(field: &str, text: &str) -> ParagraphLook {
    match field {
        "headline" => ParagraphLook::Title,
        "alternativeHeadline" => ParagraphLook::Subtitle,
        "description" => ParagraphLook::Lead,
        _ => match text.chars().next() {
            Some('#') => {
                ParagraphLook::Heading(u8::try_from(text.chars().take_while(|c| *c == '#').count()).unwrap_or(3))
            }
            Some('>') => ParagraphLook::Quote,
            _ => ParagraphLook::Text,
        },
    }
}
