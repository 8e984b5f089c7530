//! Fixes: what the proof offers to write instead of what it found. Each is tried before it is offered, and one error is one finding.
//!
//! A fix is tried on the draft: what depends on the change is mended, and the sentence is proved again against the same sources. A fix
//! that raises anything new is dropped, and the finding stays without one. Nothing here deletes words.

use std::{cmp::Reverse, iter, ops::Range};

use crate::{
    ledger::{Fault, LedgerWriter},
    reading::{Figure, FigureKind, Name, ParsedText, near},
    rule::Gravity,
    sources::{DraftField, ProofTexts, in_words},
    words::{WordList, is_title, lexicon::entry, words},
};
use copydesk_newsroom::{Finding, SpanKind};
use copydesk_text::tagger::Tag;

/// Asks the rules about a draft.
pub type AskRules = fn(&mut LedgerWriter<'_, '_>);

/// At most so many fixes of a draft are tried. Further findings have none.
const TRIED: usize = 64;

/// A sentence that replaces another may lose so many of its words.
const LOST: usize = 2;

/// Newsrooms write smaller numbers in words, where the draft does.
const SPELLED: f64 = 10.0;

/// Verbs for one and for several.
const VERBS: [(&str, &str); 4] = [("is", "are"), ("was", "were"), ("has", "have"), ("does", "do")];

/// Ends of nouns for one and for several, that no rule makes.
const NOUNS: [(&str, &str); 9] = [
    ("human", "humans"),
    ("man", "men"),
    ("person", "people"),
    ("child", "children"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("mouse", "mice"),
    ("life", "lives"),
    ("wife", "wives"),
];

/// Words that speak of several things, or of one: with them, a figure cannot change from one to the other.
static SEVERAL: WordList = words("they their theirs them themselves both all each these those other few many");
static SINGLE: WordList = words("it its itself this that another each every");

/// Words that show who a speaker is.
static GENDERED: WordList = words("he she him her his hers himself herself");

/// Slips of the pen that a fix must not add.
const SLIPS: [&str; 11] = ["  ", " ,", " .", " ;", ",,", ",.", "..", "( ", " )", "$$", "%%"];

/// Other words for some bytes of a field.
struct Edit {
    span: Range<usize>,
    words: String,
}

/// Tries the fixes of all findings, and keeps one finding for each error.
pub fn settle(ledger: &mut LedgerWriter<'_, '_>, ask: AskRules) {
    let mut tried = 0;
    let edits: Vec<Option<Edit>> = (0..ledger.found.len())
        .map(|at| {
            tried += usize::from(ledger.found.get(at)?.replacement.is_some());
            (tried <= TRIED).then(|| tried_fix(ledger, at, ask)).flatten()
        })
        .collect();
    for (fault, edit) in ledger.found.iter_mut().zip(edits) {
        fault.replacement = None;
        if let Some(Edit { span, words }) = edit {
            (fault.start, fault.end, fault.replacement) = (span.start, span.end, Some(words));
        }
    }
    one_for_each_error(ledger);
}

/// The fix of a finding, if the draft's sentence is right and reads well with it.
fn tried_fix(ledger: &LedgerWriter<'_, '_>, at: usize, ask: AskRules) -> Option<Edit> {
    let fault = ledger.found.get(at)?;
    let field = ledger.texts.fields.get(fault.field)?;
    let reading = &field.reading;
    let edit = Edit { span: fault.start..fault.end, words: fault.replacement.clone()? };
    let edit = mended(reading, Some(edit).filter(|edit| keeps_the_rest(field, fault.kind, edit))?)?;
    let others = ledger.found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
    // A quotation is proved as a whole, at its beginning.
    let mut within = sentences(reading, &edit.span);
    for quoted in reading.quotations.iter().filter(|q| q.start < edit.span.end && edit.span.start < q.end) {
        within = within.start.min(quoted.start)..within.end.max(quoted.end);
    }
    holds(ledger, field, (&edit, within), &others.collect::<Vec<_>>(), ask).then_some(edit)
}

/// Whether the changed draft raises nothing in these bytes that `others` do not say of the draft as it is.
fn holds(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    (edit, within): (&Edit, Range<usize>),
    others: &[&Fault],
    ask: AskRules,
) -> bool {
    let (text, span) = (field.reading.text, &edit.span);
    let (Some(head), Some(tail)) = (text.get(..span.start), text.get(span.end..)) else { return false };
    let article = ledger.texts.article_with(field.at, format!("{head}{}{tail}", edit.words));
    let moved = |at: usize| at + edit.words.len() - span.len();
    let within = within.start..moved(within.end);
    let mut texts = ledger.texts.reread(&article);
    texts.keep_to(field.at, within.clone());
    let mut again = LedgerWriter::new(&texts, false, ledger.least);
    ask(&mut again);
    let known = |new: &Fault, old: &Fault| {
        let place = if old.end <= span.start {
            old.start..old.end
        } else if old.start >= span.end {
            moved(old.start)..moved(old.end)
        } else if old.start <= span.start && span.end <= old.end {
            old.start..moved(old.end)
        } else {
            return false;
        };
        old.field == new.field && old.rule == new.rule && place == (new.start..new.end)
    };
    let raised = |new: &&Fault| new.field == field.at && new.start < within.end && within.start < new.end;
    again.found.iter().filter(raised).all(|new| others.iter().any(|old| known(new, old)))
}

/// The bytes of the sentences that some bytes touch.
fn sentences(reading: &ParsedText<'_>, span: &Range<usize>) -> Range<usize> {
    let line = |at: usize| reading.lines.get(reading.line_at(at));
    let first = line(span.start).map_or(span.start, |line| line.start.min(span.start));
    first..line(span.end.saturating_sub(1)).map_or(span.end, |line| line.end.max(span.end))
}

/// Whether the new words have whatever else the old ones say: no sentence, figure or name goes with the error.
fn keeps_the_rest(field: &DraftField<'_>, kind: SpanKind, edit: &Edit) -> bool {
    let (old, span, new) = (&field.reading, &edit.span, ParsedText::new(&edit.words));
    let (words, figures) = (old.between(span.start, span.end), old.figures_between(span.start, span.end));
    let lines = old.lines.iter().filter(|line| span.contains(&line.start)).count();
    let lost = words.iter().filter(|token| !token.stop && new.tokens.iter().all(|other| other.stem != token.stem));
    let told = |word: &String| new.tokens.iter().any(|token| *token.word == **word);
    let mut names = field.names.iter().filter(|name| span.contains(&name.start));
    new.lines.len() >= lines
        && match kind {
            SpanKind::Number | SpanKind::Date | SpanKind::Name => new.figures.len() >= figures.len(),
            SpanKind::Quotation => lost.count() * 2 <= words.len(),
            _ => {
                let same = |figure| new.figures.iter().any(|other| other.same(figure));
                figures.iter().all(same) && names.all(|name| name.words.iter().all(told)) && lost.count() <= LOST
            }
        }
}

/// The edit with what depends on it: noun and verb, article, capital. None if the sentence would not read.
fn mended(reading: &ParsedText<'_>, edit: Edit) -> Option<Edit> {
    let mut edit = article(reading, number(reading, edit)?);
    let (old, whole) = (reading.slice(edit.span.clone()), sentences(reading, &edit.span));
    let (head, tail) = (reading.slice(whole.start..edit.span.start), reading.slice(edit.span.end..whole.end));
    let first = edit.words.chars().next()?;
    if !head.contains(char::is_alphanumeric) && old.starts_with(char::is_uppercase) {
        edit.words = first.to_uppercase().chain(edit.words.chars().skip(1)).collect();
    }
    let numeral = first.is_numeric() && !head.contains(char::is_alphanumeric) && old.starts_with(char::is_alphabetic);
    let joined = head.ends_with(char::is_alphanumeric) && first.is_alphanumeric()
        || tail.starts_with(char::is_alphanumeric) && edit.words.ends_with(char::is_alphanumeric);
    let slips = |text: &str| SLIPS.iter().map(|slip| text.matches(slip).count()).sum::<usize>();
    let reads = slips(&format!("{head}{}{tail}", edit.words)) <= slips(reading.slice(whole));
    (reads && !numeral && !joined && edit.words != old).then_some(edit)
}

/// The edit with the noun and the verb that a figure asks for: `Seven engines were` becomes `One engine was`.
fn number(reading: &ParsedText<'_>, mut edit: Edit) -> Option<Edit> {
    let (old, new) = (reading.figures_between(edit.span.start, edit.span.end), ParsedText::new(&edit.words));
    let one = |figure: &Figure| figure.kind == FigureKind::Count && near(figure.value, 1.0);
    let [figure] = old else {
        let as_many = old.len() != new.figures.len() || old.iter().map(one).eq(new.figures.iter().map(one));
        return as_many.then_some(edit);
    };
    // Other words than the figure are the source's own.
    if (figure.start..figure.end) != edit.span {
        return Some(edit);
    }
    let value = match new.figures.as_slice() {
        [theirs] if theirs.kind == FigureKind::Count => theirs.value,
        [] if edit.words.eq_ignore_ascii_case("one") => 1.0,
        _ => return Some(edit),
    };
    if figure.spelled && value < SPELLED && edit.words.starts_with(|c: char| c.is_ascii_digit()) {
        edit.words = in_words(value)?;
    }
    let (was_one, is_one) = (near(figure.value, 1.0), near(value, 1.0));
    let compound = reading.text.get(edit.span.end..)?.starts_with(['-', '‑']);
    if figure.kind != FigureKind::Count || was_one == is_one || compound {
        return Some(edit);
    }
    let own = reading.lines.get(reading.line_of(&figure.tokens))?;
    let grammar = reading.grammar(reading.line_of(&figure.tokens));
    let token = |at: usize| reading.tokens.get(at).filter(|_| own.tokens.contains(&at));
    // A word behind which, but for white space, the one before it ends.
    let beside = |at: usize| {
        let (before, token) = (token(at.checked_sub(1)?)?, token(at)?);
        reading.slice(before.end..token.start).trim().is_empty().then_some(token)
    };
    let mut behind = figure.tokens.end;
    while matches!(grammar.tag(behind), Tag::Adjective | Tag::Participle) && beside(behind).is_some() {
        behind += 1;
    }
    let adjectives = behind > figure.tokens.end;
    let mut noun = None;
    while grammar.tag(behind).is_noun() && beside(behind).is_some() {
        (noun, behind) = (token(behind), behind + 1);
    }
    let before = figure.tokens.start.checked_sub(1);
    let hangs = if was_one { &SINGLE } else { &SEVERAL };
    let mut around = before.into_iter().chain(behind..own.tokens.end).filter_map(token);
    if around.any(|token| !token.quoted() && hangs.contains(&token.word)) {
        return None;
    }
    let Some(noun) = noun.filter(|noun| !noun.capital) else {
        let free = beside(behind).is_none_or(|token| token.word != "of" && grammar.tag(behind) == Tag::Preposition);
        return (free && !adjectives && noun.is_none()).then_some(edit);
    };
    let agreeing = |at: usize| {
        let word = token(at)?;
        let turned = |(one, many): &(&'static str, &'static str)| if was_one { (*one, *many) } else { (*many, *one) };
        let (_, new) = VERBS.iter().map(turned).find(|(old, _)| word.word == *old)?;
        Some((word.start..word.end, new.to_owned()))
    };
    // "There were seven engines", "seven engines were", "engines from Dunmore were" at the start, "engines that were".
    let there = before.filter(|at| at.checked_sub(1).and_then(token).is_some_and(|token| token.word == "there"));
    let verb = (behind..own.tokens.end).find(|at| agreeing(*at).is_some());
    let close = |at: usize| {
        let far = match grammar.tag(behind) {
            Tag::Preposition if figure.tokens.start == own.tokens.start => 4,
            Tag::Relative | Tag::Determiner | Tag::Adverb => 1,
            _ => 0,
        };
        at <= behind + far && (behind..=at).all(|at| beside(at).is_some())
    };
    let joins = beside(behind).is_some_and(|token| token.word == "and");
    let another = matches!(grammar.tag(behind), Tag::Present | Tag::Verb) && verb != Some(behind);
    if another || verb.is_some_and(|at| !joins && !close(at)) {
        return None;
    }
    let form = if is_one { singular(&noun.word) } else { plural(&noun.word) }?;
    let mut changes: Vec<_> = there.and_then(agreeing).into_iter().collect();
    changes.extend([(edit.span, edit.words), (noun.start..noun.end, form)]);
    changes.extend(verb.filter(|at| close(*at)).and_then(agreeing));
    let span = changes.first()?.0.start..changes.last()?.0.end;
    let (mut words, mut at) = (String::new(), span.start);
    for (range, new) in changes {
        words = words + reading.slice(at..range.start) + &new;
        at = range.end;
    }
    Some(Edit { span, words })
}

/// The plural of a noun that the dictionary knows.
fn plural(one: &str) -> Option<String> {
    if let Some((head, many)) = NOUNS.iter().find_map(|(end, many)| Some((one.strip_suffix(end)?, many))) {
        return Some(format!("{head}{many}"));
    }
    let known = entry(one).is_some() && !one.ends_with(['f', 'o']);
    let (consonant, sibilant) = (["ay", "ey", "oy", "uy"], ["s", "x", "ch", "sh"]);
    match one.strip_suffix('y').filter(|_| !consonant.iter().any(|end| one.ends_with(end))) {
        Some(head) => known.then(|| format!("{head}ies")),
        None if sibilant.iter().any(|end| one.ends_with(end)) => known.then(|| format!("{one}es")),
        None => known.then(|| format!("{one}s")),
    }
}

/// The noun that has this plural.
fn singular(many: &str) -> Option<String> {
    let irregular = NOUNS.iter().map(|(one, end)| (*end, *one));
    let ends = irregular.chain([("s", ""), ("es", ""), ("ies", "y")]);
    ends.filter_map(|(end, one)| Some(format!("{}{one}", many.strip_suffix(end)?)))
        .find(|one| plural(one).as_deref() == Some(many))
}

/// The edit with the article that its first word asks for: `a 6-year` becomes `an 8-year`.
fn article(reading: &ParsedText<'_>, edit: Edit) -> Edit {
    let before = reading.tokens.partition_point(|token| token.start < edit.span.start).checked_sub(1);
    let Some(token) = before.and_then(|at| reading.tokens.get(at)) else { return edit };
    let gap = reading.slice(token.end..edit.span.start);
    let right = if begins_with_vowel(&edit.words) { "an" } else { "a" };
    if !matches!(token.word.as_str(), "a" | "an") || !gap.trim().is_empty() || token.word == right {
        return edit;
    }
    let right = if token.capital { right.replacen('a', "A", 1) } else { right.to_owned() };
    Edit { words: format!("{right}{gap}{}", edit.words), span: token.start..edit.span.end }
}

/// Whether words sound as if they begin with a vowel: `8`, `11,000`, `hour`, `MP`; not `1,100`, `one`, `union`.
fn begins_with_vowel(words: &str) -> bool {
    let word = words.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    let (low, begins) =
        (word.to_lowercase(), |heads: &[&str]| heads.iter().any(|head| word.to_lowercase().starts_with(head)));
    if low.starts_with(|c: char| c.is_ascii_digit()) {
        return begins(&["8"]) || word.len() % 3 == 2 && begins(&["11", "18"]);
    }
    if word.len() < 4 && word.chars().all(char::is_uppercase) {
        return word.starts_with(|c| "AEFHILMNORSX".contains(c));
    }
    let glides = begins(&["eu", "uni", "use", "usu", "uti", "one", "once"]);
    begins(&["hour", "honest", "honor", "honour", "heir"]) || !glides && low.starts_with(['a', 'e', 'i', 'o', 'u'])
}

/// Keeps one finding if several are about the same words: the gravest, then one with a fix, then one with a passage.
fn one_for_each_error(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    let places = |fault: &Fault| iter::once(fault.start..fault.end).chain(fault.also.clone());
    let same = |one: &Fault, other: &Fault| {
        let Some(field) = texts.fields.get(one.field).filter(|_| one.field == other.field) else { return false };
        let (reading, line) = (&field.reading, |at: usize| field.reading.line_at(at));
        let holds = |outer: &Range<usize>, inner: &Range<usize>| {
            let inside = outer.start <= inner.start && inner.end <= outer.end;
            inside && (outer == inner || line(outer.start) == line(outer.end.saturating_sub(1)))
        };
        // Both numbers of a tally are one statement.
        let between = reading.slice(one.end.min(other.end)..one.start.max(other.start)).trim();
        let tally = |fault: &Fault| reading.figures_between(fault.start, fault.end).iter().any(|f| f.partner.is_some());
        matches!(between, "-" | "–" | "to") && tally(one) && tally(other)
            || places(one).any(|one| places(other).any(|other| holds(&one, &other) || holds(&other, &one)))
    };
    let mut kept: Vec<Fault> = Vec::new();
    let mut all: Vec<(usize, Fault)> = std::mem::take(&mut ledger.found).into_iter().enumerate().collect();
    all.sort_by_key(|(_, fault)| {
        // A finding about a vote says more than one about its figures.
        let voted = fault.rule.name.starts_with("vote.");
        Reverse((fault.rule.gravity, fault.replacement.is_some(), fault.passage.is_some(), voted))
    });
    for (_, fault) in all {
        if kept.iter().any(|other| same(&fault, other)) {
            ledger.doubted.push((fault.field, fault.start..fault.end));
        } else {
            kept.push(fault);
        }
    }
    ledger.found = kept;
}

/// The finding at the name of a wrong speaker. The right name is its fix only if the paragraph is right and reads well with it.
pub fn tried_speaker(texts: &mut ProofTexts<'_>, mut finding: Finding, least: Gravity, ask: AskRules) -> Finding {
    let Some(at) = texts.fields.iter().position(|field| field.name == finding.field) else { return finding };
    let edit = texts.fields.get(at).and_then(|field| other_name(field, &finding));
    finding.replacement = None;
    let (Some(edit), Some(reading)) = (edit, texts.fields.get(at).map(|field| &field.reading)) else { return finding };
    // The name may give further words of the paragraph to its bearer.
    let lines = reading.lines.get(reading.paragraph(reading.line_at(finding.start))).unwrap_or_default();
    let within = lines.first().map_or(0, |line| line.start)..lines.last().map_or(0, |line| line.end);
    texts.keep_to(at, within.clone());
    let mut ledger = LedgerWriter::new(texts, false, least);
    ask(&mut ledger);
    let others: Vec<&Fault> = ledger.found.iter().filter(|fault| fault.rule.name != finding.rule).collect();
    if let Some(field) = texts.fields.get(at).filter(|field| holds(&ledger, field, (&edit, within), &others, ask)) {
        (finding.start, finding.end) = (edit.span.start, edit.span.end);
        field.reading.slice(edit.span).clone_into(&mut finding.text);
        finding.replacement = Some(edit.words);
    }
    finding
}

/// The right speaker's name in place of the wrong one's, with its title. None if other words describe the wrong speaker.
fn other_name(field: &DraftField<'_>, finding: &Finding) -> Option<Edit> {
    let (reading, words) = (&field.reading, finding.replacement.clone()?);
    let at = field.names.iter().position(|name| name.start == finding.start)?;
    let (name, line) = (field.names.get(at)?, reading.line_at(finding.start));
    let (own, grammar) = (reading.lines.get(line)?, reading.grammar(line));
    // The word before, if nothing but white space or the full stop of "Dr." parts them.
    let before = |at: usize| {
        let (before, token) = (reading.tokens.get(at.checked_sub(1)?)?, reading.tokens.get(at)?);
        let gap = reading.slice(before.end..token.start).trim_matches(['.', ' ', '\u{A0}']);
        (at > own.tokens.start && gap.is_empty()).then_some(before)
    };
    // "Mayor Ada Lee" is one name; "harbour master Ada Lee", "City Mayor Ada Lee", "Tom Berg and Ada Lee" say more.
    let title = before(name.tokens.start).filter(|token| is_title(&token.word));
    let first = name.tokens.start - usize::from(title.is_some());
    let described = before(first).is_some_and(|token| {
        let tag = grammar.tag(first - 1);
        let says = matches!(tag, Tag::Adjective | Tag::Determiner | Tag::Conjunction | Tag::Owner);
        token.capital || says || tag.is_noun()
    });
    let behind = reading.text.get(name.end..)?.trim_start_matches([',', ' ', '\u{A0}']);
    let says = matches!(grammar.tag(name.tokens.end), Tag::Past | Tag::Present | Tag::Participle | Tag::Adverb);
    let ends = behind.is_empty() || behind.starts_with(['.', ':', '“', '”', '"', '‘', '\n', '!', '?']);
    let goes_on = says && reading.slice(name.end..own.end).starts_with(' ');
    // A pronoun, or a later surname, may depend on the name.
    let last = reading.paragraph(line).end.checked_sub(1).and_then(|line| reading.lines.get(line))?.end;
    let mut rest = reading.between(own.start, last).iter().filter(|token| !token.quoted());
    let depends = rest.any(|token| GENDERED.contains(&token.word));
    let again = |other: &&Name| other.last() == name.last();
    let known = field.names.iter().take(at).filter(again).any(|other| other.words.len() > 1);
    let introduces = !known && field.names.iter().skip(at + 1).any(|other| again(&other));
    let there = reading.slice(own.start..own.end).contains(&words);
    let span = title.map_or(name.start, |title| title.start)..name.end;
    (!described && (ends || goes_on) && !depends && !introduces && !there).then_some(Edit { span, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::at_the_name,
        rules::{number::contradicted, quotation::altered},
        testing::{check_texts, texts},
    };

    /// The draft with each fix in its place, the last one first, and how many findings it had.
    fn fixed(draft: &str, source: &str) -> (String, usize) {
        let (mut text, found) = (draft.to_owned(), check_texts(draft, source));
        for finding in found.iter().rev() {
            assert_eq!(draft.get(finding.start..finding.end), Some(finding.text.as_str()));
            assert_ne!(finding.replacement.as_deref(), Some(""));
            if let Some(new) = &finding.replacement {
                text.replace_range(finding.start..finding.end, new);
            }
        }
        (text, found.len())
    }

    #[test]
    fn what_depends_on_a_figure_changes_with_it() {
        let mend = |draft: &str, old: &str, new: &str| {
            let start = draft.find(old).unwrap();
            let edit = Edit { span: start..start + old.len(), words: new.to_owned() };
            let Edit { span, words } = mended(&ParsedText::new(draft), edit)?;
            Some(format!("{}{words}{}", &draft[..span.start], &draft[span.end..]))
        };
        for (draft, old, new, right) in [
            ("Seven engines were sent.", "Seven", "1", "One engine was sent."),
            ("Seven fire engines have left for the mill.", "Seven", "one", "One fire engine has left for the mill."),
            ("Seven engines from Dunmore were sent.", "Seven", "One", "One engine from Dunmore was sent."),
            (
                "Seven engines and 38 firefighters were sent.",
                "Seven",
                "one",
                "One engine and 38 firefighters were sent.",
            ),
            ("They sent seven engines that were new.", "seven", "1", "They sent one engine that was new."),
            ("There are 7 children in the boat.", "7", "1", "There is 1 child in the boat."),
            ("There was 1 box in the boat.", "1", "3", "There were 3 boxes in the boat."),
            ("Last year 1 city has left the league.", "1", "2", "Last year 2 cities have left the league."),
            ("The 1 woman in the crew left.", "1", "2", "The 2 women in the crew left."),
            ("He owns a 6-year lease.", "6", "8", "He owns an 8-year lease."),
            ("An 11-foot wall fell.", "11", "12", "A 12-foot wall fell."),
            ("He has a £3 million house.", "£3 million", "£8 million", "He has an £8 million house."),
            ("He saw an Ostrander there.", "Ostrander", "Nyberg", "He saw a Nyberg there."),
            ("He drove 1.5 miles to the mill.", "1.5", "1", "He drove 1 mile to the mill."),
            ("The score rose from 3 to 7.", "7", "1", "The score rose from 3 to 1."),
            (
                "“I saw 2 dogs there,” he said.",
                "I saw 2 dogs there",
                "I saw 1 dog here",
                "“I saw 1 dog here,” he said.",
            ),
        ] {
            assert_eq!(mend(draft, old, new).as_deref(), Some(right), "{draft}");
        }
        for (draft, old, new) in [
            ("Seven engines serve the town.", "Seven", "One"),
            ("Seven engines came, and all of them were new.", "Seven", "One"),
            ("All seven engines left.", "seven", "one"),
            ("Seven engines, which came from Dunmore, were sent.", "Seven", "One"),
            ("They sent seven engines while the crews were away.", "seven", "one"),
            ("Some 7 of the engines were new.", "7", "1"),
            ("The town had 2 mayors and 1 deputy.", "2 mayors and 1", "1 mayors and 2"),
            ("Seven left the league.", "Seven", "1,250"),
            ("The bus left at 7 p.m.", "7 p.m", "7:40 p.m."),
            ("The bus left at 7.", "7", " 8"),
        ] {
            assert_eq!(mend(draft, old, new), None, "{draft}");
        }
    }

    #[test]
    fn a_fix_is_a_sentence_that_reads_and_raises_nothing() {
        let source = "The county sent 1 fire engine from Dunmore to the mill on Friday, May 3. The mill has a 8-year lease and owes \
                      £3.8 million to the bank. There were 6 geese on the lawn of the vicarage. Zoë Köhler-Ångström weighed 41 \
                      swans for the trust, and 14 of its swans were ill.";
        for (draft, right) in [
            (
                "The county sent seven fire engines from Dunmore to the mill.",
                "The county sent one fire engine from Dunmore to the mill.",
            ),
            ("There were 9 geese on the lawn of the vicarage.", "There were 6 geese on the lawn of the vicarage."),
            ("The mill has a 6-year lease.", "The mill has an 8-year lease."),
            ("The mill owes a £2.8 million debt to the bank.", "The mill owes a £3.8 million debt to the bank."),
            ("The engine came to the mill on Thursday, May 3.", "The engine came to the mill on Friday, May 3."),
            // Letters of several bytes.
            (
                "Zoë Köhler-Ångstrom weighed 41 swans for the trust.",
                "Zoë Köhler-Ångström weighed 41 swans for the trust.",
            ),
            // Two figures that were exchanged, and one that the sentence has twice.
            (
                "Zoë Köhler-Ångström weighed 14 swans for the trust, and 41 of its swans were ill.",
                "Zoë Köhler-Ångström weighed 41 swans for the trust, and 14 of its swans were ill.",
            ),
            (
                "On May 3 the 47 swans that Zoë Köhler-Ångström weighed for the trust were 47 swans.",
                "On May 3 the 41 swans that Zoë Köhler-Ångström weighed for the trust were 41 swans.",
            ),
        ] {
            assert_eq!(fixed(draft, source).0, right);
            assert_eq!(check_texts(right, source), [], "{right}");
        }
    }
    #[test]
    fn a_fix_that_raises_something_is_none() {
        let source = "Dale Nyberg and Ada Ruud met.\n\nADA RUUD: We had no warning of the flood at all.";
        // With the right spelling it is the wrong speaker.
        let found = check_texts("“We had no warning of the flood at all,” said Dale Nybergh.", source);
        let found: Vec<_> = found.into_iter().map(|found| (found.text, found.note, found.replacement)).collect();
        assert_eq!(found, [("Nybergh".to_owned(), "The sources write Nyberg.".to_owned(), None)]);
    }

    #[test]
    fn a_wrong_speaker_is_mended_at_the_name_alone() {
        let source = "Dale Nyberg and Ada Ruud met the mayor, Tom Berg.\n\nADA RUUD: We had no warning of the flood at all.\n\nDALE NYBERG: I drive a bus by day and by night.\n\n\
                      Later they saw Kim Lund and Bo Dahl. “It was late in the day,” she said.";
        let named = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let found = check_texts(draft, source);
            assert!(
                found.iter().all(|found| found.rule == "quotation.speaker" && found.replacement.is_none()),
                "{found:?}"
            );
            let found = found.iter().filter_map(|finding| at_the_name(finding, &article, &sources));
            found.map(|found| (found.text, found.replacement)).collect::<Vec<_>>()
        };
        let words = "“We had no warning of the flood at all,”";
        for (rest, wrong) in [
            ("said Dale Nyberg.", "Dale Nyberg"),
            ("Nyberg said.", "Nyberg"),
            ("said Mayor Tom Berg.", "Mayor Tom Berg"),
            // Two quotations of one speaker are one error.
            ("Nyberg said. “No warning of the flood at all.”", "Nyberg"),
        ] {
            assert_eq!(named(&format!("{words} {rest}")), [(wrong.to_owned(), Some("Ada Ruud".to_owned()))], "{rest}");
        }
        for rest in [
            "said Dale Nyberg, who drives a bus.",
            "said Tom Berg, the mayor.",
            "said Tom Berg, adding that it was late.",
            "said City Mayor Tom Berg.",
            "bus driver Dale Nyberg said.",
            "Nyberg said. He drives a bus.",
            "said Dale Nyberg. The bus of Nyberg was late.",
            "Nyberg said. “I drive a bus by day and by night.”",
        ] {
            let found = named(&format!("{words} {rest}"));
            assert!(matches!(found.as_slice(), [(_, None)]), "{rest}: {found:?}");
        }
        // Nobody is accused, or the source does not say who spoke.
        assert_eq!(named(&format!("{words} the mayor said.")), []);
        assert_eq!(named(&format!("{words} she said.")), []);
        assert_eq!(named("“It was late in the day,” Dale Nyberg said."), [("Dale Nyberg".to_owned(), None)]);
    }

    #[test]
    fn findings_about_the_same_words_are_one() {
        let (article, sources) =
            texts("The mill has a 6-year lease. It owes £2 million.", "The mill has an 8-year lease.");
        let read = ProofTexts::new(&article, &sources);
        let field = read.fields.iter().find(|field| field.is_body()).unwrap();
        let note = |rule, span: Range<usize>, new: Option<&str>| {
            Fault::new(rule, field, span.clone()).note(format!("{span:?}")).replacement(new.map(str::to_owned))
        };
        let kept = |faults: Vec<Fault>| {
            let mut ledger = LedgerWriter::new(&read, false, Gravity::Note);
            ledger.found = faults;
            one_for_each_error(&mut ledger);
            ledger.found.into_iter().map(|fault| fault.note).collect::<Vec<_>>()
        };
        let (concern, block) = (&contradicted::RULE, &altered::RULE);
        // The graver one, then the one with a fix; a finding in another sentence is another error.
        assert_eq!(kept(vec![note(concern, 0..28, Some("x")), note(block, 15..16, None)]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 0..28, None), note(concern, 15..16, Some("8"))]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 15..16, None), note(concern, 15..16, None)]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 0..48, None), note(concern, 15..16, None)]), ["0..48", "15..16"]);
        assert_eq!(kept(vec![note(concern, 4..8, None), note(concern, 15..16, None)]), ["4..8", "15..16"]);
        // Two quotations with one wrong speaker.
        let one = |span| note(concern, span, None).also(4..8);
        assert_eq!(kept(vec![one(13..14), one(20..27), note(block, 4..8, None)]), ["4..8"]);
    }

    #[test]
    fn a_fix_takes_nothing_else_along() {
        let draft = "Work will end in the spring of the year, and Ada Ruud paid $40 for 3 maps.";
        let (article, sources) = texts(draft, "Work may end in the spring of the year.");
        let read = ProofTexts::new(&article, &sources);
        let field = read.fields.iter().find(|field| field.is_body()).unwrap();
        let keeps = |words: &str| {
            keeps_the_rest(field, SpanKind::Certainty, &Edit { span: 0..draft.len(), words: words.to_owned() })
        };
        assert!(!keeps("Work may end in the spring of the year."));
        assert!(!keeps("Work may end in the spring of the year, and Ada Ruud paid for maps."));
        assert!(!keeps("Work may end in the spring of the year, and Ruud paid $40 for 3 maps."));
        assert!(keeps("Work may end in the spring of the year, and Ada Ruud paid $40 for 3 maps."));
    }
}
