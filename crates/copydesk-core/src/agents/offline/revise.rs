//! The reviser: does what a to-do of the form `Replace “A” with “B”.` or `Delete “A”.` says, and no more.
//!
//! Any other to-do needs judgement, so it comes back in `undone` with the reason.
//!
//! The two instructions of the offline agents: `Replace “A” with “B”.` and `Delete “A”.`; and `Write “B” instead of “A”.`, as the prompts
//! of the specialists have it.
//!
//! A specialist writes them, an editor may type them, and the reviser carries them out. A and B may contain quotation marks: the
//! outermost marks count.

use std::ops::Range;

use super::writer;
use copydesk_newsroom::{ArticleResponse, Draft, Finding, Source};
use copydesk_text::{
    in_marks,
    marks::quotations,
    overlap::Stems,
    pattern::TextPattern,
    sentences::sentences,
    words::{Word, words},
};

/// Carries out every to-do that is an instruction. If the words are in several fields, each field's first occurrence is changed.
pub fn revise(article: &ArticleResponse, to_dos: &[String], sources: &[Source]) -> Draft {
    let mut revised = article.clone();
    let mut undone = Vec::new();
    for to_do in to_dos {
        let ways = readings(to_do);
        if ways.is_empty() {
            undone.push(format!(
                "{} – not an instruction that the offline writer can carry out; edit by hand or use a model",
                in_marks(to_do.trim())
            ));
            continue;
        }
        // A to-do can be read in several ways; the right one is that whose words are in the draft.
        let done = ways.iter().find_map(|repair| carry_out(&revised, repair));
        if let Some(done) = done {
            revised = done;
        } else if !ways.iter().any(|repair| carry_out(article, repair).is_some()) {
            undone.push(format!("{} – these words do not stand in the draft", in_marks(to_do.trim())));
        }
        // If an earlier to-do removed the words, this one is done as well.
    }
    let filled = fill(article, &tidied(article, &revised), sources, &mut undone);
    Draft { article: filled, stripped: Vec::new(), undone }
}

/// A changed article without what the changes left behind: doubled spaces, empty paragraphs, headings without text.
pub(crate) fn tidied(before: &ArticleResponse, after: &ArticleResponse) -> ArticleResponse {
    after.map(|name, text| tidy(text, &untouched(text, before.field(name).unwrap_or_default())))
}

/// Whether a to-do is one that can be carried out.
pub fn is_instruction(to_do: &str) -> bool {
    !readings(to_do).is_empty()
}

/// Whether a to-do names words that stand in the article.
pub fn stands(article: &ArticleResponse, to_do: &str) -> bool {
    readings(to_do).iter().any(|repair| carry_out(article, repair).is_some())
}

/// The article with one repair made, if its words stand anywhere.
fn carry_out(article: &ArticleResponse, repair: &Repair) -> Option<ArticleResponse> {
    let Repair { old, new } = repair;
    if old.trim().is_empty() {
        return None;
    }
    let mut found = false;
    let changed = article.map(|_, text| {
        // Two concerns may ask for the same addition, and it is made once.
        if new.len() > old.len() && new.contains(old.as_str()) && text.contains(new.as_str()) {
            found = true;
            return text.to_owned();
        }
        let Some(range) = locate(text, old) else { return text.to_owned() };
        let (Some(head), Some(tail)) = (text.get(..range.start), text.get(range.end..)) else { return text.to_owned() };
        found = true;
        // If the beginning of a line is deleted, the line begins with the rest, without spaces before it.
        let begins = new.is_empty() && (head.is_empty() || head.ends_with('\n'));
        format!("{head}{new}{}", if begins { tail.trim_start_matches(' ') } else { tail })
    });
    found.then_some(changed)
}

/// The range of `old` in `text`, exactly or else with white space and typographic marks folded.
fn locate(text: &str, old: &str) -> Option<Range<usize>> {
    if let Some(start) = text.find(old) {
        return Some(start..start + old.len());
    }
    let (folded, places) = folded(text);
    let (wanted, _) = self::folded(old.trim());
    let at = folded.find(&wanted).filter(|_| !wanted.is_empty())?;
    let start = *places.get(at)?;
    let end = places.get(at + wanted.len()).copied().unwrap_or(text.len());
    // White space behind the last character belongs to the text, not to the words.
    let span = text.get(start..end)?;
    Some(start..start + span.trim_end().len())
}

/// Folds runs of white space to one space and typographic marks to plain ones; for each byte of the result, the place in the text.
fn folded(text: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    let mut spaced = false;
    for (at, c) in text.char_indices() {
        let plain = match c {
            c if c.is_whitespace() => ' ',
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '’' => '\'',
            '–' | '—' | '‑' | '‐' => '-',
            c => c,
        };
        if plain == ' ' && spaced {
            continue;
        }
        spaced = plain == ' ';
        out.push(plain);
        places.resize(out.len(), at);
    }
    (out, places)
}

/// The quotations of a text that were there before it was revised. The reviser must not change them.
fn untouched(text: &str, before: &str) -> Vec<Range<usize>> {
    let all = quotations(text).into_iter().map(|quotation| quotation.start..quotation.end);
    all.filter(|range| text.get(range.clone()).is_some_and(|said| before.contains(said))).collect()
}

/// Removes doubled spaces, spaces before a full stop, empty paragraphs, and headings without text. The texts in `kept` stay unchanged.
fn tidy(text: &str, kept: &[Range<usize>]) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut at = 0;
    for block in text.split("\n\n") {
        let mut lines: Vec<String> = Vec::new();
        for line in block.split('\n') {
            lines.push(tidy_line(line, at, kept));
            at += line.len() + 1;
        }
        // A blank line is two line breaks; the last line had one already.
        at += 1;
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            continue;
        }
        let heading = lines.len() == 1 && lines.first().is_some_and(|line| line.starts_with('#'));
        let orphan = paragraphs.last().is_some_and(|last| heading && is_heading(last));
        if orphan {
            paragraphs.pop();
        }
        paragraphs.push(lines.join("\n"));
    }
    if paragraphs.len() > 1 && paragraphs.last().is_some_and(|last| is_heading(last)) {
        paragraphs.pop();
    }
    paragraphs.join("\n\n")
}

fn is_heading(paragraph: &str) -> bool {
    paragraph.starts_with('#') && !paragraph.contains('\n')
}

/// A line that begins at byte `offset` of its text.
fn tidy_line(line: &str, offset: usize, kept: &[Range<usize>]) -> String {
    let keeps = |at: usize| {
        let next = kept.get(kept.partition_point(|range| range.end <= offset + at));
        next.is_some_and(|range| range.start <= offset + at)
    };
    let indent = line.len() - line.trim_start().len();
    let mut out: String = line.get(..indent).unwrap_or_default().to_owned();
    let (mut spaced, mut end) = (false, out.len());
    for (at, c) in line.char_indices().filter(|(at, _)| *at >= indent) {
        let own = keeps(at);
        if c == ' ' && !own {
            spaced = true;
            continue;
        }
        // "It was ... a fault": the space before an ellipsis is correct.
        let ellipsis = line.get(at..).is_some_and(|rest| rest.starts_with(".."));
        if spaced && (own || ellipsis || !matches!(c, '.' | ',' | ';' | '!' | '?')) {
            out.push(' ');
        }
        spaced = false;
        out.push(c);
        if own || !c.is_whitespace() {
            end = out.len();
        }
    }
    out.truncate(end);
    if out.chars().any(char::is_alphanumeric) || out.trim().chars().all(|c| matches!(c, '-' | '*' | '_')) {
        out
    } else {
        String::new()
    }
}

/// Fills a field that the to-dos have emptied with the best candidate from the sources.
fn fill(
    before: &ArticleResponse,
    after: &ArticleResponse,
    sources: &[Source],
    undone: &mut Vec<String>,
) -> ArticleResponse {
    let mut filled = after.clone();
    for (name, text) in before.fields() {
        let now = after.field(name).unwrap_or_default();
        if text.trim().is_empty() || !now.trim().is_empty() || name == "articleBody" {
            continue;
        }
        let new = writer::replacement(name, &filled, sources);
        if new.is_empty() {
            undone
                .push(format!("A new {name} – no sentence of the sources will serve; write it by hand or use a model"));
        }
        filled = filled.map(|field, text| if field == name { new.clone() } else { text.to_owned() });
    }
    filled
}

/// An instruction that can be carried out without judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repair {
    old: String,
    /// Empty if the old words are deleted.
    new: String,
}

/// The to-do for a replacement.
pub(super) fn replace(old: &str, new: &str) -> String {
    format!("Replace “{old}” with “{new}”.")
}

/// Every way to read a to-do, the likeliest first; none if it is not such an instruction. There are several ways if the words themselves
/// contain `” with “`.
pub(super) fn readings(to_do: &str) -> Vec<Repair> {
    let inner = |verb: &str| quoted_after(to_do, verb);
    if let Some(old) = inner("Delete") {
        return vec![Repair { old: old.to_owned(), new: String::new() }];
    }
    let between = |both: &str, words: &str| -> Vec<(String, String)> {
        let hinges = [('”', '“'), ('"', '"'), ('”', '"'), ('"', '“'), ('’', '‘'), ('\'', '\'')]
            .map(|(ends, begins)| format!("{ends} {words} {begins}"));
        let at = hinges.iter().flat_map(|hinge| both.match_indices(hinge.as_str()));
        let halves = |(at, hinge): (usize, &str)| Some((both.get(..at)?, both.get(at + hinge.len()..)?));
        at.filter_map(halves).map(|(first, second)| (first.to_owned(), second.to_owned())).collect()
    };
    if let Some(both) = inner("Replace") {
        return between(both, "with").into_iter().map(|(old, new)| Repair { old, new }).collect();
    }
    let Some(both) = inner("Write") else { return Vec::new() };
    between(both, "instead of").into_iter().map(|(new, old)| Repair { old, new }).collect()
}

/// The words between the outermost quotation marks behind a verb, if a to-do is nothing else.
fn quoted_after<'t>(to_do: &'t str, verb: &str) -> Option<&'t str> {
    let text = to_do.trim();
    let text = text.strip_suffix('.').unwrap_or(text).trim_end();
    let head = text.get(..verb.len()).filter(|head| head.eq_ignore_ascii_case(verb))?;
    let rest = text.get(head.len()..)?.trim_start();
    let rest = rest.strip_prefix(['“', '"', '‘', '\''])?;
    rest.strip_suffix(['”', '"', '’', '\''])
}

/// Whether a to-do asks for words that stand in the draft already, as small models do: `Write “A” instead of “A”.`, `Write “A”.`, or `A`.
pub(crate) fn changes_nothing(article: &ArticleResponse, to_do: &str) -> bool {
    let bare = |words: &str| words.trim().trim_end_matches(['.', ',']).to_owned();
    let ways = readings(to_do);
    if !ways.is_empty() {
        return ways.iter().all(|way| bare(&way.old) == bare(&way.new));
    }
    let written = bare(quoted_after(to_do, "Write").unwrap_or(to_do));
    let stands = || article.fields().into_iter().any(|(_, text)| text.contains(&written));
    written.split_whitespace().count() >= FEWEST_WRITTEN && stands()
}

/// Whether a to-do replaces or deletes words that the draft does not have, not even most of them. A small model copies those of an
/// example, or of the source.
pub(crate) fn names_other_words(article: &ArticleResponse, to_do: &str) -> bool {
    let ways = readings(to_do);
    let has = ArticleResponse::fields(article).map(|(_, text)| text).join("\n");
    let lacks = |way: &Repair| {
        let all = Stems::of(&way.old).count();
        Stems::of(&has).missing_of(&way.old).len() * 3 > all
    };
    !ways.is_empty() && !stands(article, to_do) && ways.iter().all(lacks)
}

/// The texts that a to-do puts in place of others, each with the text that it replaces. There are several if it can be read in several ways.
pub(crate) fn replacements(to_do: &str) -> impl Iterator<Item = (String, String)> {
    readings(to_do).into_iter().map(|way| (way.old, way.new))
}

/// A text that speaks of itself or of its source. “The source of the leak” and “the draft budget” do not.
static SPEAKS: TextPattern = TextPattern::new(
    r"(?i)\b(?:th(?:e|is) article|source_text|the (?:draft|source|passage) (?:text|says|states|does|doesn|gives|mentions|provides|contains|concludes|discusses|breaks|hedges|covers))\b",
);

/// Whether a text speaks of the article or its source instead of telling the story.
pub(crate) fn speaks_of_itself(text: &str) -> bool {
    SPEAKS.is_match(text)
}

/// Whether a to-do asks for such a text: `Write “The article states …” instead of …`.
pub(crate) fn speaks_of_the_text(to_do: &str) -> bool {
    let ways = readings(to_do);
    let alone = ways.is_empty().then(|| quoted_after(to_do, "Write")).flatten();
    alone.is_some_and(speaks_of_itself)
        || ways.iter().any(|way| speaks_of_itself(&way.new) && !speaks_of_itself(&way.old))
}

/// Fewer words than this may stand in the draft for something else.
const FEWEST_WRITTEN: usize = 4;

/// Most words that are added around a finding's words.
const WIDEST: usize = 24;

/// A finding's words and their replacement, both widened until the old words occur only once in the article. Words of the sentence are
/// added on the right and the left in turn, up to the whole sentence or [`WIDEST`] words.
pub(super) fn in_one_place(finding: &Finding, new: &str, article: &ArticleResponse) -> (String, String) {
    let fields = article.fields();
    let as_found = || (finding.text.clone(), new.to_owned());
    let Some((_, text)) = fields.into_iter().find(|(name, _)| *name == finding.field) else { return as_found() };
    let span = finding.start..finding.end;
    let sentence = sentences(text).into_iter().find(|range| range.start < span.end && span.start < range.end);
    let sentence = sentence.map_or(span.clone(), |range| range.start.min(span.start)..range.end.max(span.end));
    let all = words(text);
    let once = |old: &str| fields.iter().map(|(_, text)| text.matches(old).count()).sum::<usize>() <= 1;
    let mut wide = span.clone();
    for step in 0.. {
        let (Some(old), Some(head), Some(tail)) =
            (text.get(wide.clone()), text.get(wide.start..span.start), text.get(span.end..wide.end))
        else {
            return as_found();
        };
        if step == WIDEST || wide == sentence || once(old) {
            return (old.to_owned(), format!("{head}{new}{tail}"));
        }
        wide = wider(&wide, &sentence, step % 2 == 0, &all);
    }
    as_found()
}

/// A stretch with one more word of its sentence; at one end of the sentence the word comes from the other end.
fn wider(stretch: &Range<usize>, sentence: &Range<usize>, right: bool, words: &[Word<'_>]) -> Range<usize> {
    if right && stretch.end < sentence.end || stretch.start <= sentence.start {
        let next = words.iter().find(|word| word.end > stretch.end).map_or(sentence.end, |word| word.end);
        stretch.start..next.min(sentence.end)
    } else {
        let next = words.iter().rev().find(|word| word.start < stretch.start).map_or(sentence.start, |word| word.start);
        next.max(sentence.start)..stretch.end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn article(headline: &str, body: &str) -> ArticleResponse {
        ArticleResponse {
            headline: headline.to_owned(),
            alternativeHeadline: String::new(),
            articleBody: body.to_owned(),
            description: String::new(),
        }
    }

    #[test]
    fn a_fix_of_words_that_stand_there_changes_nothing() {
        let article = article("A kerb", "The kerb radius is six metres. It was twelve.");
        for (to_do, nothing) in [
            ("Write “The kerb radius is six metres.” instead of “The kerb radius is six metres”.", true),
            ("Write \"The radius is 6 m\" instead of \"The radius is 6 m.\".", true),
            ("Write “The kerb radius is six metres.”", true),
            ("Write ‘The kerb radius is six metres’.", true),
            ("Write 'six' instead of 'six'.", true),
            ("The kerb radius is six metres.", true),
            ("Write “The kerb radius is now six metres.”", false),
            ("Write “It was twelve”.", false),
            ("Replace “The kerb” with “the kerb”.", false),
            ("Delete “It was twelve.”.", false),
            ("Say that the kerb radius is six metres.", false),
        ] {
            assert_eq!(changes_nothing(&article, to_do), nothing, "{to_do}");
        }
    }

    #[test]
    fn a_fix_of_words_that_the_draft_does_not_have_is_told_from_one_that_quotes_it_loosely() {
        let article = article("A kerb", "The kerb radius at Foundry Road is six metres. It was twelve.");
        for (to_do, other) in [
            ("Write “1.4 miles” instead of “1.8 miles”.", true),
            ("Replace “nine metres” with “six metres”.", true),
            ("Delete “a triumph for the mayor”.", true),
            ("Write “[new words]” instead of “[words of the article]”.", true),
            ("Write “six feet” instead of “six metres”.", false),
            ("Write “six feet” instead of “a kerb radius at the Foundry Road of six metres”.", false),
            ("Say who measured it.", false),
        ] {
            assert_eq!(names_other_words(&article, to_do), other, "{to_do}");
        }
        for (to_do, speaks) in [
            (
                "Write 'The article states that the kerb is six metres.' instead of 'The kerb radius is six metres'.",
                true,
            ),
            ("Write “The draft does not say who measured it.”", true),
            ("Write “The radius is six metres.” instead of “The radius is twelve metres”.", false),
            ("Write “The source of the leak was a pump.” instead of “The leak began at a pump.”.", false),
            ("Write “The draft budget was approved.” instead of “The budget was approved.”.", false),
            ("Say what the source says.", false),
            ("Delete “The article continues.”.", false),
        ] {
            assert_eq!(speaks_of_the_text(to_do), speaks, "{to_do}");
        }
    }

    fn revised(headline: &str, body: &str, to_dos: &[&str]) -> (String, String, Vec<String>) {
        let sources = [Source {
            name: "s".to_owned(),
            text: "The council approved the new playground at Miller Park on Tuesday.".to_owned(),
        }];
        let to_dos: Vec<String> = to_dos.iter().map(|text| (*text).to_owned()).collect();
        let draft = revise(&article(headline, body), &to_dos, &sources);
        (draft.article.headline, draft.article.articleBody, draft.undone)
    }

    #[test]
    fn instructions_are_carried_out_to_the_letter() {
        let (_, body, undone) = revised(
            "",
            "It costs 1.8 million. It is red. “No,” he said.\n\nGone.",
            &[
                "Replace “1.8 million” with “1.4 million”.",
                "Delete “It is red.”.",
                "Replace ““No,” he said.” with “\"Yes,\" she said.”.",
                "Delete “Gone.”.",
            ],
        );
        assert_eq!((body.as_str(), undone), ("It costs 1.4 million. \"Yes,\" she said.", vec![]));
    }

    #[test]
    fn an_addition_that_two_to_dos_ask_for_is_made_once() {
        let to_do = "Write “It is red. It is new.” instead of “It is red.”.";
        let (_, body, undone) = revised("", "It is red.", &[to_do, to_do]);
        assert_eq!((body.as_str(), undone), ("It is red. It is new.", vec![]));
    }

    #[test]
    fn typography_does_not_hide_the_words() {
        let (_, body, undone) =
            revised("", "He said\nit’s “fine” –  so.", &["Replace “it's \"fine\" - so” with “it is”."]);
        assert_eq!((body.as_str(), undone), ("He said\nit is.", vec![]));
    }

    #[test]
    fn what_stands_between_marks_is_never_tidied() {
        let said = "It is red. “That was ... a  fault ,” he said . The gate is ... shut  , too.\n\n“One \n two .\n\n“Three  .”  ";
        let (_, body, _) = revised("", said, &["Delete “It is red.”."]);
        let tidied = "“That was ... a  fault ,” he said. The gate is ... shut, too.\n\n“One \n two .\n\n“Three  .”";
        assert_eq!(body, tidied);
        // A quotation that a to-do has changed is tidied at the cut.
        let (_, body, _) = revised("", "“I am tired. It is red. Good ... night,” he said.", &["Delete “It is red.”."]);
        assert_eq!(body, "“I am tired. Good ... night,” he said.");
    }

    #[test]
    fn what_asks_for_judgement_comes_back() {
        let (_, body, undone) = revised("", "Text.", &["Make it livelier", "Delete “Other.”."]);
        assert_eq!(body, "Text.");
        assert_eq!(
            undone,
            [
                "“Make it livelier” – not an instruction that the offline writer can carry out; edit by hand or use a model",
                "“Delete ‘Other.’.” – these words do not stand in the draft"
            ]
        );
    }

    #[test]
    fn an_emptied_headline_is_filled_from_the_source() {
        let (headline, ..) = revised("Aliens land", "Text.", &["Delete “Aliens land”."]);
        assert_eq!(headline, "The council approved the new playground at Miller Park on Tuesday");
    }

    proptest! {
        #[test]
        fn any_to_do_on_any_draft(body in "\\PC*|[a-c“”\" \n]*", old in "\\PC*|[a-c“” ]*", new in "\\PC*") {
            let to_dos = [format!("Replace “{old}” with “{new}”."), format!("Delete “{old}”"), old];
            let _ = revise(&article("h", &body), &to_dos, &[]);
        }
    }
}

#[cfg(test)]
mod repairs_tests {
    use super::{super::given::article, *};
    use copydesk_newsroom::ConcernType;

    #[test]
    fn what_is_written_is_read_back() {
        let (old, new) = ("he said: “No.”", "“Yes,” she said");
        assert_eq!(readings(&replace(old, new)), [Repair { old: old.to_owned(), new: new.to_owned() }]);
        assert_eq!(readings(&format!("Delete “{old}”.")), [Repair { old: old.to_owned(), new: String::new() }]);
        assert_eq!(readings("Make it livelier"), []);
        assert_eq!(readings("replace \"a\" with \"b\""), [Repair { old: "a".to_owned(), new: "b".to_owned() }]);
    }

    /// Returns the words of a repair that replaces the last `old` in `body` by `new`.
    fn replaced(body: &str, old: &str, new: &str) -> (String, String) {
        let start = body.rfind(old).unwrap();
        let finding = Finding {
            concern_type: ConcernType::InferredFact,
            rule: "number.contradicted".to_owned(),
            field: "articleBody".to_owned(),
            start,
            end: start + old.len(),
            text: old.to_owned(),
            note: String::new(),
            passage: None,
            blocks: false,
            replacement: Some(new.to_owned()),
        };
        in_one_place(&finding, new, &article(body))
    }

    #[test]
    fn a_repair_means_one_place() {
        let of = |body: &str| replaced(body, "5", "7");
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(of("We saw 5 birds."), pair("5", "7"));
        assert_eq!(of("They have 5 dogs. We saw 5 birds."), pair("5 birds", "7 birds"));
        assert_eq!(of("They saw 5 birds. We saw 5 birds."), pair("We saw 5 birds.", "We saw 7 birds."));
        assert_eq!(of("They saw 5.\n\nWe saw 5."), pair("We saw 5.", "We saw 7."));
        assert_eq!(of("We saw 5. We saw 5."), pair("We saw 5.", "We saw 7."), "there is no telling the two apart");
        let long = "very ".repeat(60);
        let (old, _) = of(&format!("A {long}5 {long}B. A {long}5 {long}B."));
        assert_eq!(old.split_whitespace().count(), WIDEST + 1);
    }
}
