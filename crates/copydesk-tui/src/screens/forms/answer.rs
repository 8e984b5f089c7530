//! Reads the answer to a form from its fields.

use std::path::PathBuf;

use strum::VariantArray as _;

use crate::{
    app::messages::{Beginning, Request},
    screens::{
        forms::{
            draft::Sought,
            field_name::FieldName,
            model::Form,
            purpose::{Decides, FindWay, Purpose},
        },
        settings::{
            answer::{SettingsAnswer, settings},
            model::{Asked, AskedModel, ServerAt},
        },
    },
};
use copydesk_core::editorial::{
    export::{ExportFormat, in_format},
    replies::{self, NotNoted},
};
use copydesk_newsroom::{ArticleResponse, Choice, PathName, Status};
use copydesk_text::sanitise;

pub(crate) enum FormAnswer {
    Ask(Box<Request>),
    /// The models of another server are listed first.
    ListModels(ServerAt),
    /// The texts would go to another machine: that is agreed to first.
    Agree(String),
    /// The chosen model is asked first what it can take.
    Measure(AskedModel),
    /// Nothing was changed.
    Nothing,
    Search(String),
    Find(Sought, FindWay),
    Compare(u32, u32),
}

/// The missing or invalid input of a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Incomplete {
    #[error("enter the words to find")]
    NothingToFind,
    #[error("enter a file name")]
    NoFile,
    #[error("enter the source text")]
    NoSource,
    #[error("say what the story is to be about")]
    NoQuestion,
    #[error("nothing has changed yet")]
    NoChange,
    #[error("that is not {0}; nothing was deleted")]
    OtherSlug(PathName),
    #[error("enter a reason: a record is not struck without one")]
    NoReasonToStrike,
    #[error("enter a reason: why not try it again?")]
    NoReasonToDrop,
    #[error("enter a reason for accepting the flags")]
    NoReasonToAccept,
    #[error("tell readers what was wrong, and what is right")]
    NoNote,
    #[error("enter a reason: it stands in the notice")]
    NoReasonToWithdraw,
    #[error(transparent)]
    Reply(#[from] NotNoted),
    #[error("the name ends in no format: .md, .html, .docx, .json or .ninjs.json")]
    NoSuchFormat,
    #[error("the article cannot be written so: {0}")]
    Unwritable(String),
    #[error("choose two different drafts")]
    SameDraft,
    #[error("enter draft numbers from 1 to {last}")]
    NoSuchDraft { last: u32 },
    #[error("enter your name: your decisions carry it")]
    NoName,
}

/// The answer of a form.
pub(crate) fn answer(form: &Form) -> Result<FormAnswer, Incomplete> {
    let ask = |request| Ok(FormAnswer::Ask(Box::new(request)));
    match &form.purpose {
        Purpose::Decide(at, what) => ask(Request::Decide { at: at.clone(), choice: choice(form, what)? }),
        Purpose::AddSource(at) => {
            let name = Some(line(form, FieldName::Title)).filter(|name| !name.is_empty());
            ask(Request::AddSource { at: at.clone(), path: file(form)?, name })
        }
        Purpose::NewFromText => ask(Request::Begin(new_story(form)?)),
        Purpose::NewFromQuestion => ask(Request::Begin(from_question(form)?)),
        Purpose::SaveArticle(shown) => {
            let path = file(form)?;
            let format = ExportFormat::by_name(&path).ok_or(Incomplete::NoSuchFormat)?;
            let bytes =
                in_format(&shown.0, &shown.1, format).map_err(|error| Incomplete::Unwritable(error.to_string()))?;
            ask(Request::Write { path, bytes })
        }
        Purpose::Backup => ask(Request::BackUp(file(form)?)),
        Purpose::Delete { story } if line(form, FieldName::Slug) == story.slug.as_str() => {
            ask(Request::Delete(story.clone()))
        }
        Purpose::Delete { story } => Err(Incomplete::OtherSlug(story.slug.clone())),
        Purpose::StrikeRecord { cache_key_hash } => {
            let reason = reason(form, Incomplete::NoReasonToStrike)?;
            ask(Request::StrikeRecord { cache_key_hash: cache_key_hash.clone(), reason })
        }
        Purpose::DropFailedStep { failed } => {
            let reason = reason(form, Incomplete::NoReasonToDrop)?;
            ask(Request::DropFailedStep { failed: failed.clone(), reason })
        }
        Purpose::AcceptFlags { run, story } => {
            let reason = reason(form, Incomplete::NoReasonToAccept)?;
            ask(Request::AcceptFlags { run: *run, story: story.clone(), reason })
        }
        Purpose::Settings(asked) => settings_answer(form, asked),
        Purpose::Deadline { story } => ask(Request::SetDue { story: story.clone(), typed: line(form, FieldName::Due) }),
        Purpose::AskForReply { run, story } => ask(Request::AskForReply {
            run: *run,
            story: story.clone(),
            name: replies::named(&line(form, FieldName::Who))?,
            about: line(form, FieldName::About),
            due: line(form, FieldName::Due),
        }),
        Purpose::NoteReply { run, story } => ask(Request::NoteReply {
            run: *run,
            story: story.clone(),
            name: replies::named(&line(form, FieldName::Who))?,
            text: replies::said(&form.value(FieldName::Said))?,
        }),
        Purpose::Correct { run, story } => {
            let note = filled(form, FieldName::Note, Incomplete::NoNote)?;
            ask(Request::Correct { run: *run, story: story.clone(), note })
        }
        Purpose::Withdraw { run, story } => {
            let reason = reason(form, Incomplete::NoReasonToWithdraw)?;
            ask(Request::Withdraw { run: *run, story: story.clone(), reason })
        }
        Purpose::Embargo { run, story } => {
            ask(Request::SetEmbargo { run: *run, story: story.clone(), typed: line(form, FieldName::Until) })
        }
        Purpose::AssignEditor { story } => {
            let editor = Some(line(form, FieldName::Editor)).filter(|name| !sanitise::is_blank(name));
            let editor = editor.map(|name| sanitise::excerpt(&name, 80));
            ask(Request::Assign { story: story.clone(), editor })
        }
        Purpose::FindReplace => {
            let sought = Sought { words: form.value(FieldName::Find), instead: form.value(FieldName::Instead) };
            if sought.words.is_empty() {
                return Err(Incomplete::NothingToFind);
            }
            let way = FindWay::VARIANTS.get(form.chosen(FieldName::Do)).copied().unwrap_or(FindWay::Find);
            Ok(FormAnswer::Find(sought, way))
        }
        Purpose::Search => Ok(FormAnswer::Search(form.value(FieldName::Search))),
        Purpose::ChooseDrafts { last } => {
            let number = |name| line(form, name).parse::<u32>().ok().filter(|round| (1..=*last).contains(round));
            match (number(FieldName::From), number(FieldName::To)) {
                (Some(from), Some(to)) if from != to => Ok(FormAnswer::Compare(from, to)),
                (Some(_), Some(_)) => Err(Incomplete::SameDraft),
                _ => Err(Incomplete::NoSuchDraft { last: *last }),
            }
        }
    }
}

fn settings_answer(form: &Form, asked: &Asked) -> Result<FormAnswer, Incomplete> {
    Ok(match settings(form, asked).ok_or(Incomplete::NoName)? {
        SettingsAnswer::Save(new) => FormAnswer::Ask(Box::new(Request::SaveSettings(new))),
        SettingsAnswer::ListModels(at) => FormAnswer::ListModels(at),
        SettingsAnswer::Agree(host) => FormAnswer::Agree(host),
        SettingsAnswer::Measure(asked) => FormAnswer::Measure(asked),
        SettingsAnswer::Nothing => FormAnswer::Nothing,
    })
}

fn choice(form: &Form, what: &Decides) -> Result<Choice, Incomplete> {
    // Typed text counts before a choice; the first of the list stands for typed text.
    let reason = || match text(form, FieldName::Reason) {
        typed if !typed.is_empty() => typed,
        _ if form.chosen(FieldName::Why) > 0 => form.value(FieldName::Why),
        none => none,
    };
    Ok(match what {
        Decides::Overrule { concern } => {
            let status = form.status().unwrap_or(Status::Keep);
            let fix = Some(text(form, FieldName::ToDo)).filter(|fix| !fix.is_empty() && status != Status::Keep);
            Choice::Override { concern: *concern, status, fix, reason: reason() }
        }
        Decides::Accept { finding, concern: None } => Choice::Accept { finding: *finding, reason: reason() },
        Decides::Accept { concern: Some(concern), .. } => {
            Choice::Override { concern: *concern, status: Status::Keep, fix: None, reason: reason() }
        }
        Decides::Comment { about } => Choice::Comment { about: about.clone(), text: text(form, FieldName::Comment) },
        Decides::Feedback => Choice::Feedback { text: text(form, FieldName::ToDos) },
        Decides::Plan => Choice::Plan { text: text(form, FieldName::Questions) },
        Decides::SendBack => Choice::SendBack { text: text(form, FieldName::ToDos) },
        Decides::Stet => Choice::Stet { reason: reason() },
        Decides::Spike => Choice::Spike { reason: reason() },
        Decides::RemoveSource { name } => Choice::RemoveSource { name: name.clone(), reason: reason() },
        Decides::DistrustSource { name } => Choice::DistrustSource { name: name.clone(), reason: reason() },
        Decides::Research => Choice::Research { question: line(form, FieldName::Question) },
        Decides::Edit { before } => match article(form) {
            article if article == **before => return Err(Incomplete::NoChange),
            article => Choice::Edit { article },
        },
    })
}

fn new_story(form: &Form) -> Result<Beginning, Incomplete> {
    let text = form.value(FieldName::Source);
    if sanitise::is_blank(&text) {
        return Err(Incomplete::NoSource);
    }
    Ok(Beginning::Text {
        text,
        title: line(form, FieldName::Title),
        channel: line(form, FieldName::Channel),
        angle: line(form, FieldName::Angle),
        length: line(form, FieldName::Length),
        style: line(form, FieldName::Style),
        desk: desk(form),
        draft: form.value(FieldName::Draft),
    })
}

fn from_question(form: &Form) -> Result<Beginning, Incomplete> {
    let question = form.value(FieldName::Question);
    if sanitise::is_blank(&question) {
        return Err(Incomplete::NoQuestion);
    }
    Ok(Beginning::Question { question, desk: desk(form) })
}

/// The desk that was chosen or, asked for by its own field, a new one. The first entry of the list is no desk.
fn desk(form: &Form) -> String {
    match line(form, FieldName::NewDesk) {
        new if !new.is_empty() => new,
        _ if form.chosen(FieldName::Desk) == 0 => String::new(),
        _ => line(form, FieldName::Desk),
    }
}

/// The article of a hand edit.
pub(crate) fn article(form: &Form) -> ArticleResponse {
    ArticleResponse {
        headline: line(form, FieldName::Headline),
        alternativeHeadline: line(form, FieldName::AlternativeHeadline),
        description: line(form, FieldName::Description),
        articleBody: text(form, FieldName::Text),
    }
}

fn line(form: &Form, name: FieldName) -> String {
    sanitise::one_line(&form.value(name))
}

fn text(form: &Form, name: FieldName) -> String {
    sanitise::clean(&form.value(name)).trim().to_owned()
}

fn reason(form: &Form, missing: Incomplete) -> Result<String, Incomplete> {
    filled(form, FieldName::Reason, missing)
}

fn filled(form: &Form, name: FieldName, missing: Incomplete) -> Result<String, Incomplete> {
    let typed = text(form, name);
    if sanitise::is_blank(&typed) { Err(missing) } else { Ok(typed) }
}

fn file(form: &Form) -> Result<PathBuf, Incomplete> {
    let path = line(form, FieldName::File);
    if path.is_empty() { Err(Incomplete::NoFile) } else { Ok(home(&path)) }
}

/// Expands `~`.
fn home(path: &str) -> PathBuf {
    let rest = path.strip_prefix("~/");
    match (rest, directories::UserDirs::new()) {
        (Some(rest), Some(folders)) => folders.home_dir().join(rest),
        _ => PathBuf::from(path),
    }
}
