//! The place of a concern's excerpt in a draft, so that an editor sees the words in question.
//!
//! A reviewer quotes as people do: with other quotation marks, without the Markdown, shortened. So a place is looked for
//! from the strictest reading to the most lenient one, and the first that is found is taken.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::editorial::{evidence, vouching};
use copydesk_newsroom::{ArticleResponse, Concern, Finding, Journal};
use copydesk_text::{
    overlap::Stems,
    sentences::sentences,
    words::{fold, is_stop_word, stem, words},
};

/// Fewest words in a row that tell a place.
const FEWEST_WORDS: usize = 3;

/// Most words of an excerpt that are looked for in a row. If nothing is quoted, the excerpt is the whole bullet.
const MOST_WORDS: usize = 400;

/// Longest label of a footnote or address of a link, in characters.
const LONGEST_ADDRESS: usize = 300;

/// The place of a concern of `round` in its draft: the proof's finding where a program wrote the bullet, of a group the first one,
/// else where the excerpt stands. The field by its contract name, and bytes in it.
///
/// An excerpt that stands in several sentences is that of the sentence which shares most with the reviewer's note. If that does not tell,
/// the first bullet with these words is about the first of them, the second about the next.
pub fn place_of(journal: &Journal, round: u32, concern: u32) -> Option<(&'static str, Range<usize>)> {
    journal.once(round, concern, || ConcernPlace(look_for(journal, round, concern))).0
}

/// The place of a concern, as a journal keeps it.
#[derive(Clone)]
struct ConcernPlace(Option<(&'static str, Range<usize>)>);

fn look_for(journal: &Journal, round: u32, concern: u32) -> Option<(&'static str, Range<usize>)> {
    let article = &journal.draft(round)?.article;
    let first = || vouching::group(journal, round, concern)?.first().map(|(_, finding)| *finding);
    let own = || finding(journal, round, concern).filter(|_| vouching::is_programs(journal, round, concern));
    let found = own().or_else(first).and_then(|finding| {
        let (field, text) = article.fields().into_iter().find(|(field, _)| *field == finding.field)?;
        text.get(finding.start..finding.end)?;
        Some((field, finding.start..finding.end))
    });
    found.or_else(|| {
        let concerns = &journal.concerns(round)?.concerns;
        let at = concerns.iter().position(|candidate| candidate.concern_id == concern)?;
        let (earlier, this) = (concerns.get(..at)?, concerns.get(at)?);
        let plain = || journal.once(round, 0, || PlainDraft::of(article));
        let (field, first) = find_excerpt(article, &this.excerpt, plain)?;
        let places = standing(article.field(field)?, this.excerpt.trim());
        let meant = meant(&places, this);
        let alike = |other: &&Concern| other.excerpt == this.excerpt && self::meant(&places, other) == meant;
        let others = if meant.len() > 1 { earlier.iter().filter(alike).count() } else { 0 };
        Some((field, meant.get(others).map_or(first, |place| (*place).clone())))
    })
}

/// Of the places of a concern's words, each with what its sentence speaks of, those whose sentences share most with the reviewer's note.
fn meant<'p>(places: &'p [(Range<usize>, BTreeSet<String>)], concern: &Concern) -> Vec<&'p Range<usize>> {
    let note = telling(&concern.review_note.replacen(&concern.excerpt, "", 1));
    let shared = |(_, sentence): &(Range<usize>, BTreeSet<String>)| sentence.intersection(&note).count();
    let most = places.iter().map(shared).max().unwrap_or(0);
    places.iter().filter(|place| shared(place) == most).map(|(place, _)| place).collect()
}

/// The words of a text that say something, without their inflection.
fn telling(text: &str) -> BTreeSet<String> {
    let folded = words(text).into_iter().map(|word| fold(word.text));
    folded.filter(|word| !is_stop_word(word)).map(|word| stem(&word)).collect()
}

/// Fewest words of a sentence, and of a bullet about it, that tell that the bullet means it.
const FEWEST_SHARED: usize = 2;

/// The sentence that a bullet means scores at least this many times as high as every other sentence.
const CLEARLY: f64 = 1.5;

/// The words of the draft that a bullet without quotation marks means. They are words between other marks that the draft has, else the one
/// sentence that has clearly most of the bullet's words. None if several fit, or none.
pub fn meant_by(article: &ArticleResponse, bullet: &str) -> Option<String> {
    let marked =
        [('‘', '’'), ('`', '`'), ('«', '»'), ('„', '“'), ('\'', '\'')].into_iter().find_map(|(open, close)| {
            let (_, after) = bullet.split_once(open)?;
            let (inside, _) = after.split_once(close)?;
            let stands = article.fields().into_iter().any(|(_, text)| whole(text, inside).next().is_some());
            (words(inside).len() >= FEWEST_SHARED && stands).then(|| inside.to_owned())
        });
    let others = || article.fields().into_iter().filter(|(field, _)| *field != "articleBody").map(|(_, text)| text);
    marked
        .or_else(|| sentence_meant(&[&article.articleBody], bullet))
        .or_else(|| sentence_meant(&others().collect::<Vec<_>>(), bullet))
}

/// The one sentence of the texts that a bullet means.
fn sentence_meant(texts: &[&str], bullet: &str) -> Option<String> {
    let told = texts.iter().flat_map(|text| sentences(text).into_iter().filter_map(|place| text.get(place)));
    let told: Vec<&str> = told.map(str::trim).filter(|sentence| !sentence.is_empty()).collect();
    let wanted = telling(bullet);
    let scores = Stems::of(bullet).idf_scores(&told);
    let mut ranked: Vec<(f64, &str)> = scores.into_iter().zip(told).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let ((best, sentence), next) = (ranked.first().copied()?, ranked.get(1).map_or(0.0, |(score, _)| *score));
    let shared = telling(sentence).intersection(&wanted).count();
    (shared >= FEWEST_SHARED && best >= next * CLEARLY).then(|| sentence.to_owned())
}

/// Whether a text has these words in a row, whatever their case and the marks between them.
pub fn has_words(text: &str, wanted: &str) -> bool {
    evidence::plain(text).contains(&evidence::plain(wanted))
}

/// The finding behind a concern's bullet; none if the concern is the reviewer's alone, or a group.
pub fn finding(journal: &Journal, round: u32, concern: u32) -> Option<&Finding> {
    vouching::behind(journal, round, concern).map(|(_, finding)| finding)
}

/// The place of `excerpt` in `article`. It is looked for word for word, then without regard to case, white space,
/// quotation marks, dashes and marks of Markdown. Otherwise it is the longest run of at least three words that both
/// have. The body is looked at before the other fields, unless a field is the excerpt. `plain` is the article's, made where it is needed.
pub fn find_excerpt(
    article: &ArticleResponse,
    excerpt: &str,
    plain: impl FnOnce() -> PlainDraft,
) -> Option<(&'static str, Range<usize>)> {
    let wanted = excerpt.trim();
    if wanted.is_empty() {
        return None;
    }
    let fields = fields(article);
    let same = |(field, text): &(&'static str, &str)| (text.trim() == wanted).then_some((*field, 0..text.len()));
    let exact = |(field, text): &(&'static str, &str)| Some((*field, stands(text, wanted)?));
    if let Some(found) = fields.iter().find_map(same).or_else(|| fields.iter().find_map(exact)) {
        return Some(found);
    }
    let plain = plain().0;
    let wanted = Plain::new(wanted);
    let needle = wanted.text.trim_matches(|c: char| !c.is_alphanumeric());
    let lenient = |((field, _), text): (&(&'static str, &str), &Plain)| Some((*field, text.find(needle)?));
    if !needle.is_empty()
        && let Some(found) = fields.iter().zip(&plain.texts).find_map(lenient)
    {
        return Some(found);
    }
    let words = plain.words.get_or_init(|| fields.map(|(_, text)| folded_words(text)));
    let runs = fields.iter().zip(words).filter_map(|((field, _), words)| Some((*field, longest_run(words, excerpt)?)));
    // Of runs of the same length the first is taken, so the body's before a headline's.
    runs.rev().max_by_key(|(_, (count, _))| *count).map(|(field, (_, range))| (field, range))
}

/// The fields of an article by their contract names, in the order in which an excerpt is looked for.
fn fields(article: &ArticleResponse) -> [(&'static str, &str); 4] {
    [
        ("articleBody", &article.articleBody),
        ("description", &article.description),
        ("headline", &article.headline),
        ("alternativeHeadline", &article.alternativeHeadline),
    ]
}

/// The first place where `wanted` stands as words, else within a word.
fn stands(text: &str, wanted: &str) -> Option<Range<usize>> {
    let first = || text.find(wanted).map(|at| at..at + wanted.len());
    whole(text, wanted).next().or_else(first)
}

/// Every place where `wanted` stands as words, with what its sentence speaks of; of a single place nothing is asked.
fn standing(text: &str, wanted: &str) -> Vec<(Range<usize>, BTreeSet<String>)> {
    let single = |place: Range<usize>| (place, BTreeSet::new());
    if wanted.is_empty() || whole(text, wanted).nth(1).is_none() {
        return whole(text, wanted).take_while(|_| !wanted.is_empty()).map(single).collect();
    }
    let lines = sentences(text);
    let sentence = |place: &Range<usize>| {
        let line = lines.get(lines.partition_point(|line| line.end <= place.start))?;
        text.get(line.clone()).map(telling)
    };
    let spoken = whole(text, wanted).map(|place| {
        let words = sentence(&place).unwrap_or_default();
        (place, words)
    });
    spoken.collect()
}

/// The places of words in a text, if they stand there as whole words.
pub fn whole(text: &str, wanted: &str) -> impl Iterator<Item = Range<usize>> {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (opens, closes) = (letter(wanted.chars().next()), letter(wanted.chars().next_back()));
    // A letter that stands in every word is no reason to read a draft to its end.
    let places = text.match_indices(wanted).take(1_000).map(|(at, found)| at..at + found.len());
    places.filter(move |range| {
        let before = letter(text.get(..range.start).and_then(|head| head.chars().next_back()));
        let after = letter(text.get(range.end..).and_then(|tail| tail.chars().next()));
        !(opens && before || closes && after)
    })
}

/// The fields of an article without what a quotation may change, made once for any number of excerpts.
#[derive(Clone)]
pub struct PlainDraft(Arc<PlainFields>);

struct PlainFields {
    texts: [Plain; 4],
    words: OnceLock<[Vec<FoldedWord>; 4]>,
}

/// A folded word and its place.
type FoldedWord = (String, Range<usize>);

impl PlainDraft {
    /// Of an article.
    pub fn of(article: &ArticleResponse) -> Self {
        Self(Arc::new(PlainFields { texts: fields(article).map(|(_, text)| Plain::new(text)), words: OnceLock::new() }))
    }
}

fn folded_words(text: &str) -> Vec<FoldedWord> {
    words(text).into_iter().map(|word| (fold(word.text), word.start..word.end)).collect()
}

/// A text without what a quotation may change, and where each byte of it comes from.
struct Plain {
    text: String,
    /// For each byte of the text, the bytes that it stands for.
    from: Vec<(usize, usize)>,
}

impl Plain {
    fn new(text: &str) -> Self {
        let mut plain = Self { text: String::with_capacity(text.len()), from: Vec::with_capacity(text.len()) };
        let mut skip_to = 0;
        for (at, c) in text.char_indices() {
            if at < skip_to {
                continue;
            }
            let source = (at, at + c.len_utf8());
            let rest = if matches!(c, '[' | ']') { text.get(at..).unwrap_or_default() } else { "" };
            if rest.starts_with("[^") || rest.starts_with("](") {
                // A reference to a footnote, the address of a link: no words of the sentence.
                let close = if rest.starts_with("](") { ')' } else { ']' };
                let word = rest.char_indices().take(LONGEST_ADDRESS).take_while(|(_, c)| !c.is_whitespace());
                if let Some((end, _)) = word.into_iter().find(|(_, c)| *c == close) {
                    skip_to = at + end + 1;
                    continue;
                }
            }
            match c {
                '"' | '\'' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '‚' | 'ʼ' | '′' | '″' | '*' | '_' | '`'
                | '#' | '>' | '~' | '\\' | '[' | ']' | '\u{AD}' => {}
                '‐' | '‑' | '–' | '—' | '−' => plain.push('-', source),
                '…' => "...".chars().for_each(|c| plain.push(c, source)),
                c if c.is_whitespace() => {
                    if !plain.text.ends_with(' ') {
                        plain.push(' ', source);
                    }
                }
                c => c.to_lowercase().for_each(|c| plain.push(c, source)),
            }
        }
        plain
    }

    fn push(&mut self, c: char, source: (usize, usize)) {
        self.text.push(c);
        self.from.extend(std::iter::repeat_n(source, c.len_utf8()));
    }

    fn find(&self, needle: &str) -> Option<Range<usize>> {
        let found = stands(&self.text, needle)?;
        let (start, _) = self.from.get(found.start)?;
        let (_, end) = self.from.get(found.end.checked_sub(1)?)?;
        Some(*start..*end)
    }
}

/// The longest run of words that a text and an excerpt both have, if one word of it at least says something. How many words it has, and
/// its place in the text. The first of several.
fn longest_run(own: &[FoldedWord], excerpt: &str) -> Option<(usize, Range<usize>)> {
    let wanted: Vec<String> = words(excerpt).into_iter().take(MOST_WORDS).map(|word| fold(word.text)).collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, word) in wanted.iter().enumerate() {
        places.entry(word).or_default().push(place);
    }
    // For each place of the excerpt: the word of the text at which a run last reached it, and how long that run is.
    let mut runs: Vec<(usize, usize)> = vec![(usize::MAX, 0); wanted.len()];
    let mut best: Option<(usize, usize)> = None;
    for (index, (word, _)) in own.iter().enumerate() {
        // From the back, so that the place before still tells of the word before.
        for place in places.get(word.as_str()).into_iter().flatten().rev() {
            let before = place.checked_sub(1).and_then(|before| runs.get(before)).copied();
            let length = match before {
                Some((at, length)) if at != usize::MAX && at + 1 == index => length + 1,
                _ => 1,
            };
            if let Some(run) = runs.get_mut(*place) {
                *run = (index, length);
            }
            let says = || {
                let run = wanted.get((place + 1).saturating_sub(length)..=*place).unwrap_or_default();
                run.iter().any(|word| !is_stop_word(word))
            };
            if length >= FEWEST_WORDS && best.is_none_or(|(held, _)| length > held) && says() {
                best = Some((length, index));
            }
        }
    }
    let (length, last) = best?;
    let (_, first) = own.get((last + 1).checked_sub(length)?)?;
    Some((length, first.start..own.get(last)?.1.end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::editorial::testing::{add, add_round, opening};
    use copydesk_newsroom::{ArticleReviewResult, ConcernType, Draft, Outcome, Review, Specialist, Step};

    fn article() -> ArticleResponse {
        ArticleResponse {
            headline: "Council votes to renovate park".into(),
            alternativeHeadline: "A park plan passes".into(),
            description: "The council approved the plan.".into(),
            articleBody:
                "The *council* voted seven to two.[^1] “We can’t wait,” the mayor said — twice.\n\n> It closed \
                          at **7 p.m.** on [Tuesday](https://x.example).\n\nCouncil votes are public."
                    .into(),
        }
    }

    /// Field and text of the place.
    fn found(excerpt: &str) -> Option<(&'static str, String)> {
        let article = article();
        let (field, range) = find_excerpt(&article, excerpt, || PlainDraft::of(&article))?;
        let text = article.field(field)?;
        Some((field, text[range].to_owned()))
    }

    #[test]
    fn a_bullet_without_quotation_marks_means_the_one_sentence_that_fits() {
        let article = ArticleResponse {
            headline: "Schools change their hours".into(),
            alternativeHeadline: "Later bells".into(),
            description: "Schools start later.".into(),
            articleBody:
                "The school board of Larkmoor voted on Tuesday. Eight schools will start at 8:30 a.m. in fall. \
                          The board heard parents and teachers.\n\nBuses are a problem, a driver said."
                    .into(),
        };
        let meant = |bullet: &str| meant_by(&article, bullet);
        let eight = Some("Eight schools will start at 8:30 a.m. in fall.".to_owned());
        assert_eq!(
            meant("unsupported_fact: the article lists eight schools, while the source does not mention any start."),
            eight
        );
        assert_eq!(
            meant("attribution_gap: the driver who calls buses a problem has no name"),
            Some("Buses are a problem, a driver said.".into())
        );
        assert_eq!(meant("editorializing: ‘heard parents’ is warm"), Some("heard parents".into()));
        assert_eq!(meant("unsupported_fact: the board is mentioned"), None, "two sentences speak of it");
        assert_eq!(meant("editorializing: the tone is too cheerful"), None);
        assert_eq!(meant(""), None);
    }

    #[test]
    fn words_in_a_row_are_found_through_their_marks() {
        assert!(has_words("He said: “The *article* lists, 8 schools.”", "the article lists 8"));
        assert!(!has_words("The articles list 8 schools", "article lists"));
    }

    #[test]
    fn an_excerpt_is_found_word_for_word() {
        assert_eq!(found("voted seven to two"), Some(("articleBody", "voted seven to two".into())));
        assert_eq!(found(" Council votes "), Some(("articleBody", "Council votes".into())));
        assert_eq!(found("Council votes to renovate park"), Some(("headline", article().headline)));
        assert_eq!(found("approved the plan"), Some(("description", "approved the plan".into())));
        assert_eq!(found("plan passes"), Some(("alternativeHeadline", "plan passes".into())));
        assert_eq!(found("a").as_ref().map(|(field, _)| *field), Some("articleBody"));
    }

    #[test]
    fn marks_case_and_white_space_are_put_aside() {
        assert_eq!(
            found("the council voted\nSeven to two. \"We can't wait,\""),
            Some(("articleBody", "The *council* voted seven to two.[^1] “We can’t wait".into()))
        );
        assert_eq!(found("mayor said - twice."), Some(("articleBody", "mayor said — twice".into())));
        assert_eq!(
            found("it closed at 7 p.m. on Tuesday."),
            Some(("articleBody", "It closed at **7 p.m.** on [Tuesday".into()))
        );
    }

    #[test]
    fn a_shortened_or_changed_excerpt_is_found_by_its_longest_run_of_words() {
        assert_eq!(
            found("The board … voted seven to two, it closed"),
            Some(("articleBody", "voted seven to two".into()))
        );
        assert_eq!(
            found("The council approved the new plan"),
            Some(("description", "The council approved the".into()))
        );
        assert_eq!(found("seven dogs voted to two"), None);
        assert_eq!(found("at the of"), None);
        assert_eq!((found(""), found(" \n"), found("***")), (None, None, None));
    }

    #[test]
    fn words_of_several_sentences_are_those_of_the_sentence_that_the_note_is_about() {
        let body = "It lays 1.8 miles of paths: 1.8 in all. The wing has 1.8 acres. The pond has 1.8 too. He paid $21.8 million.";
        let places = |notes: &[&str]| {
            let mut journal = Journal::new(opening());
            let agents = vec![Specialist::Opinion; notes.len()];
            add_round(&mut journal, 1, &agents);
            let draft = Draft { article: crate::editorial::testing::article(body), stripped: vec![], undone: vec![] };
            add(&mut journal, Step::Draft, Outcome::Draft(draft));
            let concerns = notes.iter().zip(1..).map(|(note, concern_id)| Concern {
                concern_id,
                excerpt: "1.8".into(),
                review_note: format!("“1.8” unsupported_fact: {note}"),
            });
            add(
                &mut journal,
                Step::Parse { round: 1 },
                Outcome::Concerns(ArticleReviewResult { concerns: concerns.collect() }),
            );
            let place = |id| place_of(&journal, 1, id).map(|(_, place)| place.start);
            (1..).take(notes.len()).map(|id| place(id).unwrap()).collect::<Vec<_>>()
        };
        let [miles, all, acres, pond] =
            ["1.8 miles", "1.8 in all", "1.8 acres", "1.8 too"].map(|words| body.find(words).unwrap());
        assert_eq!(places(&["is it so?"]), [miles]);
        assert_eq!(places(&["the source gives no size of the wing"]), [acres]);
        assert_eq!(places(&["is it so?"; 5]), [miles, all, acres, pond, miles]);
        assert_eq!(places(&["is it so?", "the pond is larger", "is it so?"]), [miles, pond, all]);
    }

    #[test]
    fn the_proofs_own_place_wins() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        assert_eq!(place_of(&journal, 1, 1), Some(("articleBody", 16..17)));
        let finding = Finding {
            concern_type: ConcernType::UnsupportedFact,
            rule: "x".into(),
            field: "headline".into(),
            start: 0,
            end: 4,
            text: "Head".into(),
            note: String::new(),
            blocks: false,
            passage: None,
            replacement: None,
        };
        let raw = journal.review(1).unwrap().raw.clone();
        let mut review = Review::new(raw, vec![finding]);
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review.clone()));
        assert_eq!(place_of(&journal, 1, 1), Some(("headline", 0..4)));
        review.findings[0].end = 400;
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review));
        assert_eq!(place_of(&journal, 1, 1), Some(("articleBody", 16..17)));
        assert_eq!((place_of(&journal, 1, 2), place_of(&journal, 2, 1)), (None, None));
    }

    proptest! {
        #[test]
        fn a_place_is_always_in_its_field(body in "([a-z]{1,4}|[ *_“”’>\n]|\\[\\^1\\]|\\]\\(|İ|…|\\PC){0,40}", excerpt in "([a-z]{1,4}|[ *“’]|İ|…|\\PC){0,12}") {
            let article = ArticleResponse { articleBody: body, ..article() };
            if let Some((field, range)) = find_excerpt(&article, &excerpt, || PlainDraft::of(&article)) {
                let (_, text) = article.fields().into_iter().find(|(own, _)| *own == field).unwrap();
                prop_assert!(text.get(range.clone()).is_some_and(|found| !found.is_empty()), "{field} {range:?}");
            }
        }
    }
}
