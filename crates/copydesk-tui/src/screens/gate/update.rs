//! Decisions at a gate and at sign-off.

use jiff::{Timestamp, ToSpan as _};

use crate::app::{Model, Question, Request, Screen, Ticket, Trouble};
use crate::screens::concerns;
use crate::screens::forms::answer::VERDICTS;
use crate::screens::forms::{DecisionPoint, FieldName, Form, FormAnswer, Purpose};
use crate::screens::gate::forks;
use crate::screens::gate::waiting::place;
use crate::screens::story::update::show;
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{Field, words};
use copydesk_core::agents::with_fix;
use copydesk_core::editorial::{
    changes::FollowUp, choices::GateSeen, control_record, corrections, decisions, extract, own_notes, research,
    silence, vouching,
};
use copydesk_newsroom::{ArticleResponse, Choice, GateOutcome, Status, TriageWay, Wait};
use copydesk_text::{in_marks, sanitise};

/// The last decision that can be undone: at a gate any, at sign-off only one from which nothing follows.
pub(crate) fn last_decision(story: &StoryView) -> Option<u32> {
    let wait = story.waits()?;
    let at_gate = matches!(wait, Wait::Gate { .. } | Wait::Plan);
    decisions::standing(&story.journal, wait.round())
        .filter(|decided| at_gate || decided.decision.choice.has_no_consequence())
        .map(|decided| decided.number)
        .max()
}

pub(crate) fn decide(model: &mut Model, choice: Choice) {
    if let Some((at, _)) = place(model) {
        decide_at(model, at, choice);
    }
}

/// Commits the answer to a question that was asked at `at`.
pub(crate) fn decide_at(model: &mut Model, at: DecisionPoint, choice: Choice) {
    // A key that is held or pressed twice decides once.
    let again = |story: &StoryView| story.gate.deciding.is_some_and(|(_, before)| before == choice.name());
    if model.story.as_deref().is_some_and(again) {
        return;
    }
    let ticket = model.ticket();
    match mark(model, ticket, &at, choice.name()) {
        Ok(()) => model.ask_for(ticket, Request::Decide { at, choice }),
        Err(why) => {
            model.warn(why);
        }
    }
}

/// Marks a decision as being saved.
pub(crate) fn mark(model: &mut Model, ticket: Ticket, at: &DecisionPoint, choice: &'static str) -> Result<(), Trouble> {
    let Some(story) = model.story.as_deref_mut().filter(|story| story.key == at.run) else {
        return Err(Trouble::new(format!("{} is no longer open; nothing was decided", at.story)));
    };
    if story.gate.deciding.is_some() {
        return Err(Trouble::new("another decision is being saved; try again in a moment"));
    }
    story.gate.deciding = Some((ticket, choice));
    Ok(())
}

/// Undoes the last decision. At sign-off, if none is left to undo, asks whether the story goes back to its gate.
pub(crate) fn undo(model: &mut Model) {
    match model.story.as_deref().and_then(last_decision) {
        Some(number) => decide(model, Choice::Undo { number }),
        None => forks::ask_to_return(model),
    }
}

/// Continues; asks first if that drops something of the editor's or ends the run.
pub(crate) fn ask_to_continue(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    if story.gate.undecided_edit == Some(at.round()) {
        let text = "Your edit is not in the story yet. If you go on, it is left out. To use it, press esc, open it with e and save it with ctrl-s.";
        let asked = Question::new("Continue without your edit?", text, "continue without it", |model| {
            continue_at(model, at);
        });
        return model.lay_over(asked.or("keep it"));
    }
    let again: Vec<String> = overruled_again(story, at.round());
    if !again.is_empty() {
        let more = again.len().saturating_sub(SHOWN_AGAIN);
        let mut said: Vec<String> = again.into_iter().take(SHOWN_AGAIN).collect();
        if more > 0 {
            said.push(format!("and {more} more"));
        }
        let text = format!(
            "{}. If you continue, the verdicts of this round apply. To keep your decision, close this, select the concern and \
             overrule it again; your earlier answer is filled in.",
            said.join("; ")
        );
        let then = |model: &mut Model| continue_at(model, at);
        return model.lay_over(Question::new("Drop your earlier decision?", text, "continue with the verdicts", then));
    }
    continue_at(model, at);
}

const SHOWN_AGAIN: usize = 3;

/// Concerns that the editor overruled before and whose verdicts say the same again.
fn overruled_again(story: &StoryView, round: u32) -> Vec<String> {
    concerns::model::rows(&story.journal, round)
        .iter()
        .filter_map(|concern| {
            let ((before, overruled), verdict) = (concern.decided_otherwise()?, concern.verdict.as_ref()?);
            let (now, then) = (verdict.status.name(), overruled.status.name());
            Some(format!("concern {}: you said {then} in round {before}, the verdict says {now} again", concern.id))
        })
        .collect()
}

/// Asks before signing, and names what is still open. A reader of an earlier draft is shown the one that is signed first.
pub(crate) fn ask_to_sign(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let (read, signed) = (story.round, at.round());
    if read != signed {
        if let Some(story) = model.story.as_deref_mut() {
            story.show_round(signed);
        }
        show(model, Tab::Article);
        model.warn(format!("You read draft {read}, but you sign draft {signed}: read it first"));
        return;
    }
    let Some(draft) = story.journal.draft(at.round()) else { return };
    let sign = extract::signing(&story.journal, at.round());
    if matches!(sign, Choice::SignOff { as_notes: true, .. }) {
        let article = draft.article.clone();
        return ask_article_or_notes(model, at, article, sign);
    }
    let mut left: Vec<String> = story.gate.left.iter().map(FollowUp::line).collect();
    let against = silence::ClaimsToRead::of(&story.journal, signed).contradicted;
    if against > 0 {
        left.insert(0, format!("A source contradicts {}.", words::count(against, "claim")));
    }
    if corrections::changed_since(&story.journal) == Some(0) {
        let text = "The text is the same as in the version that you correct: readers would be told of a correction and find nothing \
                    corrected. Go back and edit the text first, or sign the note alone.";
        let asked = Question::new("Nothing is corrected yet", text, "sign the note alone", |model| {
            decide_at(model, at, sign);
        });
        return model.lay_over(asked.or("back to the text"));
    }
    let text = format!(
        "{} is approved under your name, {}, and becomes the story's article. {}",
        in_marks(&draft.article.headline),
        model.house.editor,
        left.join(" ")
    );
    model.lay_over(Question::new("Sign off?", text.trim_end(), "sign off", |model| decide_at(model, at, sign)));
}

/// Asks for the headline of a fact sheet: with one of the editor's it becomes a draft of theirs; saved with none, it is
/// published as notes.
fn ask_article_or_notes(model: &mut Model, at: DecisionPoint, article: ArticleResponse, sign: Choice) {
    let explanation = format!(
        "Rules picked these sentences from your notes; nobody wrote {} as an article. Give it a headline, and it becomes your draft and is checked once more. Or publish it as notes under your name, {}.",
        in_marks(&article.headline),
        model.house.editor
    );
    let field = Field::line(FieldName::Headline, "makes it an article; empty, ctrl-s for notes", "");
    let form = Form::read_by("Article, or notes?", explanation, vec![field], move |form| {
        let headline = form.line(FieldName::Headline);
        let choice = if sanitise::is_blank(&headline) {
            // Nobody publishes by a key that is pressed once too often.
            if form.by_enter {
                return Err(Trouble::new("Type a headline; or ctrl-s publishes it as notes"));
            }
            sign.clone()
        } else {
            Choice::Edit { article: ArticleResponse { headline, ..article.clone() } }
        };
        Ok(FormAnswer::Ask(Box::new(Request::Decide { at: at.clone(), choice })))
    });
    model.lay_over(form);
}

/// Continues after a question; asks once more if that ends the run.
fn continue_at(model: &mut Model, at: DecisionPoint) {
    let Some((now, story)) = place(model).filter(|(now, _)| *now == at) else {
        model.warn("the story moved on since you were asked; nothing was decided");
        return;
    };
    if decisions::outcome(&story.journal, now.round()) == GateOutcome::RoundsUsedUp {
        let text = "No rounds are left, and concerns are open. If you continue, the story ends as failed, with a flag, and its best draft is kept. Or you can add a round, accept the draft as it stands (stet), or overrule the open concerns.";
        return model.lay_over(Question::new("The last round", text, "end the run", |model| {
            decide_at(model, at, Choice::Continue);
        }));
    }
    decide_at(model, at, Choice::Continue);
}

/// Opens the form of a decision at the gate where the story waits.
pub(crate) fn open_form(
    model: &mut Model,
    choice: Choice,
    title: impl Into<String>,
    explanation: impl Into<String>,
    fields: Vec<Field>,
) {
    let Some((at, _)) = place(model) else { return };
    model.lay_over(Form::new(Purpose::Decide(at, choice), title, explanation, fields));
}

/// The only field of a decision that needs a reason.
pub(crate) fn reason() -> Vec<Field> {
    vec![Field::text(FieldName::Reason, "why; kept in the record under your name", "")]
}

pub(crate) fn open_overrule(model: &mut Model) {
    let Some((_, story)) = place(model) else { return };
    let Some(concern) = story.selected_concern() else { return };
    let verdict = concern.verdict.as_ref();
    // The same concern is likely to be decided the same way.
    let before = concern.overruled.as_ref().or(concern.decided_otherwise().map(|(_, before)| before));
    let (status, fix, reason) = match (before, verdict) {
        (Some(before), _) => (before.status, before.fix.clone(), before.reason.clone()),
        // Otherwise the opposite of the verdict is the likely choice.
        (None, Some(verdict)) if verdict.status == Status::Keep => (Status::Rewrite, None, String::new()),
        (None, _) => (Status::Keep, verdict.and_then(|verdict| verdict.suggested_fix.clone()), String::new()),
    };
    let who = match concern.judge() {
        Some(rule) if concern.group.is_some() => rule,
        Some(subject) => format!("the specialist for {subject}"),
        None => "the specialist".to_owned(),
    };
    let said = verdict.map_or("has no verdict yet".to_owned(), |verdict| {
        format!("said {}: {}", verdict.status.name(), verdict.rationale)
    });
    let fields = vec![
        Field::choice(
            FieldName::Verdict,
            "KEEP leaves the text; the others change it",
            VERDICTS.map(|verdict| verdict.name().to_owned()).to_vec(),
            VERDICTS.iter().position(|verdict| *verdict == status).unwrap_or(0),
        ),
        Field::text_at_end(FieldName::Reason, "why; kept in the record under your name", &reason),
        Field::text(FieldName::ToDo, "what the writer must do; ignored with KEEP", &fix.unwrap_or_default()),
    ];
    let title = format!("Overrule the verdict on concern {}", concern.id);
    let explanation = format!("On {} {who} {said}", words::excerpt(&concern.about(), 80));
    let choice = Choice::Override { concern: concern.id, status, fix: None, reason: String::new() };
    open_form(model, choice, title, explanation, fields);
}

pub(crate) fn open_feedback(model: &mut Model) {
    if let Some((DecisionPoint { seen: GateSeen { at: Wait::Plan, .. }, .. }, story)) = place(model) {
        let now = research::plan_text(&story.journal);
        let fields = vec![Field::text_at_end(FieldName::Questions, "one a line; below “Outline”: its points", &now)];
        let explanation = "The Reporter answers these questions before the writer begins.";
        return open_form(model, Choice::Plan { text: String::new() }, "Questions", explanation, fields);
    }
    let fields = vec![Field::text(FieldName::ToDos, "one per line", "")];
    let explanation = "Each line becomes a to-do for the writer, after the to-dos from the verdicts.";
    open_form(model, Choice::Feedback { text: String::new() }, "Feedback to the writer", explanation, fields);
}

pub(crate) fn open_stet(model: &mut Model) {
    let Some((at, view)) = place(model) else { return };
    let explanation = stet_explanation(view, at.round());
    open_form(model, Choice::Stet { reason: String::new() }, "Stet: let it stand", explanation, reason());
}

fn stet_explanation(story: &StoryView, round: u32) -> String {
    // A concern with its fix in the text is settled by that.
    let open: Vec<String> = concerns::model::rows(&story.journal, round)
        .iter()
        .filter(|concern| concern.is_open())
        .map(|concern| concern.id.to_string())
        .collect();
    let next = if decisions::edit(&story.journal, round).is_some() {
        "Your text becomes the next draft and is checked once more; then c goes to sign-off."
    } else {
        "The draft is accepted as it stands and goes to sign-off."
    };
    let overruled =
        if open.is_empty() { String::new() } else { format!(" This overrules concern {}.", open.join(", ")) };
    let dropped = match decisions::to_dos(&story.journal, round).len() {
        0 => String::new(),
        1 => " Your to-do goes to no writer.".to_owned(),
        count => format!(" Your {count} to-dos go to no writer."),
    };
    format!("{next}{overruled}{dropped}")
}

pub(crate) fn open_spike(model: &mut Model) {
    let explanation = "The story ends here, as spiked. Nothing is deleted; you can reopen it.";
    open_form(model, Choice::Spike { reason: String::new() }, "Spike the story", explanation, reason());
}

/// Refuses the call that the Reporter asks for.
pub(crate) fn refuse_call(model: &mut Model) {
    let Some((_, story)) = place(model) else { return };
    if let Some(call) = story.waits().and_then(Wait::call) {
        decide(model, Choice::Call { call, allows: false, note: String::new() });
    }
}

/// Shows the whole call and asks whether it may be made.
pub(crate) fn ask_to_allow(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let Some(call) = at.seen.at.call() else { return };
    let text = copydesk_core::desk::question(&story.journal, at.seen.at);
    let allow = Choice::Call { call, allows: true, note: String::new() };
    model.lay_over(Question::new("Allow the call?", text, "allow it", |model| decide_at(model, at, allow)));
}

pub(crate) fn open_send_back(model: &mut Model) {
    let fields = vec![Field::text(FieldName::ToDos, "one per line", "")];
    let explanation = "The article goes back to the writer with these to-dos, and through another review.";
    open_form(model, Choice::SendBack { text: String::new() }, "Send the article back", explanation, fields);
}

/// Whether the countdown may run: never if continuing ends the run or skips an unfinished edit.
fn may_count_down(model: &Model) -> bool {
    let Some(story) = model.story.as_deref().filter(|_| model.screen == Screen::Story) else { return false };
    let Some(Wait::Gate { round }) = story.waits() else { return false };
    story.gate.undecided_edit != Some(round)
        && !story.gate.comes_back
        && decisions::outcome(&story.journal, round) != GateOutcome::RoundsUsedUp
}

/// Starts the countdown of a gate that is now shown, if one is configured.
pub(crate) fn arm(model: &mut Model) {
    model.continues_at = match model.house.countdown {
        Some(seconds) if may_count_down(model) => {
            model.now.checked_add(i64::try_from(seconds).unwrap_or(i64::MAX).seconds()).ok()
        }
        _ => None,
    };
}

/// Brings an open form up to date after another person's decision.
pub(crate) fn look_again(model: &mut Model) {
    let Some((now, story)) = place(model) else { return };
    let stet = stet_explanation(story, now.round());
    let journal = std::sync::Arc::clone(&story.journal);
    for form in model.forms_mut() {
        let gives_status = form.has(FieldName::Verdict);
        if let Purpose::Decide(at, choice) = &mut form.purpose
            && (at.run, at.seen.at) == (now.run, now.seen.at)
        {
            at.seen = now.seen;
            let finding = match choice {
                Choice::Accept { finding, .. } => Some(*finding),
                Choice::Override { concern, .. } if !gives_status => {
                    vouching::behind(&journal, now.round(), *concern).map(|(finding, _)| finding)
                }
                Choice::Stet { .. } => {
                    form.explanation.clone_from(&stet);
                    None
                }
                _ => None,
            };
            if let Some(finding) = finding {
                *choice = decisions::accepting(&journal, now.seen.at, finding, String::new());
            }
        }
    }
}

/// Continues when the countdown is over, unless a page is open.
pub(crate) fn countdown(model: &mut Model) {
    let over = model.continues_at.is_some_and(|at: Timestamp| at <= model.now);
    if !over || !model.overlays.is_empty() {
        return;
    }
    model.continues_at = None;
    if may_count_down(model) {
        decide(model, Choice::Continue);
    }
}

fn continued(story: &StoryView) -> &'static str {
    match decisions::outcome(&story.journal, story.journal.latest_draft()) {
        GateOutcome::Passed | GateOutcome::Stet => "ready for sign-off",
        GateOutcome::Revise => "sent to the writer",
        GateOutcome::Edited => match decisions::to_dos(&story.journal, story.journal.latest_draft()).len() {
            0 => "your text is the next draft; it is checked at once",
            _ => "your text is the next draft; it is checked at once, and your to-dos go to no writer",
        },
        GateOutcome::RoundsUsedUp | GateOutcome::Spiked => "the run ends",
    }
}

/// Makes the fix for the selected concern in the text, or says that it stays with the writer.
pub(crate) fn apply_fix(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let Some(concern) = story.selected_concern().map(|concern| concern.id) else { return };
    if let Some(article) = with_fix(&story.journal, at.round(), concern) {
        return decide_at(model, at, Choice::Applied { concern, article });
    }
    let edit = model.keys.keys(crate::app::actions::Action::EditDraft).first().map(ToString::to_string);
    let by_hand = edit.map_or_else(String::new, |key| format!(", or change the text yourself ({key})"));
    model.warn(format!("The fix for concern {concern} quotes no words of the draft, so it cannot be put in. Leave it to the writer{by_hand}"));
}

/// The message after a change is accepted; on the page of changes it also says how many are left.
fn change_accepted(model: &Model) -> String {
    let story = model.story.as_deref().filter(|story| story.tab == Tab::Changes);
    let compared = story.and_then(|story| story.changes.compared.as_ref());
    match compared.map(|compared| compared.comparison.changes.len() - compared.state.accepted.len()) {
        None => "change accepted".to_owned(),
        Some(0) => "you have accepted every change".to_owned(),
        Some(left) => format!("change accepted; {left} left"),
    }
}

/// The message after a decision is undone: its words.
fn undone(model: &Model, number: u32) -> String {
    let words = || {
        let story = model.story.as_deref()?;
        let decided = story.journal.decisions(story.waits()?.round());
        let decided = decided.into_iter().find(|decided| decided.number == number)?;
        Some(control_record::decision_in_words(&story.journal, &decided))
    };
    words().map_or_else(|| "undone".to_owned(), |words| format!("undone: {}", sanitise::excerpt(&words, 120)))
}

/// After a decision is saved: the message, and the tab to show.
pub(crate) fn decided(model: &mut Model, choice: &Choice) {
    let story = model.story.as_deref();
    let outcome = story.map(|story| decisions::outcome(&story.journal, story.journal.latest_draft()));
    // A saved edit waits at a gate for what is decided beside it. At sign-off the story continues at once.
    let is_at_gate = |story: &StoryView| matches!(story.waits(), Some(Wait::Gate { round }) if decisions::edit(&story.journal, round).is_some());
    let said = match choice {
        Choice::Override { concern, status, .. } => format!("concern {concern} overruled: {}", status.name()),
        Choice::Accept { finding, .. } => format!("finding {finding} accepted under your name"),
        Choice::Feedback { text } => match decisions::lines(text).len() {
            1 => "one to-do added".to_owned(),
            count => format!("{count} to-dos added"),
        },
        Choice::Edit { .. } if story.is_some_and(is_at_gate) => "your edit is ready; c checks it".to_owned(),
        Choice::Edit { .. } => "your text is the next draft; it is checked and comes back to you".to_owned(),
        Choice::Applied { concern, .. } => format!("the fix for concern {concern} is in your text"),
        Choice::Triage { concern, way: TriageWay::Research, .. } => format!("concern {concern} goes to the Reporter"),
        Choice::Triage { concern, way: TriageWay::Rewrite, .. } => format!("concern {concern} goes to the writer"),
        Choice::Plan { .. } => "your questions are saved".to_owned(),
        Choice::Research { .. } => "the Reporter looks it up before the writer revises".to_owned(),
        Choice::AddSource { name, .. } => format!("{} is now a source of this story", sanitise::excerpt(name, 40)),
        Choice::RemoveSource { name, .. } => format!("{} is no longer a source", sanitise::excerpt(name, 40)),
        Choice::DistrustSource { name, .. } => format!("{} is no longer used as a source", sanitise::excerpt(name, 40)),
        Choice::Call { allows: true, .. } => "the Reporter may go on with the call".to_owned(),
        Choice::Call { allows: false, .. } => "the call is refused; the Reporter goes on without it".to_owned(),
        Choice::Comment { .. } if own_notes::keeps(choice) => {
            "kept as a note to yourself: on the Article page, accept the note to tick it off".to_owned()
        }
        Choice::Comment { .. } if story.is_some_and(|story| own_notes::ticks_off(&story.journal, choice)) => {
            "note ticked off".to_owned()
        }
        Choice::Comment { .. } => "your comment is in the record".to_owned(),
        Choice::AcceptChange { .. } => change_accepted(model),
        Choice::AnotherRound => "one more round added".to_owned(),
        Choice::Undo { number } => undone(model, *number),
        Choice::Continue => story.map_or("continued", continued).to_owned(),
        Choice::Stet { .. } if outcome == Some(GateOutcome::Edited) => {
            "your text is accepted; it is checked once more, then c goes to sign-off".to_owned()
        }
        Choice::Stet { .. } => "accepted as it stands; ready for sign-off".to_owned(),
        Choice::Spike { .. } => "story spiked".to_owned(),
        Choice::SignOff { .. } => "signed off".to_owned(),
        Choice::SendBack { .. } => "sent back to the writer".to_owned(),
    };
    if let Some(story) = &mut model.story {
        if matches!(choice, Choice::Edit { .. }) {
            story.gate.undecided_edit = None;
            // The editor's own text comes next, whatever was read before.
            story.show_round(story.latest_round());
        }
        match choice {
            Choice::Continue | Choice::SendBack { .. } | Choice::Call { .. } => story.tab = Tab::Live,
            Choice::Stet { .. } => story.tab = Tab::Article,
            _ => {}
        }
    }
    model.say(said);
}
