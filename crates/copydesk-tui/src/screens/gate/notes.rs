//! The notes beside a draft that is typed: going from one to the next, accepting and rejecting them, and comments on the text.

use std::{ops::Range, sync::Arc};

use strum::VariantArray as _;

use crate::app::{Model, Question, Trouble};
use crate::screens::article::page::shown_article;
use crate::screens::forms::answer::article;
use crate::screens::forms::draft::Sought;
use crate::screens::forms::purpose::FindWay;
use crate::screens::forms::top::form;
use crate::screens::forms::update::send_choice;
use crate::screens::forms::{
    DecisionPoint, FieldName, Form, FormAnswer, FormStage, MarginNote, NoteOrigin, NotedChange,
};
use crate::screens::gate::edits::{keep, keep_and_prove};
use crate::screens::gate::update::{decide_at, open_form};
use crate::screens::gate::waiting::place;
use crate::screens::story;
use crate::widgets::{Field, words};
use copydesk_core::agents::{offline::revise::is_instruction, with_fix_in};
use copydesk_core::editorial::{changes::taken_back, decisions, own_notes};
use copydesk_newsroom::{ArticleResponse, Choice, Journal, Status, Wait};
use copydesk_text::{count, in_marks, sanitise};

/// Reasons for rejecting a concern that need no typing.
pub const REASONS: [&str; 6] = [
    "my reason, typed below",
    "The source says so elsewhere",
    "Checked with the person quoted",
    "Checked by phone",
    "Common knowledge",
    "A matter of style",
];

/// The draft that is being typed, if its page is on top.
fn typed(model: &mut Model) -> Option<&mut Form> {
    form(model).filter(|form| form.keeps() && form.stage == FormStage::Open)
}

/// The note at the cursor; on the page of the draft, the selected one.
pub fn note_here(model: &Model) -> Option<&MarginNote> {
    if model.overlays.is_empty() {
        let story = model.story.as_deref()?;
        return story.article.noted.note(story.round, shown_article(&story.journal, story.round)?);
    }
    let form: &Form = model.on_top()?;
    let margin = form.margin.as_deref()?;
    margin.notes.get(margin.here(form.cursor()?)?)
}

/// Goes to the words of the next note, or of the one before.
pub(crate) fn go_to_note(model: &mut Model, on: bool) {
    let Some(form) = typed(model) else {
        story::update::go_to_note(model, on);
        return;
    };
    let Some((texts, from)) = form.texts().zip(form.cursor()).map(|(texts, at)| (texts, (at.field, at.byte))) else {
        return;
    };
    let text = |field: usize| texts.get(field).map(String::as_str);
    match form.margin.as_deref().and_then(|margin| margin.next(text, Some(from), on)) {
        Some((field, byte)) => form.go_to(field, byte),
        None if form.margin.as_deref().is_none_or(|margin| margin.is_checking) => {
            model.say("your text is still being checked");
        }
        None => model.say("there are no notes on your text"),
    }
}

/// The article with the fix of a note; none if no fix names words that stand there.
fn fixed(note: &MarginNote, article: &ArticleResponse, journal: &Journal, round: u32) -> Option<ArticleResponse> {
    let own = || {
        let (place, fix) = (note.place.as_ref()?.0, note.fix.as_ref()?);
        let fields = article.fields();
        let (field, text) = fields.get(place)?;
        let put = replaced(text, note.stands(place, text)?, fix)?;
        Some(article.map(|name, text| if name == *field { put.clone() } else { text.to_owned() }))
    };
    own().or_else(|| with_fix_in(journal, round, note.concern?, article))
}

/// Accepts the note at the cursor: makes its fix in the text, or says who gets it. A change is let stand.
pub(crate) fn accept_note(model: &mut Model) {
    let Some(note) = note_here(model).cloned() else { return no_note(model) };
    let Some((at, story)) = place(model) else { return };
    let (journal, round) = (Arc::clone(&story.journal), at.round());
    if let Some(change) = note.change {
        return decide_at(model, at, change.accepting);
    }
    if note.origin == NoteOrigin::Own {
        return decide_at(model, at, own_notes::ticking_off(&note.about));
    }
    let Some(before) = text_here(model) else { return };
    let Some(now) = fixed(&note, &before, &journal, round) else {
        model.warn(match note.concern {
            Some(concern) => format!(
                "The fix for concern {concern} quotes no words of the draft, so it cannot be put in. Leave it to the writer, or type it yourself"
            ),
            None => "There is no exact fix; type it yourself".to_owned(),
        });
        return;
    };
    let is_typed = typed(model).is_some();
    put_here(model, &before, &now);
    match note.concern.filter(|_| matches!(at.seen.at, Wait::Gate { .. })) {
        Some(concern) => {
            if let Some(form) = typed(model) {
                form.sent_fix = Some(now.clone());
            }
            decide_at(model, at, Choice::Applied { concern, article: now });
        }
        None if is_typed => model.say("the fix is in your text; undo takes it back"),
        None => decide_at(model, at, Choice::Edit { article: now }),
    }
}

fn no_note(model: &mut Model) {
    model.warn("there is no note here; go to one first");
}

/// The text that is typed; on the page of the draft, the text that it shows. None if an unfinished edit of it is kept: that is said.
fn text_here(model: &mut Model) -> Option<ArticleResponse> {
    if let Some(form) = typed(model) {
        return Some(article(form));
    }
    let story = model.story.as_deref()?;
    if story.gate.undecided_edit == Some(story.round) {
        model.warn("You have an unfinished edit of this draft; open it, then save or discard it");
        return None;
    }
    shown_article(&story.journal, story.round).cloned()
}

/// Puts another text into the form, if one is typed there.
fn put_here(model: &mut Model, before: &ArticleResponse, now: &ArticleResponse) {
    let Some(form) = typed(model) else { return };
    put(form, before, now);
    let kept = keep(form);
    keep_and_prove(model, kept);
}

/// Takes a change back: its old words stand again.
fn take_back(model: &mut Model, noted: &NotedChange) {
    let Some((at, story)) = place(model) else { return };
    let journal = Arc::clone(&story.journal);
    let draft = |round: u32| journal.draft(round).map(|draft| &draft.article);
    let Some((old, new)) = draft(noted.from).zip(draft(at.round())) else { return };
    let Some(before) = text_here(model) else { return };
    let Some(now) = taken_back(old, new, &noted.change, &before) else {
        model.warn("These words have changed since, or a paragraph moved; type the old words yourself");
        return;
    };
    if typed(model).is_none() {
        return decide_at(model, at, Choice::Edit { article: now });
    }
    model.say("the old words are back; undo takes this back");
    put_here(model, &before, &now);
}

/// The text with other words in a place. A blank too many goes with words that are left out.
fn replaced(text: &str, range: Range<usize>, words: &str) -> Option<String> {
    let (head, tail) = (text.get(..range.start)?, text.get(range.end..)?);
    if !words.is_empty() {
        return Some(format!("{head}{words}{tail}"));
    }
    let ends = head.is_empty() || head.ends_with(char::is_whitespace);
    let tail = if ends { tail.strip_prefix(' ').unwrap_or(tail) } else { tail };
    Some(format!("{head}{tail}"))
}

/// Puts the fields of an article that changed into the form.
fn put(form: &mut Form, before: &ArticleResponse, fixed: &ArticleResponse) {
    for (field, ((_, old), (_, new))) in before.fields().into_iter().zip(fixed.fields()).enumerate() {
        if old != new {
            let head = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
            let cursor = head.map(|(one, _)| one.len_utf8()).sum();
            form.rewrite(field, new, cursor);
        }
    }
}

/// Asks why the note at the cursor is rejected.
pub(crate) fn reject_note(model: &mut Model) {
    let Some(note) = note_here(model).cloned() else { return no_note(model) };
    if let Some(noted) = &note.change {
        return take_back(model, noted);
    }
    let Some((at, story)) = place(model) else { return };
    let is_gate = matches!(at.seen.at, Wait::Gate { .. });
    let choice = match (note.origin, note.concern.filter(|_| is_gate), note.finding) {
        (NoteOrigin::Style | NoteOrigin::Change, _, _) => {
            Err("House style is only advice: you can leave it. The Proof page can add a word to the dictionary")
        }
        (NoteOrigin::Own, _, _) => Err("This is your own note: accept it to tick it off"),
        (NoteOrigin::Publisher, _, _) => Err("The Publisher’s notes are only advice: you can leave this one, and sign"),
        (_, Some(concern), _) => {
            Ok(Choice::Override { concern, status: Status::Keep, fix: None, reason: String::new() })
        }
        (_, None, Some(finding)) => Ok(decisions::accepting(&story.journal, at.seen.at, finding, String::new())),
        (_, None, None) => Err("Words that you typed raised this. You can reject it once your text is the next draft"),
    };
    let choice = match choice {
        Ok(choice) => choice,
        Err(why) => return model.warn(why),
    };
    let about = in_marks(&words::excerpt(&note.about, 80));
    let explanation = format!("{about} may stand. {}", words::excerpt(&note.said, 160));
    let fields = vec![
        Field::choice(FieldName::Why, "", REASONS.map(str::to_owned).to_vec(), 1),
        Field::text(FieldName::Reason, "your own words; they replace the choice above", ""),
    ];
    open_form(model, choice, "Reject the note", explanation, fields);
}

/// Asks for a comment on the selected words, or on the sentence at the cursor.
pub(crate) fn open_comment(model: &mut Model) {
    let about = match typed(model) {
        Some(form) => form.span().unwrap_or_default(),
        None => note_here(model).map(|note| note.about.clone()).unwrap_or_default(),
    };
    let about = sanitise::excerpt(&sanitise::one_line(&about), 300);
    let on = if about.is_empty() { "the whole draft".to_owned() } else { in_marks(&words::excerpt(&about, 120)) };
    let explanation = format!("On {on}: it goes into the record under your name. Nobody has to act on it.");
    let fields = vec![Field::text(FieldName::Comment, "", "")];
    open_form(model, Choice::Comment { about, text: String::new() }, "Comment", explanation, fields);
}

/// Asks whether to-dos that only a model can do are to be kept as notes, if rules revise the draft; a yes decides it. None if the choice can
/// be made as it is.
pub(crate) fn ask_to_keep(model: &mut Model, at: &DecisionPoint, choice: &Choice) -> Option<()> {
    let (Choice::Feedback { text } | Choice::SendBack { text }) = choice else { return None };
    let story = model.story.as_deref().filter(|story| story.key == at.run && story.journal.opening.by_rules)?;
    // The questions for the Reporter are no to-dos.
    story.waits().filter(|wait| *wait != Wait::Plan)?;
    let (ours, theirs): (Vec<String>, Vec<String>) =
        decisions::lines(text).into_iter().partition(|line| !is_instruction(line));
    let first = in_marks(&sanitise::excerpt(ours.first()?, 60));
    if !theirs.is_empty() {
        let problem =
            format!("only a model can do {first}. Take it out here; sent on its own, it is kept as a note to yourself");
        form(model)?.problem = Some(problem);
        return Some(());
    }
    let text = format!(
        "No model writes this story. Its rules can carry out only: Replace “A” with “B”, or: Delete “A”. Keep {first} as a note to yourself?"
    );
    let (at, kept) = (at.clone(), own_notes::keeping(&ours));
    model.lay_over(Question::new("Only a model can do this", text, "keep it as a note", move |model| {
        send_choice(model, at, kept);
    }));
    Some(())
}

/// Asks what to find in the draft, and what to put in its place.
pub(crate) fn open_find(model: &mut Model) {
    let Some(sought) = typed(model).and_then(|form| Some(form.draft.as_ref()?.sought.clone())) else {
        return;
    };
    let fields = vec![
        Field::proposed(FieldName::Find, "the exact words", &sought.words),
        Field::line(FieldName::Instead, "leave empty to delete those words", ""),
        Field::choice(FieldName::Do, "", FindWay::VARIANTS.iter().map(|way| way.words().to_owned()).collect(), 0),
    ];
    let form = Form::read_by("Find and replace", "Choose below what Enter does.", fields, |form| {
        let sought = Sought { words: form.value(FieldName::Find), instead: form.value(FieldName::Instead) };
        if sought.words.is_empty() {
            return Err(Trouble::new("enter the words to find"));
        }
        let way = FindWay::VARIANTS.get(form.chosen(FieldName::Do)).copied().unwrap_or(FindWay::Find);
        Ok(FormAnswer::Close(Box::new(move |model| find(model, &sought, way))))
    });
    model.lay_over(form);
}

/// Chooses to replace one place once words are typed to put there, for then Enter is meant to do that.
pub(crate) fn replace_once_filled(form: &mut Form) {
    let is_filled = !form.value(FieldName::Instead).is_empty();
    if let Some(ways) = form.options(FieldName::Do).filter(|ways| is_filled && ways.chosen == 0) {
        ways.turn(1);
    }
}

/// Finds, or replaces, in the draft below the question.
fn find(model: &mut Model, sought: &Sought, way: FindWay) {
    let Some(form) = typed(model) else { return };
    if let Some(draft) = &mut form.draft {
        draft.sought.clone_from(sought);
    }
    let replaced = match way {
        FindWay::Find => 0,
        FindWay::Replace => usize::from(replace_next(form, sought).is_some()),
        FindWay::ReplaceAll => replace_all(form, sought),
    };
    if replaced == 0 {
        find_again(model);
        return;
    }
    let kept = keep(form);
    if way == FindWay::Replace {
        go_to_next(form);
    }
    keep_and_prove(model, kept);
    model.say(format!("{} replaced; undo takes it back", count(replaced, "place")));
}

/// Replaces the words at the cursor, else the next ones. None if they do not stand in the draft.
fn replace_next(form: &mut Form, sought: &Sought) -> Option<()> {
    let (field, text, byte) = form.cursor().map(|at| (at.field, at.text, at.byte))?;
    let is_here = text.get(byte..).is_some_and(|rest| rest.starts_with(&sought.words));
    let here = is_here.then(|| (field, byte..byte + sought.words.len()));
    let (field, range) = here.or_else(|| form.draft.as_ref()?.find(field, byte))?;
    let text = form.texts()?.get(field)?;
    let (head, tail) = (text.get(..range.start)?, text.get(range.end..)?);
    let new = format!("{head}{}{tail}", sought.instead);
    form.rewrite(field, &new, range.start + sought.instead.len());
    Some(())
}

/// Replaces the words in every field. Returns in how many places they stood.
fn replace_all(form: &mut Form, sought: &Sought) -> usize {
    let mut places = 0;
    for (field, text) in form.texts().map(<[String]>::to_vec).unwrap_or_default().iter().enumerate() {
        let here = text.matches(&sought.words).count();
        if here > 0 {
            form.rewrite(field, &text.replace(&sought.words, &sought.instead), 0);
            places += here;
        }
    }
    places
}

/// Selects the next place of the words that were looked for last. None if there is none.
fn go_to_next(form: &mut Form) -> Option<()> {
    let (field, byte) = form.cursor().map(|at| (at.field, at.byte))?;
    let (field, range) = form.draft.as_ref()?.find(field, byte)?;
    form.select(field, range);
    Some(())
}

/// Goes to the next place of the words that were looked for last, or says that there is none.
pub(crate) fn find_again(model: &mut Model) {
    let Some(form) = typed(model) else { return };
    let sought = form.draft.as_ref().map(|draft| draft.sought.words.clone()).unwrap_or_default();
    if go_to_next(form).is_none() {
        model.warn(if sought.is_empty() {
            "search for something first".to_owned()
        } else {
            format!("{} is not in the draft", in_marks(&sanitise::excerpt(&sought, 60)))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_left_out_take_a_blank_with_them() {
        let text = "It costs, they say, $1.";
        assert_eq!(replaced(text, 20..22, "$2").as_deref(), Some("It costs, they say, $2."));
        assert_eq!(replaced(text, 10..19, "").as_deref(), Some("It costs, $1."));
        assert_eq!(replaced(text, 0..99, ""), None);
    }
}
