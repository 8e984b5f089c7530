//! Copies the article, or saves it to a file.

use std::sync::Arc;

use crate::{
    app::{effects::Effect, messages::Request, model::Model, trouble::Trouble},
    screens::{
        article::page::shown_article,
        forms::{model::Form, top::push},
        story::model::StoryView,
    },
    widgets::field::Field,
};
use copydesk_core::editorial::{
    drafts,
    export::{ExportFormat, Imprint, in_format},
    report,
};
use copydesk_newsroom::ArticleResponse;

/// The article that is copied or saved.
pub(crate) fn article(story: &StoryView) -> Option<&ArticleResponse> {
    shown_article(&story.journal, story.round)
}

pub(crate) fn copy_article(model: &mut Model) -> Vec<Effect> {
    match model.story.as_deref().and_then(article) {
        Some(article) => {
            vec![Effect::Copy { text: Arc::from(drafts::to_markdown(article)), what: "the article in Markdown".into() }]
        }
        None => Vec::new(),
    }
}

pub(crate) fn ask_where(model: &mut Model, html: bool) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let Some(article) = article(story).cloned() else { return Vec::new() };
    let round = report::shown_round(&story.journal, story.round);
    let imprint = Imprint { number: story.run.version, ..Imprint::of_round(&story.journal, round) };
    let slug = &story.journal.opening.topic.source_metadata.topic_slug;
    let ending = if html { "html" } else { "md" };
    let fields = vec![Field::line("File", "a new file; no file is replaced", &format!("{slug}.{ending}"))];
    let explanation = "The end of the name decides the format: .md, .html, .docx, .json or .ninjs.json. The path is relative to the folder in \
                       which the program was started. ~ is your home folder.";
    let form = Form::asking("Save the article", explanation, fields, move |form| {
        let path = form.file()?;
        let format = ExportFormat::by_name(&path)
            .ok_or_else(|| Trouble::new("the name ends in no format: .md, .html, .docx, .json or .ninjs.json"))?;
        let bytes = in_format(&article, &imprint, format)
            .map_err(|error| Trouble::new(format!("the article cannot be written so: {error}")))?;
        Ok(Request::Write { path, bytes })
    });
    push(model, form)
}
