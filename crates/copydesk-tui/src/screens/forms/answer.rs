//! Reads the answer to a form from its fields.

use crate::app::{Request, Trouble};
use crate::screens::forms::{FieldName, Form, FormAnswer, Purpose};
use crate::screens::settings::answer::settings;
use copydesk_newsroom::{ArticleResponse, Choice, Status};

/// The verdicts that an editor can choose, in the order of the list.
pub(crate) const VERDICTS: [Status; 3] = [Status::Keep, Status::Rewrite, Status::Remove];

pub(crate) fn answer(form: &Form) -> Result<FormAnswer, Trouble> {
    match &form.purpose {
        Purpose::Decide(at, what) => {
            Ok(FormAnswer::Ask(Box::new(Request::Decide { at: at.clone(), choice: choice(form, what)? })))
        }
        Purpose::Settings(asked) => settings(form, asked),
        Purpose::Ask(read) => read(form),
    }
}

/// The choice with what the fields add to it.
fn choice(form: &Form, what: &Choice) -> Result<Choice, Trouble> {
    // Typed text counts before a choice; the first of the list stands for typed text.
    let given = || match form.text(FieldName::Reason) {
        none if none.is_empty() && form.chosen(FieldName::Why) > 0 => form.value(FieldName::Why),
        typed => typed,
    };
    let mut choice = what.clone();
    match &mut choice {
        Choice::Override { status, fix, reason, .. } => {
            *status = VERDICTS.get(form.chosen(FieldName::Verdict)).copied().unwrap_or(Status::Keep);
            *fix = Some(form.text(FieldName::ToDo)).filter(|fix| !fix.is_empty() && *status != Status::Keep);
            *reason = given();
        }
        Choice::Accept { reason, .. }
        | Choice::Stet { reason }
        | Choice::Spike { reason }
        | Choice::RemoveSource { reason, .. }
        | Choice::DistrustSource { reason, .. } => *reason = given(),
        Choice::Comment { text, .. } => *text = form.text(FieldName::Comment),
        Choice::Feedback { text } | Choice::SendBack { text } => *text = form.text(FieldName::ToDos),
        Choice::Plan { text } => *text = form.text(FieldName::Questions),
        Choice::Research { question } => *question = form.line(FieldName::Question),
        Choice::Edit { article: text } => {
            let before = std::mem::replace(text, article(form));
            if *text == before {
                return Err(Trouble::new("nothing has changed yet"));
            }
        }
        _ => {}
    }
    Ok(choice)
}

/// The article of a hand edit.
pub(crate) fn article(form: &Form) -> ArticleResponse {
    ArticleResponse {
        headline: form.line(FieldName::Headline),
        alternativeHeadline: form.line(FieldName::AlternativeHeadline),
        description: form.line(FieldName::Description),
        articleBody: form.text(FieldName::Text),
    }
}
