//! Takes in the worker's news: lists, journals, arriving answers, committed decisions.

use jiff::Timestamp;

use crate::app::{Effect, Model, News, Opens, Request, Screen, StandingRun, Ticket, Trouble, WorkKind};
use crate::screens::desk::{DeskRow, StoryHolder, StoryState};
use crate::screens::forms::{FieldName, Form, FormAnswer};
use crate::screens::gate::edits;
use crate::screens::review::Direction;
use crate::screens::story::{StoryView, Tab};
use crate::screens::{claims, files, forms, gate, review, search, settings, story};
use crate::widgets::{Field, words};
use copydesk_core::ports::{CallRow, RunKey};
use copydesk_newsroom::{Choice, Entry, Event, EventRecord, ListedRun, RunState, StoryKey, Wait};
use copydesk_text::sanitise;

pub(crate) fn hear(model: &mut Model, news: News) {
    model.tell_pages(&news);
    match news {
        News::Desk(runs) => desk_read(model, runs),
        News::Runs { changed, gone } => runs_changed(model, changed, &gone),
        News::StoryHolder(holders) => holders_changed(model, &holders),
        // If the person has gone to another page, the story does not open.
        News::Opened { ticket, .. } if ticket.is_none() || ticket != model.next.ticket => {}
        News::Opened { key, run, journal, seq, .. } => opened(model, StoryView::new(key, run, journal, seq), seq),
        News::Added { key, entries } => added(model, key, entries),
        News::StoryRuns(of, runs) => {
            if let Some(story) = model.story.as_deref_mut().filter(|story| story.run.story == of.to_string()) {
                story.runs.set(runs);
                model.effects.extend(story::update::compare_runs(story));
            }
        }
        News::Calls(key, calls) => {
            let read = shown(model, key).and_then(|story| calls_read(story, calls));
            model.effects.extend(read);
        }
        News::Call { run, step, attempt, text } => {
            let is_selected = |story: &StoryView| {
                story.calls.list.row().is_some_and(|row| (row.run, row.step, row.attempt) == (run, step, attempt))
            };
            let Some(story) = model.story.as_deref_mut().filter(|story| is_selected(story)) else { return };
            story.calls.texts = text;
            model.effects.extend(story::update::lay_call(story));
        }
        News::IsOver { kind, since } => work_ended(model, kind, since),
        News::Begun { ticket, story, run } => begun(model, ticket, &story, run),
        News::Stands { ticket, standing } => stands(model, ticket, standing),
        News::Decided { run, choice } => decided(model, run, &choice),
        News::Settled(run) => review::update::settled(model, run),
        News::Answered { ticket, result } => answered(model, ticket, result),
        News::Servers(Ok(servers)) => settings::update::listed(model, servers),
        News::Servers(Err(trouble)) => settings::update::not_listed(model, &trouble),
        News::Measured(_, Ok(measured)) => settings::update::measured(model, measured),
        News::Measured(at, Err(trouble)) => settings::update::not_measured(model, &at, &trouble),
        News::Happened(record) => happened(model, &record),
        // A step on its way is told of again as it begins anew; the list and the story are read from the records.
        News::Missed => model.live.clear(),
        News::Heard { story, step, unread } => {
            model.live.entry(story).or_default().heard(step, &unread.take(), model.now);
            model.streamed = true;
        }
        News::Log(key, events) => in_story(model, key, |story| {
            let first = story.log.rows.is_none();
            story.log.set(events);
            if first {
                story.log.select(isize::MAX);
            }
        }),
        // It may be another row's by now.
        News::CallLaid { laid, page } => {
            if let Some(story) = model.story.as_deref_mut().filter(|story| story.calls.laid() == Some(laid)) {
                story.calls.page = *page;
            }
        }
        News::Compared { key, pair, comparison } => in_story(model, key, |story| {
            story.changes.known.add(pair, comparison);
            story.changes.lay(&story.journal);
        }),
        News::RunsCompared { key, other, comparison } => {
            in_story(model, key, |story| story.two_runs.set(other, comparison));
        }
        News::Excerpts { key, round, places } => in_story(model, key, |story| story.set_places(round, places)),
        News::FollowedUp { key, entries, left, extract } => in_story(model, key, |story| {
            if story.gate.followed_up == entries {
                (story.gate.left, story.gate.extract) = (left, extract);
            }
        }),
        News::Passage { key, round, concern, bearing } => in_story(model, key, |story| {
            story.concerns.bearings.insert((round, concern), bearing);
            story.lay_panes();
        }),
        News::Proved { key, round, proof } => in_story(model, key, |story| {
            story.proof.add(round, proof);
            story.show_proof();
        }),
        News::TypedProved { run, round, margin } => edits::is_proved(model, run, round, margin),
        News::Spelt { key, round, review } => in_story(model, key, |story| {
            story.proof.spell(round, review);
            story.proof.arrange(&story.journal, &story.sources);
        }),
        News::ServersDown(servers) => model.servers_down = servers,
        News::FailedSteps(failed) => model.failed_steps = failed,
        News::GoesOn(work) => model.under_way.goes_on(work),
        News::Kept { run, what, text: Some((text, at)) } => edits::restore(model, run, &what, &text, at),
        News::IsKept { run, what, kept } => edits::is_kept(model, run, &what, kept),
        News::Measuring(at, what) => settings::update::measuring(model, &at, what),
        News::SettingsSaved(now) => {
            settings::update::saved(model, *now);
            model.say(if model.desk.at_work() == 0 {
                "The settings are saved"
            } else {
                "The settings are saved. New stories use them; the rest applies when no story is running here"
            });
        }
        News::Deleted(story) => deleted(model, &story.to_string()),
        News::Done(text) => model.say(text),
        News::Trouble(text) => model.warn(text),
        // A page that lies over the screen has taken it in.
        _ => {}
    }
}

fn desk_read(model: &mut Model, runs: Vec<(RunKey, ListedRun)>) {
    model.desk.set(runs.into_iter().map(|(key, run)| DeskRow::new(key, run, StoryHolder::Nobody)).collect());
    if model.next.opens == Opens::Review {
        model.next.opens = Opens::Nothing;
        return review::update::walk(model, Direction::On);
    }
    // Its run may have been opened before the list was read.
    open_wanted(model);
}

fn holders_changed(model: &mut Model, holders: &[(String, StoryHolder)]) {
    // A call that was stopped tells of no end. A step that has just begun may be heard before its story is said
    // to be at work.
    let desk = &model.desk;
    model.live.retain(|story, _| match holders.iter().find(|(known, _)| known == story) {
        Some((_, StoryHolder::Ours)) => true,
        Some((_, StoryHolder::OursSoon | StoryHolder::Queued)) => desk.hands_of(story) != StoryHolder::Ours,
        _ => false,
    });
    model.desk.set_hands(holders);
    lay_rail(model);
    // A story that was asked for but had to wait for its turn opens now.
    open_wanted(model);
}

fn added(model: &mut Model, key: RunKey, entries: Vec<(i64, Entry)>) {
    let Some(story) = shown(model, key) else { return };
    let before = story.waits();
    story.add(entries);
    let waits = story.waits();
    // An article that waits for a signature is to be read first.
    if matches!(waits, Some(Wait::SignOff { .. })) && before != waits && story.tab == Tab::Live {
        story.tab = Tab::Article;
    }
    lay_rail(model);
    claims::page::read(model);
    // Who was told of another's decision sees it now.
    if model.forms().any(|form| form.problem.is_some()) {
        gate::update::look_again(model);
    }
    if before != waits {
        gate::update::arm(model);
        edits::moved_on(model, key);
    }
    edits::changed_elsewhere(model, key);
    story::update::ask_needs(model);
}

fn calls_read(story: &mut StoryView, calls: Vec<CallRow>) -> Option<Effect> {
    let before = story.calls.list.row().cloned();
    story.calls.list.set(calls);
    // A text that says the same stays where its reader is.
    if story.calls.texts.is_some() && before.as_ref() == story.calls.list.row() {
        return None;
    }
    story::update::read_call(story)
}

fn work_ended(model: &mut Model, kind: WorkKind, since: Timestamp) {
    let indexed = model.under_way.on_index().is_some_and(|(on, ..)| on == kind);
    model.under_way.is_over(kind, since);
    if indexed {
        search::page::indexed(model);
    }
}

fn begun(model: &mut Model, ticket: Option<Ticket>, story: &StoryKey, run: RunKey) {
    model.say(format!("{}: started", words::capital(&story.slug.to_string().replace('-', " "))));
    show_begun(model, ticket, run);
}

/// An earlier run of a story that was to begin stands: it opens. Of a signed one the editor says which is meant.
fn stands(model: &mut Model, ticket: Option<Ticket>, standing: StandingRun) {
    let StandingRun { run, said, is_signed } = standing;
    if !is_signed || !is_awaited(model, ticket) {
        model.warn(said);
        return show_begun(model, ticket, run);
    }
    let explanation = format!(
        "{said}. Open it, or start a new version from what you have given now? The signed version stays until you sign the new one."
    );
    let choices = [OPEN_SIGNED, "Start a new version"].map(str::to_owned).to_vec();
    let field = Field::choice(FieldName::Version, "the arrow keys choose", choices, 0);
    let form = Form::read_by("Already signed", explanation, vec![field], move |form| {
        let opens = form.value(FieldName::Version) == OPEN_SIGNED;
        Ok(FormAnswer::Close(Box::new(move |model| {
            if opens {
                return open_run(model, run);
            }
            let ticket = model.ticket();
            model.next.ticket = Some(ticket);
            model.ask_for(ticket, Request::BeginVersion(run));
        })))
    });
    model.lay_over(form.doing("Do it"));
}

const OPEN_SIGNED: &str = "Open the signed one";

/// Opens the run of a story that was to begin, unless the person went elsewhere meanwhile.
fn show_begun(model: &mut Model, ticket: Option<Ticket>, run: RunKey) {
    if is_awaited(model, ticket) {
        open_run(model, run);
    }
}

fn open_run(model: &mut Model, run: RunKey) {
    model.next.opens = Opens::Run(run);
    open_wanted(model);
}

/// Whether the person still waits for the story that was to begin. One that was given with the command is shown if nothing else is.
fn is_awaited(model: &Model, ticket: Option<Ticket>) -> bool {
    let nothing_else = model.next.opens == Opens::Nothing
        && model.next.ticket.is_none()
        && model.story.is_none()
        && model.overlays.is_empty();
    ticket == model.next.ticket && (ticket.is_some() || nothing_else)
}

fn decided(model: &mut Model, run: RunKey, choice: &Choice) {
    let is_shown = model.story.as_ref().is_some_and(|story| story.key == run);
    if is_shown {
        gate::update::decided(model, choice);
        // An editor who is editing the draft continues with the decision in it.
        gate::update::look_again(model);
        if let Choice::Applied { article, .. } = choice {
            edits::is_applied(model, run, article);
        }
    }
    if review::update::decided(model, run, choice).is_none() {
        story::update::ask_needs(model);
        if is_shown {
            edits::prove(model);
        }
    }
}

fn shown(model: &mut Model, key: RunKey) -> Option<&mut StoryView> {
    model.story.as_deref_mut().filter(|story| story.key == key)
}

/// Changes the open story, if it is that run.
fn in_story(model: &mut Model, key: RunKey, change: impl FnOnce(&mut StoryView)) {
    if let Some(story) = shown(model, key) {
        change(story);
    }
}

/// A request has ended. Its error is shown in the form that caused it; else at the foot of the screen.
fn answered(model: &mut Model, ticket: Ticket, result: Result<(), Trouble>) {
    let is_it = |story: &StoryView| story.gate.deciding.is_some_and(|(of, _)| of == ticket);
    if let Some(story) = model.story.as_deref_mut().filter(|story| is_it(story)) {
        story.gate.deciding = None;
        if result.is_ok() {
            gate::update::look_again(model);
        }
    }
    if model.next.ticket == Some(ticket) && result.is_err() {
        model.next.ticket = None;
    }
    if files::answered(model, ticket, &result) {
        return;
    }
    if forms::update::answered(model, ticket, &result).is_none()
        && let Err(reason) = result
    {
        model.warn(reason);
    }
}

fn deleted(model: &mut Model, name: &str) {
    model.desk.remove(name);
    model.live.remove(name);
    if model.story.as_ref().is_some_and(|open| open.run.story == name) {
        story::update::leave(model);
    }
}

fn runs_changed(model: &mut Model, runs: Vec<(RunKey, ListedRun)>, gone: &[RunKey]) {
    for key in gone {
        let name = model.desk.all().iter().find(|row| row.key == *key).map(|row| row.run.story.clone());
        if let Some(name) = name {
            deleted(model, &name);
            model.warn(format!("{name} was deleted"));
        }
    }
    let mut rows = Vec::new();
    let mut ring = false;
    let mut news = Vec::new();
    for (key, run) in runs {
        let mut is_replaced = false;
        if let Some(story) = shown(model, key) {
            is_replaced = story.run.current && !run.current;
            story.run = run.clone();
            match story.tab {
                Tab::Log => model.ask(Request::ReadLog(key)),
                Tab::Calls => model.ask(Request::ReadCalls(key)),
                _ => {}
            }
        }
        if is_replaced {
            edits::replaced(model, key);
        }
        if run.current {
            let row = DeskRow::new(key, run, StoryHolder::Nobody);
            let (waits, failed) = tell(model, &row);
            ring |= waits;
            if waits || failed {
                let run = &row.run;
                let title = if sanitise::is_blank(&run.title) { &run.story } else { &run.title };
                news.push(format!("{}: {}", sanitise::excerpt(title, 60), row.standing().words().1));
            }
            rows.push(row);
        }
    }
    model.desk.merge(rows);
    if ring && model.house.settings.bell {
        model.effects.push(Effect::Bell);
    }
    notify(model, &news);
    open_wanted(model);
}

/// The least seconds between two notifications of the desktop, and after a key: who types sees the screen.
const QUIET: i64 = 5;

/// One notification for all that was heard together.
fn notify(model: &mut Model, news: &[String]) {
    let Some(first) = news.first().filter(|_| model.house.notifies) else { return };
    let recent = |at: Option<Timestamp>| at.is_some_and(|at| model.now.duration_since(at).as_secs() < QUIET);
    if recent(model.touched) || recent(model.notified) {
        return;
    }
    model.notified = Some(model.now);
    let more = match news.len() - 1 {
        0 => String::new(),
        more => format!(" (+{more} more)"),
    };
    model.effects.push(Effect::Notify(format!("{first}{more}")));
}

/// Tells a story's new state, whichever program works on it. Returns whether it waits for its editor from now on, and whether it has failed,
/// or ended with flags, and not by the editor's own hand.
fn tell(model: &mut Model, now: &DeskRow) -> (bool, bool) {
    let name = &now.run.story;
    let before = model.desk.row(name).map(|row| (row.run.waits.clone(), row.run.state));
    let (waited, state) = before.unwrap_or_default();
    let waits = now.run.waits.is_some() && now.run.waits != waited;
    let ended = now.run.state != RunState::Open && state == RunState::Open;
    // A story on the screen shows it itself.
    let elsewhere = model.story.as_ref().is_none_or(|story| story.run.story != *name);
    let by_hand = ended && model.ended.take_if(|story| story == name).is_some();
    let failed = ended && !by_hand && matches!(now.standing(), StoryState::Failed | StoryState::Flagged);
    if elsewhere && !by_hand && (waits || ended) {
        let said = format!("{name}: {}", now.standing().words().1);
        match now.run.error.as_ref().filter(|_| failed) {
            Some(error) => {
                model.warn(format!("{said}. {}", words::sentence(sanitise::one_line(&words::failure(error)))));
            }
            None => model.say(said),
        }
    }
    (waits, failed)
}

/// Opens the run that is wanted, as soon as it is there: of a story that is begun anew, the list may have the run before.
fn open_wanted(model: &mut Model) {
    let Opens::Run(wanted) = model.next.opens else { return };
    let is_there =
        |row: &DeskRow| row.key == wanted && !matches!(row.hands, StoryHolder::OursSoon | StoryHolder::Queued);
    if model.desk.all().iter().any(is_there) {
        model.ask_to_open(Request::Open(wanted));
    }
}

fn opened(model: &mut Model, mut story: StoryView, seq: i64) {
    model.next.ticket = None;
    let run = story.key;
    // The same story in another run keeps its page. A story that waits opens at its draft, the place of the decision.
    let before = model.story.as_ref().filter(|open| open.run.story == story.run.story).map(|open| open.tab);
    let begins_at = model.next.tab.take();
    story.tab = match (before.or(begins_at), story.waits()) {
        (Some(tab), _) if tab != Tab::Runs => tab,
        (_, Some(Wait::Gate { .. } | Wait::SignOff { .. })) => Tab::Article,
        _ if story.journal.publication().is_some() && story.journal.latest_draft() > 0 => Tab::Article,
        _ => Tab::Live,
    };
    model.effects.extend(story::update::needs(&mut story));
    if let Some(round) = story.waits().map(Wait::round) {
        // Text that was typed before the program ended must not be lost.
        model.ask(Request::ReadKept { run, what: gate::waiting::kept_name(round) });
    }
    let place = model.desk.shown().position(|row| row.run.story == story.run.story);
    model.desk.selected = place.unwrap_or(model.desk.selected);
    model.story = Some(Box::new(story));
    model.screen = Screen::Story;
    review::update::opened(model);
    // Shows the text that arrived while another page was shown.
    model.streamed = true;
    lay_rail(model);
    gate::update::arm(model);
    search::page::opened(model);
    model.ask(Request::Watch { run, seq });
}

fn happened(model: &mut Model, record: &EventRecord) {
    if matches!(record.event, Event::RunOpened { .. }) {
        model.live.remove(&record.story);
    }
    model.live.entry(record.story.clone()).or_default().happened(record);
    if model.story.as_ref().is_some_and(|story| story.run.story == record.story) {
        lay_rail(model);
    }
}

/// The rail of the open story, after something has changed.
pub(crate) fn lay_rail(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let live = model.live.get(&story.run.story).filter(|live| !live.calls.is_empty());
    let at_work = model.desk.row(&story.run.story).is_some_and(|row| row.hands == StoryHolder::Ours);
    story.lay_rail(live, at_work);
}
