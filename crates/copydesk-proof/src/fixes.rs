//! Fixes: what the proof offers to write instead of what it found. Each is tried before it is offered, and one error is one finding.
//!
//! A fix is tried on the draft: its sentence is mended where an article, a noun or a verb depends on the change, and is proved again
//! against the same sources. A fix that raises anything new is dropped, and the finding stays. Nothing here deletes words.

use std::{cmp::Reverse, iter, ops::Range};

use crate::{
    ledger::{Fault, LedgerWriter},
    reading::{FigureKind, Name, ParsedText, near},
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

/// Forms of verbs for one and for several.
const VERBS: [(&str, &str); 4] = [("is", "are"), ("was", "were"), ("has", "have"), ("does", "do")];

/// Nouns whose plural has an ending of its own, at the end of a word.
const NOUNS: [(&str, &str); 9] = [
    ("human", "humans"),
    ("person", "people"),
    ("man", "men"),
    ("child", "children"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("mouse", "mice"),
    ("life", "lives"),
    ("wife", "wives"),
];

/// Words that speak of several things, or of one, so that a figure cannot change from one to the other.
static SEVERAL: WordList = words("they their theirs them themselves both all each these those other few many");
static SINGLE: WordList = words("it its itself this that another each every");

/// Words that show who a speaker is.
static GENDERED: WordList = words("he she him her his hers himself herself");

/// Other words for some bytes of a field.
struct Edit {
    span: Range<usize>,
    words: String,
}

/// Tries the fixes of all findings, and keeps one finding for each error.
pub fn settle(ledger: &mut LedgerWriter<'_, '_>, ask: AskRules) {
    join_pairs(ledger);
    let edits: Vec<Option<Edit>> = {
        let ledger = &*ledger;
        let fixable = ledger.found.iter().enumerate().filter(|(_, fault)| fault.replacement.is_some());
        let tried: Vec<usize> = fixable.map(|(at, _)| at).take(TRIED).collect();
        (0..ledger.found.len()).map(|at| tried.contains(&at).then(|| tried_fix(ledger, at, ask))?).collect()
    };
    for (fault, edit) in ledger.found.iter_mut().zip(edits) {
        fault.replacement = None;
        if let Some(Edit { span, words }) = edit {
            (fault.start, fault.end, fault.replacement) = (span.start, span.end, Some(words));
        }
    }
    one_for_each_error(ledger);
}

/// Joins two findings of which each names the other's words: two figures that were exchanged. Their fix changes both.
fn join_pairs(ledger: &mut LedgerWriter<'_, '_>) {
    let mut at = 0;
    while let Some(one) = ledger.found.get(at) {
        at += 1;
        let pair = |other: &Fault| {
            let (mine, theirs) = (one.start..one.end, other.start..other.end);
            one.field == other.field && one.also.as_ref() == Some(&theirs) && other.also.as_ref() == Some(&mine)
        };
        let Some(partner) = ledger.found.iter().position(pair).filter(|partner| *partner >= at) else { continue };
        let (whole, halves) = match ledger.found.get(partner) {
            Some(other) if other.start < one.start => (other.start..one.end, [other, one]),
            Some(other) => (one.start..other.end, [one, other]),
            None => continue,
        };
        let [first, second] = halves;
        let between = first.end..second.start;
        let alone = !ledger
            .found
            .iter()
            .any(|third| third.field == one.field && third.start < between.end && between.start < third.end);
        let middle = ledger.texts.fields.get(one.field).map_or("", |field| field.reading.slice(between));
        let words = first.replacement.as_ref().zip(second.replacement.as_ref());
        let words = words.filter(|_| alone).map(|(first, second)| format!("{first}{middle}{second}"));
        ledger.found.remove(partner);
        if let Some(one) = ledger.found.get_mut(at - 1) {
            if alone {
                (one.start, one.end, one.also) = (whole.start, whole.end, None);
            }
            one.replacement = words;
        }
    }
}

/// The fix of a finding, if the draft's sentence is right and reads well with it.
fn tried_fix(ledger: &LedgerWriter<'_, '_>, at: usize, ask: AskRules) -> Option<Edit> {
    let fault = ledger.found.get(at)?;
    let field = ledger.texts.fields.get(fault.field)?;
    let edit = Edit { span: fault.start..fault.end, words: fault.replacement.clone()? };
    if !keeps_the_rest(field, fault.kind, &edit) {
        return None;
    }
    let edit = mended(&field.reading, edit)?;
    let others: Vec<&Fault> =
        ledger.found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, f)| f).collect();
    // A quotation is proved as a whole, at its beginning.
    let (reading, span) = (&field.reading, &edit.span);
    let quoted = reading.quotations.iter().filter(|quoted| quoted.start < span.end && span.start < quoted.end);
    let sentence = sentences(reading, span);
    let start = quoted.clone().map(|quoted| quoted.start).fold(sentence.start, usize::min);
    let within = start..quoted.map(|quoted| quoted.end).fold(sentence.end, usize::max);
    holds(ledger, field, (&edit, within), &others, ask).then_some(edit)
}

/// Whether the changed draft raises nothing in these bytes that `others` do not say of the draft as it is.
fn holds(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    (edit, within): (&Edit, Range<usize>),
    others: &[&Fault],
    ask: AskRules,
) -> bool {
    let reading = &field.reading;
    let span = &edit.span;
    let (Some(head), Some(tail)) = (reading.text.get(..span.start), reading.text.get(span.end..)) else { return false };
    let article = ledger.texts.article_with(field.at, format!("{head}{}{tail}", edit.words));
    let moved = |at: usize| at + edit.words.len() - span.len();
    let within = within.start..moved(within.end);
    let mut texts = ledger.texts.reread(&article);
    texts.keep_to(field.at, within.clone());
    let mut again = LedgerWriter::new(&texts, false, ledger.least);
    ask(&mut again);
    let was = |new: &Fault, old: &Fault| {
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
    again.found.iter().filter(raised).all(|new| others.iter().any(|old| was(new, old)))
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
    let lines = old.lines.iter().filter(|line| span.contains(&line.start)).count();
    let figures = old.figures_between(span.start, span.end);
    let lost = old
        .between(span.start, span.end)
        .iter()
        .filter(|token| !token.stop && !new.tokens.iter().any(|other| other.stem == token.stem));
    let told = |word: &String| new.tokens.iter().any(|token| *token.word == **word);
    let mut names = field.names.iter().filter(|name| span.contains(&name.start));
    let whole = new.lines.len() >= lines && new.figures.len() >= figures.len();
    match kind {
        SpanKind::Number | SpanKind::Date | SpanKind::Name => whole,
        SpanKind::Quotation => new.lines.len() >= lines && lost.count() * 2 <= old.between(span.start, span.end).len(),
        _ => {
            let same = |figure| new.figures.iter().any(|other| other.same(figure));
            whole && figures.iter().all(same) && names.all(|name| name.words.iter().all(told)) && lost.count() <= LOST
        }
    }
}

/// The edit with what depends on it: noun and verb, article, capital. None if the sentence would not read.
fn mended(reading: &ParsedText<'_>, edit: Edit) -> Option<Edit> {
    let mut edit = article(reading, number(reading, edit)?)?;
    let old = reading.slice(edit.span.clone());
    let Range { start, end } = sentences(reading, &edit.span);
    let (head, tail) = (reading.text.get(start..edit.span.start)?, reading.text.get(edit.span.end..end)?);
    let first = edit.words.chars().next()?;
    if !head.contains(char::is_alphanumeric) && old.starts_with(char::is_uppercase) {
        if first.is_numeric() {
            return None;
        }
        edit.words = first.to_uppercase().chain(edit.words.chars().skip(1)).collect();
    }
    let letters = |one: Option<char>, two: Option<char>| {
        one.zip(two).is_some_and(|(a, b)| a.is_alphanumeric() && b.is_alphanumeric())
    };
    let apart = !letters(head.chars().last(), edit.words.chars().next())
        && !letters(edit.words.chars().last(), tail.chars().next());
    let slips = |text: &str| {
        ["  ", " ,", " .", " ;", ",,", ",.", "..", "( ", " )", "$$", "%%"]
            .iter()
            .map(|slip| text.matches(slip).count())
            .sum::<usize>()
    };
    let new = format!("{head}{}{tail}", edit.words);
    let plain = slips(&new) <= slips(reading.slice(start..end));
    (apart && plain && !edit.words.trim().is_empty() && edit.words != old).then_some(edit)
}

/// The edit with the noun and the verb that a figure asks for: `Seven engines were` becomes `One engine was`.
fn number(reading: &ParsedText<'_>, edit: Edit) -> Option<Edit> {
    let [figure] = reading.figures_between(edit.span.start, edit.span.end) else { return Some(edit) };
    let mut edit = edit;
    let value = match ParsedText::new(&edit.words).figures.as_slice() {
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
    let line = reading.line_of(&figure.tokens);
    let (grammar, end) = (reading.grammar(line), reading.lines.get(line)?.tokens.end);
    let begin = reading.lines.get(line)?.tokens.start;
    let token = |at: usize| reading.tokens.get(at).filter(|_| (begin..end).contains(&at));
    let beside = |at: usize| {
        let (before, token) = (token(at.checked_sub(1)?)?, token(at)?);
        reading.text.get(before.end..token.start)?.trim().is_empty().then_some(token)
    };
    let mut noun = None;
    for at in figure.tokens.end..(figure.tokens.end + 4).min(end) {
        match grammar.tag(at) {
            _ if beside(at).is_none() => break,
            tag if tag.is_noun() => noun = Some(at),
            Tag::Adjective | Tag::Participle | Tag::Gerund if noun.is_none() => {}
            _ => break,
        }
    }
    let behind = noun.map_or(figure.tokens.end, |noun| noun + 1);
    let hangs = if was_one { &SINGLE } else { &SEVERAL };
    let around = figure.tokens.start.checked_sub(1).into_iter().chain(behind..end).filter_map(token);
    if around.clone().any(|token| !token.quoted() && hangs.contains(&token.word)) {
        return None;
    }
    let Some(noun) = noun else {
        let led = |word: &str| word != "of" && matches!(grammar.tag(behind), Tag::Preposition | Tag::To);
        return beside(behind).is_none_or(|token| led(&token.word)).then_some(edit);
    };
    let counted = token(noun).filter(|token| !token.capital)?;
    let form = if is_one { singular(&counted.word) } else { plural(&counted.word) }?;
    let mut changes = vec![(edit.span.clone(), edit.words), (counted.start..counted.end, form)];
    let agreeing = |at: usize| {
        let word = token(at)?;
        VERBS.iter().find_map(|(one, many)| {
            let (old, new) = if was_one { (one, many) } else { (many, one) };
            (word.word == **old).then(|| (word.start..word.end, (*new).to_owned()))
        })
    };
    // "There were seven engines."
    let there = figure.tokens.start.checked_sub(2).and_then(token).is_some_and(|token| token.word == "there");
    let before = figure.tokens.start.checked_sub(1).filter(|_| there).and_then(agreeing);
    let subject = figure.tokens.start == begin;
    let verb = (behind..end).find(|at| agreeing(*at).is_some());
    let open = |at: usize| (behind..=at).all(|at| beside(at).is_some());
    let joins = beside(behind).is_some_and(|token| token.word == "and");
    match verb {
        _ if matches!(grammar.tag(behind), Tag::Present | Tag::Verb) && verb != Some(behind) => return None,
        Some(at)
            if at == behind
                || open(at)
                    && (at == behind + 1 && grammar.tag(behind) != Tag::Conjunction
                        || subject && grammar.tag(behind) == Tag::Preposition && at < behind + 5) =>
        {
            changes.extend(agreeing(at));
        }
        Some(_) if !joins => return None,
        _ => {}
    }
    changes.extend(before);
    changes.sort_by_key(|(span, _)| span.start);
    let span = changes.first()?.0.start..changes.last()?.0.end;
    let (mut words, mut at) = (String::new(), span.start);
    for (range, new) in changes {
        words.push_str(reading.text.get(at..range.start)?);
        words.push_str(&new);
        at = range.end;
    }
    Some(Edit { span, words })
}

/// A noun's other number, if the dictionary knows the noun.
fn singular(many: &str) -> Option<String> {
    if let Some((one, ending)) = NOUNS.iter().find(|(_, ending)| many.ends_with(ending)) {
        return Some(format!("{}{one}", many.strip_suffix(ending)?));
    }
    let endings = [("ies", "y"), ("s", ""), ("es", ""), ("ves", "f"), ("ves", "fe")];
    let forms = endings.iter().filter_map(|(ending, instead)| Some(format!("{}{instead}", many.strip_suffix(ending)?)));
    forms.into_iter().find(|one| entry(one).is_some())
}

fn plural(one: &str) -> Option<String> {
    if let Some((ending, many)) = NOUNS.iter().find(|(ending, _)| one.ends_with(ending)) {
        return Some(format!("{}{many}", one.strip_suffix(ending)?));
    }
    entry(one)?;
    let (before, last) = (one.chars().rev().nth(1)?, one.chars().last()?);
    Some(match last {
        'y' if !"aeiou".contains(before) => format!("{}ies", one.strip_suffix('y')?),
        's' | 'x' => format!("{one}es"),
        'h' if matches!(before, 'c' | 's') => format!("{one}es"),
        'f' | 'o' => return None,
        _ => format!("{one}s"),
    })
}

/// The edit with the article that its first word asks for: `a 6-year` becomes `an 8-year`.
fn article(reading: &ParsedText<'_>, edit: Edit) -> Option<Edit> {
    let before = reading.tokens.partition_point(|token| token.start < edit.span.start).checked_sub(1);
    let Some(token) = before.and_then(|at| reading.tokens.get(at)) else { return Some(edit) };
    let gap = reading.text.get(token.end..edit.span.start)?;
    let an = begins_with_vowel(&edit.words);
    let right = if an { "an" } else { "a" };
    if !matches!(token.word.as_str(), "a" | "an") || !gap.trim().is_empty() || token.word == right {
        return Some(edit);
    }
    let right = if token.capital { right.replacen('a', "A", 1) } else { right.to_owned() };
    Some(Edit { words: format!("{right}{gap}{}", edit.words), span: token.start..edit.span.end })
}

/// Whether words sound as if they begin with a vowel.
fn begins_with_vowel(words: &str) -> bool {
    let word = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = word.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        // The first group of digits is "eleven" or "eighteen" of something.
        return word.starts_with('8') || word.len() % 3 == 2 && (word.starts_with("11") || word.starts_with("18"));
    }
    let initials = word.len() < 5 && word.chars().all(char::is_uppercase);
    let low = word.to_lowercase();
    let spoken = ["hour", "honest", "honor", "honour", "heir"].iter().any(|head| low.starts_with(head));
    let glide = ["eu", "uni", "use", "usu", "uti", "one", "once"].iter().any(|head| low.starts_with(head));
    match word.chars().next() {
        Some(first) if initials => "AEFHILMNORSX".contains(first),
        Some(_) => spoken || !glide && low.starts_with(['a', 'e', 'i', 'o', 'u']),
        None => false,
    }
}

/// Keeps one finding if several are about the same words: the gravest, then one with a fix, then one with a passage.
fn one_for_each_error(ledger: &mut LedgerWriter<'_, '_>) {
    let places = |fault: &Fault| iter::once(fault.start..fault.end).chain(fault.also.clone());
    let same = |one: &Fault, other: &Fault| {
        let Some(field) = ledger.texts.fields.get(one.field).filter(|_| one.field == other.field) else { return false };
        let line = |at: usize| field.reading.line_at(at);
        // Both numbers of a tally are one statement.
        let between = field.reading.slice(one.end.min(other.end)..one.start.max(other.start));
        let tally = |fault: &Fault| {
            field.reading.figures_between(fault.start, fault.end).iter().any(|figure| figure.partner.is_some())
        };
        if matches!(between.trim(), "-" | "–" | "to") && tally(one) && tally(other) {
            return true;
        }
        places(one).any(|one| {
            places(other).any(|other| {
                let holds = |outer: &Range<usize>, inner: &Range<usize>| {
                    outer.start <= inner.start
                        && inner.end <= outer.end
                        && line(outer.start) == line(outer.end.saturating_sub(1))
                };
                one == other || holds(&one, &other) || holds(&other, &one)
            })
        })
    };
    let rank = |fault: &Fault| {
        // What is said of a vote says more than what is said of one of its numbers.
        let voted = fault.rule.name.starts_with("vote.");
        Reverse((fault.rule.gravity, fault.replacement.is_some(), fault.passage.is_some(), voted))
    };
    let mut order: Vec<usize> = (0..ledger.found.len()).collect();
    order.sort_by_key(|at| ledger.found.get(*at).map(rank));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let Some(fault) = ledger.found.get(at) else { continue };
        if !kept.iter().filter_map(|at| ledger.found.get(*at)).any(|other| same(fault, other)) {
            kept.push(at);
        }
    }
    let all = std::mem::take(&mut ledger.found);
    for (at, fault) in all.into_iter().enumerate() {
        if kept.contains(&at) {
            ledger.found.push(fault);
        } else {
            ledger.doubted.push((fault.field, fault.start..fault.end));
        }
    }
}

/// The finding at the name of a wrong speaker, with the right name as its fix only if the sentence is right and reads well with it.
pub fn tried_speaker(texts: &mut ProofTexts<'_>, finding: Finding, least: Gravity, ask: AskRules) -> Finding {
    let Some(at) = texts.fields.iter().position(|field| field.name == finding.field) else { return finding };
    let Some(field) = texts.fields.get(at) else { return finding };
    let edit = other_name(field, &finding);
    // The name may give further words of the paragraph to its bearer.
    let lines = field.reading.paragraph(field.reading.line_at(finding.start));
    let lines = field.reading.lines.get(lines).unwrap_or_default();
    let within = lines.first().map_or(0, |line| line.start)..lines.last().map_or(0, |line| line.end);
    texts.keep_to(at, within.clone());
    let texts = &*texts;
    let mut ledger = LedgerWriter::new(texts, false, least);
    ask(&mut ledger);
    let others: Vec<&Fault> = ledger.found.iter().filter(|fault| fault.rule.name != finding.rule).collect();
    let edit = edit.filter(|edit| {
        texts.fields.get(at).is_some_and(|field| holds(&ledger, field, (edit, within.clone()), &others, ask))
    });
    match (edit, texts.fields.get(at)) {
        (Some(edit), Some(field)) => Finding {
            start: edit.span.start,
            end: edit.span.end,
            text: field.reading.slice(edit.span).to_owned(),
            replacement: Some(edit.words),
            ..finding
        },
        _ => Finding { replacement: None, ..finding },
    }
}

/// The right speaker's name in place of the wrong one's, with its title. None if other words describe the wrong speaker.
fn other_name(field: &DraftField<'_>, finding: &Finding) -> Option<Edit> {
    let (reading, words) = (&field.reading, finding.replacement.clone()?);
    let at = field.names.iter().position(|name| name.start == finding.start)?;
    let (name, line) = (field.names.get(at)?, reading.line_at(finding.start));
    let own = reading.lines.get(line)?;
    let begin = own.tokens.start;
    let beside = |at: usize| {
        let (before, token) = (reading.tokens.get(at)?, reading.tokens.get(at + 1)?);
        let gap = reading.text.get(before.end..token.start)?.trim_matches(['.', ' ', '\u{A0}']);
        (at >= begin && gap.is_empty()).then_some(before)
    };
    // "Mayor Ada Lee" is one name; "City Council President Ada Lee", "Tom Berg and Ada Lee" are more than that.
    let before = name.tokens.start.checked_sub(1).and_then(beside);
    let title = before.filter(|token| is_title(&token.word));
    let further = name.tokens.start.checked_sub(if title.is_some() { 2 } else { 1 });
    let further = further.filter(|at| *at >= begin).and_then(beside);
    let described =
        further.is_some_and(|token| token.capital && !token.quoted() || matches!(token.word.as_str(), "and" | "the"));
    let span = title.map_or(name.start, |title| title.start)..name.end;
    let (tail, next) = (reading.text.get(name.end..)?, name.tokens.end);
    let tag = reading.grammar(line).tag(next);
    let speaks = tag.is_verb() && tag != Tag::Gerund;
    let follows = tail.trim_start_matches([' ', '\u{A0}']);
    let ends = follows.is_empty() || follows.starts_with(['.', ':', ';', '”', '"', '\n', '!', '?']);
    let goes_on = follows
        .strip_prefix(',')
        .is_some_and(|rest| rest.trim_start().starts_with(['“', '"', '‘']) || tag == Tag::Gerund);
    let fits = ends || goes_on || speaks && follows.starts_with(char::is_alphabetic);
    // The wrong speaker, or somebody's pronoun, may depend on the name.
    let last = reading.paragraph(line).end.checked_sub(1).and_then(|line| reading.lines.get(line))?.end;
    let rest = reading.between(own.start, last).iter().filter(|token| !token.quoted());
    let depends = rest.into_iter().any(|token| GENDERED.contains(&token.word));
    let again = |other: &&Name| other.last() == name.last();
    let introduces = !field.names.iter().take(at).any(|other| again(&other) && other.words.len() > 1)
        && field.names.iter().skip(at + 1).any(|other| again(&other));
    let there = reading.slice(own.start..own.end).contains(&words);
    (!described && fits && !depends && !introduces && !there).then_some(Edit { span, words })
}

#[cfg(test)]
mod tests {
    use super::{Edit, mended};
    use crate::{
        check::at_the_name,
        reading::ParsedText,
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
            ("said Mayor Tom Berg, adding that it was late.", "Mayor Tom Berg"),
            // Two quotations of one speaker are one error.
            ("Nyberg said. “No warning of the flood at all.”", "Nyberg"),
        ] {
            assert_eq!(named(&format!("{words} {rest}")), [(wrong.to_owned(), Some("Ada Ruud".to_owned()))], "{rest}");
        }
        for rest in [
            "said Dale Nyberg, who drives a bus.",
            "said Tom Berg, the mayor.",
            "said City Mayor Tom Berg.",
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
}
