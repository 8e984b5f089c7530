//! The to-dos of house style for a story's writer: the notes of its rules of level `error`.
//!
//! The rules are those that the run was opened with, and the draft and its sources are in the journal. So a run that is resumed or done
//! again has the same to-dos.

use std::sync::{Arc, Mutex, PoisonError};

use super::{names::Dictionary, note::StyleNote, rule, rules::Style};
use copydesk_newsroom::{ArticleResponse, Journal, PinnedRule, field_in_words};
use copydesk_text::{sanitise, sentences::sentences};

/// Most to-dos of a round: more than that is for a human.
const MOST: usize = 20;

/// Longest sentence that a to-do quotes, in characters.
const LONGEST: usize = 200;

/// Whether a note becomes a to-do if its draft goes back to the writer: its run was opened with the rule.
pub fn asks(journal: &Journal, note: &StyleNote) -> bool {
    journal.opening.settings.style_rules.iter().any(|rule| rule::name(&rule.name) == note.rule)
}

/// The to-dos of a round's draft, in the order of its fields, if it goes back to the writer.
pub fn to_dos(journal: &Journal, round: u32) -> Vec<String> {
    let opening = &journal.opening;
    let Some(draft) = journal.draft(round).filter(|_| !opening.settings.style_rules.is_empty()) else {
        return Vec::new();
    };
    let style = read(&opening.settings.style_rules);
    let mut to_dos = Vec::new();
    for note in style.judge(&draft.article, &Dictionary::new(&draft.article, &journal.sources())) {
        let to_do = to_do(&note, &draft.article);
        if to_dos.len() < MOST && !to_dos.contains(&to_do) {
            to_dos.push(to_do);
        }
    }
    to_dos
}

/// The rules of a run. Most runs of a program have the same ones, so the last are kept: their patterns are compiled.
fn read(rules: &[PinnedRule]) -> Arc<Style> {
    static LAST: Mutex<Option<(Vec<PinnedRule>, Arc<Style>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, style)) = last.as_ref().filter(|(known, _)| known == rules) {
        return Arc::clone(style);
    }
    let files: Vec<(&str, &str)> = rules.iter().map(|rule| (&*rule.name, &*rule.text)).collect();
    let style = Arc::new(Style::read(&files).unwrap_or_default());
    *last = Some((rules.to_vec(), Arc::clone(&style)));
    style
}

/// An instruction where the rule knows what to write and the words occur only once; otherwise what the rule says and where. It has no
/// line number: the check of the next draft would take that for a figure that somebody asked for.
fn to_do(note: &StyleNote, article: &ArticleResponse) -> String {
    let once = !note.text.is_empty()
        && article.fields().iter().map(|(_, text)| text.matches(&note.text).count()).sum::<usize>() == 1;
    match note.replacement.as_deref().filter(|_| once) {
        Some("") => format!("Delete “{}”.", note.text),
        Some(instead) => format!("Replace “{}” with “{instead}”.", note.text),
        None => {
            let text = article.fields().into_iter().find(|(name, _)| *name == note.field).map_or("", |(_, text)| text);
            let sentence = sentences(text).into_iter().find(|range| range.contains(&note.start));
            let quoted = sentence.filter(|_| !note.text.is_empty()).and_then(|range| text.get(range));
            let quoted = quoted.map_or_else(String::new, |sentence| {
                format!(": “{}”", sanitise::excerpt(&sanitise::one_line(sentence), LONGEST))
            });
            format!(
                "{} (house style, in the {}{quoted})",
                sanitise::one_line(&note.message),
                field_in_words(note.field)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Opening, Outcome, RunSettings, Step};

    fn journal(rules: Vec<PinnedRule>, body: &str) -> Journal {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { style_rules: rules, ..opening().settings }, ..opening() });
        let draft = Draft { article: article(body), stripped: Vec::new(), undone: Vec::new() };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        journal
    }

    fn rule(text: &str) -> Vec<PinnedRule> {
        Style::read(&[("House/Rule.yml", text)]).unwrap().demands().to_vec()
    }

    #[test]
    fn a_rule_of_level_error_asks_for_what_it_knows() {
        let own = Style::of_the_house().unwrap();
        let journal =
            journal(own.demands().to_vec(), "The council met met on on Tuesday. It was very very late on on that day.");
        assert_eq!(
            to_dos(&journal, 1),
            [
                "Replace “met met” with “met”.",
                "“on” stands here twice. (house style, in the body: “The council met met on on Tuesday.”)",
                "Replace “very very” with “very”.",
                "“on” stands here twice. (house style, in the body: “It was very very late on on that day.”)",
            ]
        );
    }

    #[test]
    fn no_other_level_asks_for_anything() {
        let text =
            |level: &str| format!("extends: existence\nmessage: \"Not '%s'.\"\nlevel: {level}\ntokens: [very]\n");
        assert_eq!(rule(&text("warning")), []);
        assert_eq!(rule(&text("suggestion")), []);
        let asks = journal(rule(&text("error")), "It is very late.");
        assert_eq!(to_dos(&asks, 1), ["Not 'very'. (house style, in the body: “It is very late.”)"]);
    }

    #[test]
    fn a_run_without_rules_and_a_round_without_draft_have_no_to_do() {
        assert_eq!(to_dos(&journal(Vec::new(), "The the end."), 1), [] as [String; 0]);
        let own = Style::of_the_house().unwrap();
        assert_eq!(to_dos(&journal(own.demands().to_vec(), "The the end."), 2), [] as [String; 0]);
    }

    #[test]
    fn a_round_has_no_more_to_dos_than_a_writer_can_do() {
        let many = "extends: existence\nmessage: \"Not '%s'.\"\nlevel: error\ntokens: ['\\w+ing']\n";
        let sentence = |at: usize| format!("It is {}ing. ", "x".repeat(at + 1));
        let body = (0..50).map(sentence).collect::<Vec<_>>().concat();
        assert_eq!(to_dos(&journal(rule(many), &body), 1).len(), MOST);
    }
}
