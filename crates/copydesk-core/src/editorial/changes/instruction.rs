//! A to-do as an instruction: the words that it quotes, the fields that it names, the places in the old draft that it points at.
//!
//! The quoted words that a to-do wants gone, and those that it wants there. The words before a quotation tell which it is.
//!
//! In doubt it is neither. A to-do that leaves a choice, gives an example or only points to a place wants no words that a rule can look
//! for.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::{
    comparison::AskedFor,
    passage::{content, figures, folded, quotations},
};
use crate::editorial::listed::is_listed;
use copydesk_newsroom::ArticleResponse;
use copydesk_text::{
    sentences::sentences,
    words::{fold, words},
};

/// Words that an exact to-do has beside the words that it quotes.
const EXACT: &str = "replace change correct delete remove cut drop strike omit put write use say with to by into in instead of \
    for the word words phrase sentence figure please and";

/// Those of them that change something.
const VERBS: &str = "replace change correct delete remove cut drop strike omit put write use say";

/// Those of them that give a new text. If a to-do says nothing else, its quoted words come in the excerpt's place.
const WORDING: &str = "put write use say instead please";

/// Words of a to-do that speaks of a deletion.
pub(super) const REMOVAL: &str = "delete remove cut drop strike omit shorten trim leave take";
/// Of figures and dates.
pub(super) const FIGURES: &str =
    "figure number amount sum total percent percentage date year time count rate price cost age";
/// Of spoken words, quoted word for word.
pub(super) const QUOTATIONS: &str = "quote quotation quoted quoting verbatim wording exact words word paraphrase";
/// Of the position of a text in the draft.
pub(super) const ORDER: &str = "move reorder order rearrange swap top earlier later up down";

/// Fewest words of an excerpt that names a place although it stands in several.
const NAMES_A_PLACE: usize = 4;

/// A byte range of one of the article's four fields.
pub(super) type FieldRange = (usize, Range<usize>);

/// A to-do, read.
pub(super) struct Instruction {
    /// Its quotations, each as its folded words.
    pub quoted: Vec<Vec<String>>,
    /// Whether it only replaces or deletes the words that it quotes.
    pub exact: bool,
    /// The stems of its words.
    pub content: BTreeSet<String>,
    pub figures: BTreeSet<String>,
    /// Its own words, folded.
    spoken: Vec<String>,
    /// Whether the verdict is REMOVE.
    pub removes: bool,
    /// Where its excerpt stands in the old draft.
    pub excerpts: Vec<FieldRange>,
    /// The sentences that the excerpt stands in, each place whole.
    pub sentences: Vec<FieldRange>,
    /// The places that it words anew: the excerpt, or its sentences if a whole sentence is quoted.
    pub reworded: Vec<FieldRange>,
    /// The fields that it names, by their numbers.
    pub fields: Vec<usize>,
    /// The places of the quoted words in the old draft: in the excerpt's sentences, or anywhere if they are not there.
    pub spots: Vec<FieldRange>,
}

/// A draft, searchable by words.
pub(super) struct DraftWords {
    names: HashMap<String, u32>,
    fields: Vec<Field>,
}

struct Field {
    name: &'static str,
    words: Vec<u32>,
    places: Vec<Range<usize>>,
    /// Where each word stands, by its number.
    occurrences: HashMap<u32, Vec<usize>>,
    sentences: Vec<Range<usize>>,
}

impl DraftWords {
    pub fn new(draft: &ArticleResponse) -> Self {
        let mut names: HashMap<String, u32> = HashMap::new();
        let mut number = |text: &str| {
            let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
            *names.entry(fold(text)).or_insert(count)
        };
        let fields = draft
            .fields()
            .iter()
            .map(|(name, text)| {
                let found = words(text);
                let numbers: Vec<u32> = found.iter().map(|word| number(word.text)).collect();
                let mut occurrences: HashMap<u32, Vec<usize>> = HashMap::new();
                for (place, number) in numbers.iter().enumerate() {
                    occurrences.entry(*number).or_default().push(place);
                }
                Field {
                    name,
                    words: numbers,
                    occurrences,
                    places: found.iter().map(|word| word.start..word.end).collect(),
                    sentences: sentences(text),
                }
            })
            .collect();
        Self { names, fields }
    }

    /// The places where words follow each other, whatever marks are between them.
    pub fn find(&self, sought: &[String]) -> Vec<FieldRange> {
        let numbers: Option<Vec<u32>> = sought.iter().map(|word| self.names.get(word).copied()).collect();
        let Some(numbers) = numbers else { return Vec::new() };
        let Some(first) = numbers.first() else { return Vec::new() };
        let mut found = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            for &at in field.occurrences.get(first).map(Vec::as_slice).unwrap_or_default() {
                if field.words.get(at..at + numbers.len()) != Some(numbers.as_slice()) {
                    continue;
                }
                let (first, last) = (field.places.get(at), field.places.get(at + numbers.len() - 1));
                found.extend(first.zip(last).map(|(first, last)| (index, first.start..last.end)));
            }
        }
        found
    }

    /// The fields that words name, by their numbers.
    fn named(&self, spoken: &[String]) -> Vec<usize> {
        let says = |word: &str| spoken.iter().any(|said| said == word);
        // “A description of the park” is none of the article's.
        let of = spoken.windows(2).any(|pair| pair == ["description", "of"]);
        let other = says("alternative") || says("second");
        let names = |field: &Field| match field.name {
            "headline" => says("headlines") || (says("headline") && !other),
            "alternativeHeadline" => says("headlines") || (says("headline") && other),
            "description" => says("standfirst") || (says("description") && !of),
            _ => false,
        };
        self.fields.iter().enumerate().filter(|(_, field)| names(field)).map(|(index, _)| index).collect()
    }

    /// A place, widened to whole sentences.
    pub fn sentences(&self, (field, place): &FieldRange) -> FieldRange {
        let all = self.fields.get(*field).map(|field| field.sentences.as_slice()).unwrap_or_default();
        let from = all.partition_point(|sentence| sentence.end <= place.start);
        let inside = all.get(from..).unwrap_or_default().iter().take_while(|sentence| sentence.start < place.end);
        let whole = inside.fold(place.clone(), |whole, next| whole.start.min(next.start)..whole.end.max(next.end));
        (*field, whole)
    }
}

impl Instruction {
    pub fn read(asked: &AskedFor, draft: &DraftWords) -> Self {
        let (quoted, said) = parts(&asked.to_do);
        let spoken = folded(&said);
        let is_exact =
            !quoted.is_empty() && speak_of(&spoken, VERBS) && spoken.iter().all(|word| is_listed(word, EXACT));
        let excerpts = asked.excerpt.as_deref().map(|excerpt| excerpts(excerpt, draft)).unwrap_or_default();
        let sentences: Vec<FieldRange> = excerpts.iter().map(|place| draft.sentences(place)).collect();
        let gives_anew = is_exact && quoted.len() == 1 && spoken.iter().all(|word| is_listed(word, WORDING));
        let reworded = match (gives_anew, quotes_a_sentence(&asked.to_do)) {
            (false, _) => Vec::new(),
            (true, false) => excerpts.clone(),
            (true, true) => sentences.clone(),
        };
        let everywhere: Vec<FieldRange> = quoted.iter().flat_map(|words| draft.find(words)).collect();
        let near: Vec<FieldRange> = everywhere
            .iter()
            .filter(|(field, spot)| {
                sentences.iter().any(|(of, place)| of == field && place.start <= spot.start && spot.end <= place.end)
            })
            .cloned()
            .collect();
        Self {
            exact: is_exact,
            reworded,
            fields: draft.named(&spoken),
            content: content(&asked.to_do),
            figures: figures(&asked.to_do),
            removes: asked.removes,
            spots: if near.is_empty() { everywhere } else { near },
            spoken,
            quoted,
            excerpts,
            sentences,
        }
    }

    /// Whether it speaks of a matter, by the list of its words.
    pub fn speaks_of(&self, list: &str) -> bool {
        speak_of(&self.spoken, list)
    }

    /// Whether a word sequence stands within a quotation. An empty sequence always does.
    pub fn quotes(&self, words: &[String]) -> bool {
        words.is_empty() || self.quoted.iter().any(|quoted| quoted.windows(words.len()).any(|window| window == words))
    }
}

fn speak_of(spoken: &[String], list: &str) -> bool {
    spoken.iter().any(|word| is_listed(word, list) || is_listed(word.trim_end_matches('s'), list))
}

/// The places of an excerpt: as a whole, or in the pieces that its ellipses leave. A few words that stand in several
/// places name none of them.
fn excerpts(excerpt: &str, draft: &DraftWords) -> Vec<FieldRange> {
    let clear = |found: Vec<FieldRange>, words: usize| {
        if found.len() > 1 && words < NAMES_A_PLACE { Vec::new() } else { found }
    };
    let whole = folded(excerpt);
    let found = draft.find(&whole);
    if !found.is_empty() {
        return clear(found, whole.len());
    }
    let pieces = excerpt.split('…').flat_map(|piece| piece.split("...")).map(folded);
    pieces.filter(|words| words.len() >= NAMES_A_PLACE).flat_map(|words| draft.find(&words)).collect()
}

/// Whether a to-do quotes a whole sentence: it begins and ends as one, and is more than a name with the mark of the to-do's own.
fn quotes_a_sentence(to_do: &str) -> bool {
    quoted_ranges(to_do).into_iter().any(|range| {
        let inside = to_do.get(range).unwrap_or_default().trim_matches(|c: char| "“”„«»\"‘’'`".contains(c)).trim();
        inside.starts_with(char::is_uppercase)
            && inside.ends_with(['.', '!', '?', '…'])
            && folded(inside).len() >= NAMES_A_PLACE
    })
}

/// The ranges of the quotations: those in double marks, or if there are none, those in single marks.
pub(super) fn quoted_ranges(to_do: &str) -> Vec<Range<usize>> {
    let doubles = quotations(to_do);
    if doubles.is_empty() { singles(to_do) } else { doubles }
}

/// Splits a to-do into its quotations, as folded words, and its other words. Single marks count if they stand around words and there are no
/// double marks.
fn parts(to_do: &str) -> (Vec<Vec<String>>, String) {
    let mut quoted = Vec::new();
    let mut said = String::new();
    let mut past = 0;
    for range in quoted_ranges(to_do) {
        said.push_str(to_do.get(past..range.start).unwrap_or_default());
        said.push(' ');
        quoted.push(folded(to_do.get(range.clone()).unwrap_or_default()));
        past = range.end;
    }
    said.push_str(to_do.get(past..).unwrap_or_default());
    quoted.retain(|words| !words.is_empty());
    (quoted, said)
}

/// The text in single quotation marks that are no apostrophes.
fn singles(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |&(_, next)| next);
        match open {
            None if matches!(c, '\'' | '‘' | '`') && !before.is_alphanumeric() && !after.is_whitespace() => {
                open = Some(at);
            }
            Some(start) if matches!(c, '\'' | '’' | '`') && !before.is_whitespace() && !after.is_alphanumeric() => {
                found.push(start..at + c.len_utf8());
                open = None;
            }
            _ => {}
        }
        before = c;
    }
    found
}

/// Verbs whose quoted words are to go.
const GOES: &str = "delete remove cut drop strike omit avoid replace change correct";

/// Verbs whose quoted words are to come.
const COMES: &str = "write say put use insert add";

/// Verbs that put one thing in the place of another, and the words before the other.
const REPLACES: &str = "replace change correct";
const WITH: &str = "with to by into";

const ADDS: &str = "insert add";

const DENIES: &str = "not never don't";

/// Directly before a quotation, these words point to a place or give an example.
const POINTS: &str = "in after before from near beside above below at on where about of for as like example between";

/// With one of these words the writer may choose.
const CHOICES: &str = "or either unless if";

/// The quotations that are to go and those that are to come, each as its folded words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub goes: Vec<Vec<String>>,
    pub comes: Vec<Vec<String>>,
    /// Whether the words to come stand beside the words that are there.
    pub adds: bool,
}

#[derive(Clone, Copy)]
enum Sense {
    Goes,
    Comes,
    Neither,
}

impl Wanted {
    /// Whether it names no words.
    pub fn names_none(&self) -> bool {
        self.goes.is_empty() && self.comes.is_empty()
    }

    pub fn of(to_do: &str) -> Self {
        let mut wanted = Self::default();
        let (mut sense, mut replaces, mut past) = (Sense::Neither, false, 0);
        for range in quoted_ranges(to_do) {
            let before = folded(to_do.get(past..range.start).unwrap_or_default());
            if has(&before, CHOICES) {
                return Self::default();
            }
            replaces |= has(&before, REPLACES);
            wanted.adds |= has(&before, ADDS);
            sense = verb(&before).unwrap_or(sense);
            let quoted = to_do.get(range.clone()).unwrap_or_default();
            // A quotation with a gap, or with a place to fill in, stands nowhere word for word.
            let is_whole = !quoted.contains(['…', '[']) && !quoted.contains("...");
            let quoted = folded(quoted);
            past = range.end;
            match directly(&before, replaces).unwrap_or(sense) {
                _ if quoted.is_empty() || !is_whole => {}
                Sense::Goes => wanted.goes.push(quoted),
                Sense::Comes => wanted.comes.push(quoted),
                Sense::Neither => {}
            }
        }
        if has(&folded(to_do.get(past..).unwrap_or_default()), CHOICES) { Self::default() } else { wanted }
    }
}

fn has(words: &[String], list: &str) -> bool {
    words.iter().any(|word| is_listed(word, list))
}

/// The sense that the last verb gives to the quotation after it.
fn verb(before: &[String]) -> Option<Sense> {
    let at = before.iter().rposition(|word| is_listed(word, GOES) || is_listed(word, COMES))?;
    let denied = has(before.get(..at).unwrap_or_default(), DENIES);
    Some(match (has(before.get(at..=at).unwrap_or_default(), COMES), denied) {
        (true, false) => Sense::Comes,
        (false, true) => Sense::Neither,
        _ => Sense::Goes,
    })
}

/// The sense that the word directly before a quotation gives to it, whatever the verb.
fn directly(before: &[String], replaces: bool) -> Option<Sense> {
    let words: Vec<&str> = before.iter().map(String::as_str).collect();
    match words.as_slice() {
        [.., "instead" | "place", "of"] | [.., "rather", "than"] => Some(Sense::Goes),
        [.., last] if is_listed(last, DENIES) => Some(Sense::Goes),
        [.., last] if is_listed(last, WITH) => Some(if replaces { Sense::Comes } else { Sense::Neither }),
        [.., last] if is_listed(last, POINTS) => Some(Sense::Neither),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words to go, then the words to come.
    fn wanted(to_do: &str) -> (String, String) {
        let joined = |all: &[Vec<String>]| all.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(", ");
        let wanted = Wanted::of(to_do);
        (joined(&wanted.goes), joined(&wanted.comes))
    }

    fn is(to_do: &str, goes: &str, comes: &str) {
        assert_eq!(wanted(to_do), (goes.to_owned(), comes.to_owned()), "{to_do}");
    }

    #[test]
    fn the_verb_says_whether_words_go_or_come() {
        is("Delete “all of it”.", "all of it", "");
        is("Write “1.4 miles”, as the minutes say.", "", "1.4 miles");
        is("Add “Ms Okafor was excused.”", "", "ms okafor was excused");
        assert!(Wanted::of("Add “Ms Okafor was excused.”").adds && !Wanted::of("Say “in spring”.").adds);
        is("Please say 'in spring' instead.", "", "in spring");
        is("Remove “very” and “quite”; say “Ms Marchand”.", "very, quite", "ms marchand");
        is("Do not say “unanimous”.", "unanimous", "");
        is("Don’t delete “most of it”.", "", "");
    }

    #[test]
    fn one_thing_in_the_place_of_another() {
        is("Replace “Dennis” with “Denise”.", "dennis", "denise");
        is("Correct the sum to “1.2 million”.", "", "1.2 million");
        is("Replace “A” with “B” and replace “C” with “D”.", "a, c", "b, d");
        is("Replace “May” in “begins in May” with “June”.", "may", "june");
        is("Write “four to two” instead of “unanimously”.", "unanimously", "four to two");
        is("Use “told”, not “claimed”.", "claimed", "told");
        is(
            "Put “councilor” in place of “alderman”, and “says” rather than “said”.",
            "alderman, said",
            "councilor, says",
        );
    }

    #[test]
    fn a_place_an_example_and_a_choice_want_no_words() {
        is("Name the mayor after “the council voted”.", "", "");
        is("Say in the sentence with “in April” who decided.", "", "");
        is("Say that the month is open, for example “in spring”.", "", "");
        is("Say “about a fifth” or “some 20 percent”.", "", "");
        is("Remove “in April”, or name who said so.", "", "");
        is("Add “Ms” to “Okafor”.", "", "ms");
        is("Attribute “a great day” to the chair.", "", "");
        is("Make it livelier.", "", "");
        is("Delete “…”.", "", "");
        is("Write “the council voted … in spring”, said “[name]”.", "", "");
        is("Delete “the council ... in April”.", "", "");
    }
}
