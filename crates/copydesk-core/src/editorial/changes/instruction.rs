//! A to-do as an instruction: the words that it quotes, the fields that it names, the places in the old draft that it points at.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::{
    asked::AskedFor,
    passage::{content, figures, folded, quotations},
};
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

/// A matter that a to-do can speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToDoSubject {
    /// A deletion.
    Removal,
    /// Figures, dates.
    Figures,
    /// Spoken words, quoted word for word.
    Quotations,
    /// The position of a text in the draft.
    Order,
}

/// The words that show what a to-do speaks of.
const SUBJECTS: [(ToDoSubject, &str); 4] = [
    (ToDoSubject::Removal, "delete remove cut drop strike omit shorten trim leave take"),
    (
        ToDoSubject::Figures,
        "figure number amount sum total percent percentage date year time count rate price cost age",
    ),
    (ToDoSubject::Quotations, "quote quotation quoted quoting verbatim wording exact words word paraphrase"),
    (ToDoSubject::Order, "move reorder order rearrange swap top earlier later up down"),
];

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
    /// The matters that it speaks of.
    pub subjects: Vec<ToDoSubject>,
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
        let speaks_of = |list: &str| {
            let list: Vec<&str> = list.split_ascii_whitespace().collect();
            spoken.iter().any(|word| list.contains(&word.as_str()) || list.contains(&word.trim_end_matches('s')))
        };
        let exact: Vec<&str> = EXACT.split_ascii_whitespace().collect();
        let is_exact =
            !quoted.is_empty() && speaks_of(VERBS) && spoken.iter().all(|word| exact.contains(&word.as_str()));
        let excerpts = asked.excerpt.as_deref().map(|excerpt| excerpts(excerpt, draft)).unwrap_or_default();
        let sentences: Vec<FieldRange> = excerpts.iter().map(|place| draft.sentences(place)).collect();
        let wording: Vec<&str> = WORDING.split_ascii_whitespace().collect();
        let gives_anew = is_exact && quoted.len() == 1 && spoken.iter().all(|word| wording.contains(&word.as_str()));
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
            subjects: SUBJECTS.iter().filter(|(_, list)| speaks_of(list)).map(|(subject, _)| *subject).collect(),
            removes: asked.removes,
            spots: if near.is_empty() { everywhere } else { near },
            quoted,
            excerpts,
            sentences,
        }
    }

    pub fn speaks_of(&self, subject: ToDoSubject) -> bool {
        self.subjects.contains(&subject)
    }

    /// Whether a word sequence stands within a quotation. An empty sequence always does.
    pub fn quotes(&self, words: &[String]) -> bool {
        words.is_empty() || self.quoted.iter().any(|quoted| quoted.windows(words.len()).any(|window| window == words))
    }
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
