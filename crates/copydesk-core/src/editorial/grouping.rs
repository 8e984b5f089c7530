//! How the reviewer's bullets and the proof's findings become one review (docs/reference/contract.md, 3).
//!
//! Each concern costs calls and a decision, so a review has a limit. Concerns beyond it are not dropped: they become
//! groups. Each group is a bullet that no specialist judges and that a person must look at.

use std::{
    cell::LazyCell,
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
};

use super::{
    bullets::{self, bullet},
    excerpts,
};
use copydesk_newsroom::{ArticleResponse, ArticleReviewRaw, ConcernType, Finding, LastBullet, Review, SharedBullet};
use copydesk_text::{count, sanitise::one_line, sentences::sentences, words::words};

/// How many concerns a review may have before the others are grouped.
#[derive(Debug, Clone, Copy)]
pub struct ConcernsLimit {
    pub concerns: u32,
    /// How far a rule is to be trusted, by its name: the proof knows its rules, this room does not.
    pub trust: fn(&str) -> u64,
}

/// A review of the reviewer's own bullets and, after them, those of the proof's findings.
///
/// A finding about the same words as a bullet of the reviewer has none of its own: one error is one concern. Without a limit each other
/// finding has a bullet. With one, doubles share a bullet. The reviewer's bullets come first.
/// Findings keep a bullet as far as there is room: the blocking ones first, then by the trust in their rule, then by
/// place. The other findings are grouped by kind. The reviewer's own bullets beyond the limit are indented under one.
pub fn joined(own: String, findings: Vec<Finding>, article: &ArticleResponse, limit: Option<ConcernsLimit>) -> Review {
    let most = limit.map_or(usize::MAX, |limit| usize::try_from(limit.concerns).unwrap_or(usize::MAX));
    let shared = shared(&own, &findings, article, most);
    let is_shared = |number: &u32| shared.iter().any(|shared| shared.findings.contains(number));
    let Some(ConcernsLimit { trust, .. }) = limit else {
        let alone: Vec<Numbered<'_>> = (1..).zip(&findings).filter(|(number, _)| !is_shared(number)).collect();
        let bullets: Vec<String> = alone.iter().map(|(_, finding)| of_findings(&[finding])).collect();
        let each = |(number, _): &Numbered<'_>| LastBullet::Findings(vec![*number]);
        let last_bullets = if shared.is_empty() { Vec::new() } else { alone.iter().map(each).collect() };
        let raw = ArticleReviewRaw { markdown_bullets: lines(own, &bullets) };
        return Review { raw, findings, last_bullets, shared };
    };
    let limit = most;
    let strength = |finding: &Finding| (finding.blocks, trust(&finding.rule));
    let mut merged = merged(&findings, article, strength);
    for doubles in &mut merged {
        doubles.retain(|(number, _)| !is_shared(number));
    }
    merged.retain(|doubles| !doubles.is_empty());
    let own_bullets = own.lines().filter(|line| bullet(line).is_some()).count();
    let mut ranked: Vec<&Numbered<'_>> = merged.iter().filter_map(|doubles| doubles.first()).collect();
    ranked.sort_by_key(|(_, finding)| Reverse(strength(finding)));
    let room = limit.saturating_sub(own_bullets);
    let kept: BTreeSet<u32> = ranked.into_iter().take(room).map(|(number, _)| *number).collect();
    let (alone, beyond): (Vec<_>, Vec<_>) =
        merged.into_iter().partition(|doubles| doubles.first().is_some_and(|(number, _)| kept.contains(number)));
    let mut beyond: Vec<Numbered<'_>> = beyond.into_iter().flatten().collect();
    beyond.sort_unstable_by_key(|(number, _)| *number);

    let mut bullets = Vec::new();
    let mut last_bullets = Vec::new();
    let numbers = |findings: &[Numbered<'_>]| findings.iter().map(|(number, _)| *number).collect();
    let own = if own_bullets > limit {
        last_bullets.push(LastBullet::Group(Vec::new()));
        folded(&own, limit, own_bullets - limit)
    } else {
        own
    };
    for doubles in &alone {
        bullets.push(of_findings(&doubles.iter().map(|(_, finding)| *finding).collect::<Vec<_>>()));
        last_bullets.push(LastBullet::Findings(numbers(doubles)));
    }
    for kind in ConcernType::ALL {
        let group: Vec<Numbered<'_>> =
            beyond.iter().copied().filter(|(_, finding)| finding.concern_type == kind).collect();
        if !group.is_empty() {
            bullets.push(of_group(kind, &group));
            last_bullets.push(LastBullet::Group(numbers(&group)));
        }
    }
    let plain = last_bullets.len() == findings.len()
        && last_bullets.iter().all(|last| matches!(last, LastBullet::Findings(numbers) if numbers.len() == 1));
    if plain {
        last_bullets.clear();
    }
    Review { raw: ArticleReviewRaw { markdown_bullets: lines(own, &bullets) }, findings, last_bullets, shared }
}

/// The most words that an excerpt may have beyond the finding's to count as the same words: `1.8 miles of paths` for `1.8`.
const MORE_WORDS: usize = 4;

/// The first `most` bullets of the reviewer that quote the words of findings. A longer excerpt counts if the note says the words again:
/// `“The plan lays 1.8 miles of paths” unsupported_fact: 1.8 is 1.4 in the source`.
fn shared(own: &str, findings: &[Finding], article: &ArticleResponse, most: usize) -> Vec<SharedBullet> {
    let Ok(read) = bullets::parse(&ArticleReviewRaw { markdown_bullets: own.to_owned() }) else { return Vec::new() };
    let mut taken: BTreeSet<u32> = BTreeSet::new();
    let mut shared = Vec::new();
    let plain = LazyCell::new(|| excerpts::PlainDraft::of(article));
    for concern in read.concerns.into_iter().take(most).filter(|concern| concern.excerpt != concern.review_note) {
        let found = excerpts::find_excerpt(article, &concern.excerpt, || plain.clone());
        let Some((field, place)) = found else { continue };
        let note = concern.review_note.replacen(&concern.excerpt, "", 1);
        let room = words(&concern.excerpt).len();
        let is_same = |finding: &Finding| {
            finding.field == field
                && finding.start < place.end
                && place.start < finding.end
                && (excerpts::has_words(&concern.excerpt, &finding.text)
                    || excerpts::has_words(&finding.text, &concern.excerpt))
                && (room <= words(&finding.text).len() + MORE_WORDS || excerpts::has_words(&note, &finding.text))
        };
        let same = (1..).zip(findings).filter(|(number, finding)| !taken.contains(number) && is_same(finding));
        let same: Vec<u32> = same.map(|(number, _)| number).collect();
        taken.extend(&same);
        if !same.is_empty() {
            shared.push(SharedBullet { bullet: concern.concern_id, findings: same });
        }
    }
    shared
}

/// A finding with its number.
type Numbered<'f> = (u32, &'f Finding);

/// The findings in their order, doubles together, the strongest of them first. Doubles have the same span, or the same words of the
/// same kind in one sentence.
fn merged<'f, K: Ord>(
    findings: &'f [Finding],
    article: &ArticleResponse,
    strength: impl Fn(&Finding) -> K,
) -> Vec<Vec<Numbered<'f>>> {
    let sentences: HashMap<&str, _> = article.fields().map(|(field, text)| (field, sentences(text))).into();
    let mut merged: Vec<Vec<Numbered<'f>>> = Vec::new();
    let mut known = HashMap::new();
    for (number, finding) in (1..).zip(findings) {
        let Finding { field, start, end, text, concern_type, .. } = finding;
        let sentence = sentences.get(field.as_str()).map(|all| all.partition_point(|one| one.end <= *start));
        let span = (field, (*start, *end), None);
        let words = (field, (sentence.unwrap_or(*start), 0), Some((text, concern_type)));
        let place = known.get(&span).or_else(|| known.get(&words)).copied().unwrap_or(merged.len());
        known.entry(span).or_insert(place);
        known.entry(words).or_insert(place);
        match merged.get_mut(place) {
            Some(doubles) => doubles.push((number, finding)),
            None => merged.push(vec![(number, finding)]),
        }
    }
    for doubles in &mut merged {
        doubles.sort_by_key(|(_, finding)| Reverse(strength(finding)));
    }
    merged
}

/// The reviewer's text with its bullets after the first `limit` indented below a new one.
fn folded(own: &str, limit: usize, more: usize) -> String {
    let mut folded = String::with_capacity(own.len());
    let mut seen = 0;
    for line in own.split_inclusive('\n') {
        if bullet(line).is_some() {
            seen += 1;
            if seen == limit + 1 {
                let _ = writeln!(folded, "- {} of the reviewer:", count(more, "more concern"));
            }
            if seen > limit {
                folded.push_str("  ");
            }
        }
        folded.push_str(line);
    }
    folded
}

/// The bullets, a line each, after the reviewer's own.
fn lines(mut own: String, bullets: &[String]) -> String {
    for bullet in bullets {
        if !own.is_empty() {
            own.push('\n');
        }
        own.push_str(bullet);
    }
    own
}

/// `- “<excerpt>” <concern_type>: <note>`, always in one line. Different notes of doubles follow.
fn of_findings(doubles: &[&Finding]) -> String {
    let mut notes: Vec<String> = Vec::new();
    for finding in doubles {
        let note = format!("{}: {}", finding.concern_type.name(), one_line(&finding.note));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let text = doubles.first().map(|finding| plainest(&finding.text)).unwrap_or_default();
    format!("- “{text}” {}", notes.join(" Also "))
}

/// `- <concern_type>: 14 more findings of this kind: “<excerpt>”, “<excerpt>”`.
fn of_group(kind: ConcernType, group: &[Numbered<'_>]) -> String {
    let texts: Vec<String> = group.iter().map(|(_, finding)| format!("“{}”", plainest(&finding.text))).collect();
    format!("- {}: {} of this kind: {}", kind.name(), count(group.len(), "more finding"), texts.join(", "))
}

/// The finding's text if it holds no curly marks, else its longest stretch without: the first marks of a bullet are the excerpt's.
fn plainest(text: &str) -> String {
    let line = one_line(text);
    let longest = line.split(['“', '”']).map(str::trim).max_by_key(|run| run.chars().count()).unwrap_or_default();
    longest.to_owned()
}

#[cfg(test)]
mod tests;
