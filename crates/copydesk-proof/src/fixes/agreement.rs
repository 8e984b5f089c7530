//! Repairs the words that depend on a change: the noun and the verb of a figure, the article, the capital. English only.

use super::edit::{Edit, sentences};
use crate::{
    reading::{Figure, FigureKind, ParsedText, near},
    sources::in_words,
    words::{WordList, lexicon::entry, words},
};
use copydesk_text::{capital, tagger::Tag};

/// Newsrooms write smaller numbers in words, if the draft does.
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

/// Slips of the pen that a fix must not add.
const SLIPS: [&str; 11] = ["  ", " ,", " .", " ;", ",,", ",.", "..", "( ", " )", "$$", "%%"];

/// The edit with what depends on it: noun and verb, article, capital. None if the sentence would not read.
pub(super) fn mended(reading: &ParsedText<'_>, edit: Edit) -> Option<Edit> {
    let mut edit = article(reading, number(reading, edit)?);
    let (old, whole) = (reading.slice(edit.span.clone()), sentences(reading, &edit.span));
    let (head, tail) = (reading.slice(whole.start..edit.span.start), reading.slice(edit.span.end..whole.end));
    let first = edit.words.chars().next()?;
    if !head.contains(char::is_alphanumeric) && old.starts_with(char::is_uppercase) {
        edit.words = capital(&edit.words);
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
    let low = word.to_lowercase();
    let begins = |heads: &[&str]| heads.iter().any(|head| low.starts_with(head));
    if low.starts_with(|c: char| c.is_ascii_digit()) {
        return begins(&["8"]) || word.len() % 3 == 2 && begins(&["11", "18"]);
    }
    if word.len() < 4 && word.chars().all(char::is_uppercase) {
        return word.starts_with(|c| "AEFHILMNORSX".contains(c));
    }
    let glides = begins(&["eu", "uni", "use", "usu", "uti", "one", "once"]);
    begins(&["hour", "honest", "honor", "honour", "heir"]) || !glides && low.starts_with(['a', 'e', 'i', 'o', 'u'])
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
