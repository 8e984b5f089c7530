//! Points for a headline: whether the body bears it out, what it names, how long it is, and whether it baits.

use schemars::JsonSchema;
use serde::Serialize;

use super::reading::{ReadArticle, cut, lead, note};
use copydesk_newsroom::{ArticleResponse, Footing, PublishingCheck, PublishingNote, SpanKind};
use copydesk_text::{count, in_marks, pattern::TextPattern};

/// What a headline gets points for. Whether it is clear is for a reader to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HeadlineCriterion {
    /// The body bears it out. With none here there is none at all.
    Agreement,
    /// It names somebody, a place or a figure.
    Concreteness,
    Length,
    /// It tells the news and does not bait.
    Honesty,
}

/// Points for one criterion, from 0 to 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HeadlinePoints {
    pub criterion: HeadlineCriterion,
    pub points: u8,
    /// Why, in a sentence.
    pub reason: String,
}

/// A headline's points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HeadlineScore {
    /// From 0 to 8; 0 if the body does not bear the headline out.
    pub total: u8,
    pub criteria: Vec<HeadlinePoints>,
}

/// Phrases that promise a reader something other than the news.
static BAIT: TextPattern = TextPattern::new(
    r"(?ix) \b(?: you(?:['’]ll|\ will|\ won['’]?t|\ wouldn['’]?t|\ can['’]?t)\ (?:never\ |not\ )?(?:believe|guess|imagine)
        | what\ happen(?:s|ed)\ next | will\ (?:shock|amaze|surprise|blow)\b | this\ (?:one\ )?(?:weird\ )?(?:simple\ )?trick
        | (?:here['’]s|this\ is)\ (?:why|what|how)\b | the\ reason\ (?:why\ )?will | (?:shocking|jaw-dropping|mind-blowing|unbelievable)
        | number\ \d+\ will | (?:doctors|experts|they)\ (?:hate|don['’]t\ want) | the\ truth\ about | you\ need\ to\ (?:know|see) )",
);

/// How good the headline is, criterion by criterion.
pub fn headline_score(read: &ReadArticle<'_>) -> HeadlineScore {
    score(read, "headline")
}

/// Points of the headline in that field.
fn score(read: &ReadArticle<'_>, field: &'static str) -> HeadlineScore {
    let text = read.article.field(field).unwrap_or_default();
    let criteria = vec![agreement(read, field), concreteness(read, field, text), length(text), honesty(text)];
    let agrees = criteria.first().is_some_and(|agreement| agreement.points > 0);
    let total = if agrees { criteria.iter().map(|one| one.points).sum() } else { 0 };
    HeadlineScore { total, criteria }
}

fn points(criterion: HeadlineCriterion, points: u8, reason: impl Into<String>) -> HeadlinePoints {
    HeadlinePoints { criterion, points, reason: reason.into() }
}

fn agreement(read: &ReadArticle<'_>, field: &str) -> HeadlinePoints {
    let mut rows = read.headlines.iter().filter(|row| row.field == field && row.is_finding());
    let of = HeadlineCriterion::Agreement;
    let Some(row) = rows.next() else {
        return points(of, 2, "The body has each name and figure of the headline, and no rule sees a contradiction.");
    };
    // A statement that the body makes more weakly costs a point; one that it does not have is a veto.
    let weaker =
        row.kind == SpanKind::Certainty && row.standing.footing() != Footing::Conflicts && rows.next().is_none();
    points(
        of,
        u8::from(weaker),
        format!("{}: {}", in_marks(&row.text), row.note.as_deref().unwrap_or("the body does not have it.")),
    )
}

fn concreteness(read: &ReadArticle<'_>, field: &str, text: &str) -> HeadlinePoints {
    let rows = read.headlines.iter().filter(|row| row.field == field);
    let names = rows.clone().filter(|row| row.kind == SpanKind::Name).count();
    let figures = rows.filter(|row| matches!(row.kind, SpanKind::Number | SpanKind::Date)).count();
    let figures = figures.max(usize::from(text.contains(|c: char| c.is_ascii_digit())));
    let of = HeadlineCriterion::Concreteness;
    match names + figures {
        0 => points(of, 0, "It names nobody, no place and no figure."),
        1 => points(of, 1, "It has one name or figure."),
        _ => points(of, 2, format!("It has {} and {}.", count(names, "name"), count(figures, "figure"))),
    }
}

fn length(text: &str) -> HeadlinePoints {
    let (words, characters) = (text.split_whitespace().count(), text.trim().chars().count());
    let reason = format!("It has {} and {}.", count(words, "word"), count(characters, "character"));
    let of = HeadlineCriterion::Length;
    let points_of = match (words, characters) {
        (6..=12, 40..=70) => 2,
        (4..=14, 25..=90) => 1,
        _ => 0,
    };
    points(of, points_of, reason)
}

fn honesty(text: &str) -> HeadlinePoints {
    let of = HeadlineCriterion::Honesty;
    if let Some(bait) = BAIT.find(text) {
        return points(of, 0, format!("“{}” promises something in place of the news.", bait.as_str()));
    }
    match text.trim().chars().last() {
        Some('?') => points(of, 1, "It asks where it could say."),
        Some('!' | '…') => points(of, 1, "Its last mark holds something back or shouts."),
        _ => points(of, 2, "It tells the news."),
    }
}

pub(super) fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    let article = read.article;
    let mut found = Vec::new();
    let own = score(read, "headline");
    let other = score(read, "alternativeHeadline");
    let better = other.total > own.total && !article.alternativeHeadline.trim().is_empty();
    for field in ["headline", "alternativeHeadline"] {
        let text = article.field(field).unwrap_or_default();
        if text.trim().is_empty() {
            if field == "headline" {
                let what = "The article has no headline.".to_owned();
                found.push(note(PublishingCheck::Headline, (field, text), 0..text.len(), what, proposal(article)));
            }
            continue;
        }
        let wanting = score(read, field).criteria.into_iter().filter(|one| one.points == 0 || bad_mark(one));
        for one in wanting {
            let fix = if field == "headline" && better {
                format!("Use the alternative headline, which gets {} points of 8 and not {}.", other.total, own.total)
            } else {
                fix(article, &one)
            };
            let note = note(PublishingCheck::Headline, (field, text), 0..text.len(), one.reason, fix);
            let swaps = field == "headline" && better;
            found.push(if swaps { note.replaced_by(article.alternativeHeadline.trim().to_owned()) } else { note });
        }
    }
    let same = article.headline.trim().to_lowercase() == article.alternativeHeadline.trim().to_lowercase();
    if same && !article.headline.trim().is_empty() {
        let text = article.alternativeHeadline.as_str();
        let what = "The alternative headline repeats the headline.".to_owned();
        let fix = "Take another way into the story: the person, the cost or the next step.".to_owned();
        found.push(note(PublishingCheck::Headline, ("alternativeHeadline", text), 0..text.len(), what, fix));
    }
    found
}

/// A headline that the body only bears out in part, or that asks, is worth a note although it has a point.
fn bad_mark(one: &HeadlinePoints) -> bool {
    one.points == 1 && matches!(one.criterion, HeadlineCriterion::Agreement | HeadlineCriterion::Honesty)
}

fn fix(article: &ArticleResponse, one: &HeadlinePoints) -> String {
    match one.criterion {
        HeadlineCriterion::Agreement => "Say it as the body does, or leave it out.".to_owned(),
        HeadlineCriterion::Length => {
            format!("Write 6 to 12 words in 40 to 70 characters. {}", proposal(article))
        }
        HeadlineCriterion::Concreteness | HeadlineCriterion::Honesty => proposal(article),
    }
}

/// The news in the body's own words, to write a headline from.
fn proposal(article: &ArticleResponse) -> String {
    match lead(&article.articleBody) {
        Some(lead) => format!("Start from the news in the first sentence: {}.", in_marks(&cut(lead, 160))),
        None => "Say in one sentence who did what.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;

    fn scored(headline: &str) -> HeadlineScore {
        let article = ArticleResponse { headline: headline.into(), ..article("The council voted 7-2 for the park.") };
        score(&ReadArticle { article: &article, names: vec![], headlines: vec![], grade: None }, "headline")
    }

    #[test]
    fn bait_questions_and_stubs_lose_points() {
        let points = |headline: &str| scored(headline).criteria.iter().map(|one| one.points).collect::<Vec<_>>();
        assert_eq!(points("Eastbrook council votes 7-2 for Miller Park renovation"), [2, 1, 2, 2]);
        assert_eq!(points("You won't believe what the council just did to your park"), [2, 0, 2, 0]);
        assert_eq!(points("Is Miller Park closing forever in the autumn of 2027?"), [2, 1, 2, 1]);
        assert_eq!(points("Council acts"), [2, 0, 0, 2]);
    }

    #[test]
    fn a_better_alternative_headline_is_proposed_in_place_of_bait() {
        let article = ArticleResponse {
            headline: "You won’t believe what happened next!".into(),
            alternativeHeadline: "Eastbrook council votes 7-2 for Miller Park renovation".into(),
            ..article("The council voted 7-2 for the park.")
        };
        let found = notes(&ReadArticle { article: &article, names: vec![], headlines: vec![], grade: None });
        assert!(found.len() >= 2 && found.iter().all(|note| note.field == "headline"), "{found:?}");
        assert_eq!(found[0].replacement.as_deref(), Some("Eastbrook council votes 7-2 for Miller Park renovation"));
        let alone = ArticleResponse { alternativeHeadline: String::new(), ..article };
        let found = notes(&ReadArticle { article: &alone, names: vec![], headlines: vec![], grade: None });
        assert!(found.iter().any(|note| note.fix.contains("“The council voted 7-2 for the park.”")), "{found:?}");
    }
}
