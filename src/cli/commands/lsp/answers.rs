//! Answers to an editor's questions about a place in a draft, from what was proved last.

use std::{collections::HashMap, ops::Range as Bytes};

use async_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionResponse, Command, GotoDefinitionResponse, Hover,
    HoverContents, MarkupContent, MarkupKind, Position, Range, TextEdit, Url, WorkspaceEdit,
};

use super::shown::{NotedWords, ShownPassage, ShownProof};
use crate::editorial::drafts;
use crate::text::{in_marks, sanitise, sentences::sentences};

/// The command that adds a word to the newsroom's dictionary.
pub(super) const ADD_TO_DICTIONARY: &str = "copydesk.addToDictionary";

/// Most passages of a sentence that are shown.
const PASSAGES: usize = 3;

/// Bytes of a key that YAML takes on one line with its value. Its limit is 1,024 characters.
const LONGEST_KEY: usize = 1_000;

/// Most characters of a sentence in the title of an action.
const LONGEST: usize = 120;

impl ShownProof {
    fn notes_at(&self, bytes: Bytes<usize>) -> impl Iterator<Item = &NotedWords> {
        self.notes.iter().filter(move |note| note.bytes.start <= bytes.end && bytes.start <= note.bytes.end)
    }

    /// The passages of the sentence at a byte.
    fn passages_at(&self, byte: usize) -> Vec<ShownPassage> {
        let of = self.sentences.iter().find(|(bytes, _)| bytes.contains(&byte));
        let places = of.into_iter().flat_map(|(_, places)| places).take(PASSAGES);
        places.filter_map(|(source, bytes)| self.sources.passage(*source, bytes)).collect()
    }
}

/// What was found there, and what the sources say on the sentence.
pub(super) fn hover(shown: &ShownProof, at: Position) -> Option<Hover> {
    let byte = shown.lines.byte(&shown.text, at);
    let accepted = shown.accepted.iter().filter(|(bytes, _)| bytes.start <= byte && byte <= bytes.end);
    let accepted = accepted.map(|(_, reason)| format!("Accepted: {reason}"));
    let noted = shown.notes_at(byte..byte).map(|note| note.diagnostic.message.clone());
    let mut parts: Vec<String> = noted.chain(accepted).collect();
    for ShownPassage { place, text, .. } in shown.passages_at(byte) {
        let line = format!("{place}: {}", in_marks(&text));
        if !parts.iter().any(|part| part.contains(&line)) {
            parts.push(line);
        }
    }
    // Plain text: a source is no Markdown.
    let contents = MarkupContent { kind: MarkupKind::PlainText, value: parts.join("\n\n") };
    (!parts.is_empty()).then_some(Hover { contents: HoverContents::Markup(contents), range: None })
}

/// The passage in its file.
pub(super) fn definition(shown: &ShownProof, at: Position) -> Option<GotoDefinitionResponse> {
    let byte = shown.lines.byte(&shown.text, at);
    let noted = shown.notes_at(byte..byte).filter_map(|note| note.diagnostic.related_information.as_ref()?.first());
    let noted = noted.map(|related| related.location.clone());
    let passages = shown.passages_at(byte).into_iter().filter_map(|passage| passage.location);
    let mut places: Vec<_> = noted.chain(passages).collect();
    places.dedup();
    (!places.is_empty()).then_some(GotoDefinitionResponse::Array(places))
}

/// Whether an editor that asks for actions of these kinds alone wants any of ours. Each kind has its own ones below it.
pub(super) fn are_wanted(kinds: Option<&[CodeActionKind]>) -> bool {
    kinds.is_none_or(|kinds| kinds.iter().any(|kind| [CodeActionKind::EMPTY, CodeActionKind::QUICKFIX].contains(kind)))
}

/// The fixes that were tried, the passages that a finding's words may be about, letting a finding stand, and adding a word to the
/// dictionary, if there is one (`spells`).
pub(super) fn actions(shown: &ShownProof, uri: &Url, at: Range, spells: bool) -> CodeActionResponse {
    let (start, end) = (shown.lines.byte(&shown.text, at.start), shown.lines.byte(&shown.text, at.end));
    let mut actions = CodeActionResponse::new();
    for note in shown.notes_at(start..end.max(start)) {
        if let Some(words) = &note.replacement {
            let edit = TextEdit { range: note.diagnostic.range, new_text: words.clone() };
            actions.push(action(uri, note, title(shown, note, words), edit, note.is_finding));
        }
        if note.is_finding {
            let words = &note.words;
            let passages = note.elsewhere.iter().filter_map(|(source, bytes)| shown.sources.passage(*source, bytes));
            for ShownPassage { place, text, .. } in passages {
                let title = format!("This is said of {} ({place})", in_marks(&sanitise::excerpt(&text, LONGEST)));
                if let Some(edit) = accepting(shown, words, &format!("said of {} ({place})", in_marks(&text))) {
                    actions.push(action(uri, note, title, edit, false));
                }
            }
            let shown_words = in_marks(&sanitise::excerpt(words, LONGEST));
            let title = format!("Let {shown_words} stand: give the reason in the front matter");
            if let Some(edit) = accepting(shown, words, "") {
                actions.push(action(uri, note, title, edit, false));
            }
        }
        if let Some(word) = note.unknown_word.as_ref().filter(|_| spells) {
            let title = format!("Add “{word}” to the dictionary");
            let (command, arguments) = (ADD_TO_DICTIONARY.to_owned(), Some(vec![word.clone().into()]));
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![note.diagnostic.clone()]),
                command: Some(Command { title, command, arguments }),
                ..Default::default()
            }));
        }
    }
    actions
}

fn action(uri: &Url, note: &NotedWords, title: String, edit: TextEdit, is_preferred: bool) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![note.diagnostic.clone()]),
        edit: Some(WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), vec![edit])])), ..Default::default() }),
        is_preferred: Some(is_preferred),
        ..Default::default()
    })
}

/// The words before and after, and the sentence as it will be.
fn title(shown: &ShownProof, note: &NotedWords, words: &str) -> String {
    let excerpt = |text: &str| in_marks(&sanitise::excerpt(text, LONGEST));
    let before = shown.text.get(note.bytes.clone()).unwrap_or_default();
    if words.is_empty() {
        return format!("Leave out {}", excerpt(before));
    }
    let change = format!("Replace {} with {}", excerpt(before), excerpt(words));
    let of = sentences(&shown.text).into_iter().find(|of| of.start <= note.bytes.start && note.bytes.end <= of.end);
    let after = of.filter(|of| *of != note.bytes).and_then(|of| {
        let (head, tail) = (shown.text.get(of.start..note.bytes.start)?, shown.text.get(note.bytes.end..of.end)?);
        Some(format!(": {}", excerpt(&format!("{head}{words}{tail}"))))
    });
    change + &after.unwrap_or_default()
}

/// The edit that puts the words into the draft's front matter with a reason, or with a place for it. None if they stand there already,
/// unless only their reason is missing and this is one.
fn accepting(shown: &ShownProof, words: &str, reason: &str) -> Option<TextEdit> {
    let (key, reason) = (serde_json::to_string(words).ok()?, serde_json::to_string(reason).ok()?);
    let with = |reason: &str| {
        if key.len() > LONGEST_KEY { format!("  ? {key}\n  : {reason}\n") } else { format!("  {key}: {reason}\n") }
    };
    let line = with(&reason);
    let (bytes, new_text) = match drafts::front_matter(&shown.text) {
        None => (0..0, format!("---\naccepted:\n{line}---\n\n")),
        Some((yaml, below)) => {
            let end = shown.text.len() - below.len();
            let start = shown.text.get(..end)?.rfind(yaml)?;
            let empty = with("\"\"");
            let is_key = |at: &usize| *at == 0 || yaml.get(..*at).is_some_and(|above| above.ends_with('\n'));
            match yaml.find("accepted:\n").filter(is_key) {
                _ if yaml.contains(&key) => {
                    let at = start + yaml.find(&empty).filter(|_| line != empty)?;
                    (at..at + empty.len(), line)
                }
                Some(at) => (start + at + "accepted:\n".len()..start + at + "accepted:\n".len(), line),
                // Its author writes the list in another form.
                None if yaml.lines().any(|line| line.starts_with("accepted:")) => return None,
                None => (start + yaml.len()..start + yaml.len(), format!("accepted:\n{line}")),
            }
        }
    };
    Some(TextEdit { range: shown.lines.range(&shown.text, &bytes), new_text })
}
