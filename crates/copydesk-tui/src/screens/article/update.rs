//! Copies the article, or saves it to a file.

use std::sync::Arc;

use crate::app::{Effect, Model, Request, Trouble};
use crate::screens::article::page::shown_article;
use crate::screens::forms::Form;
use crate::screens::story::StoryView;
use crate::widgets::Field;
use copydesk_core::editorial::export::{ExportFormat, Imprint, in_format};
use copydesk_core::editorial::{drafts, report};
use copydesk_newsroom::ArticleResponse;

/// The article that is copied or saved.
pub(crate) fn article(story: &StoryView) -> Option<&ArticleResponse> {
    shown_article(&story.journal, story.round)
}

pub(crate) fn copy_article(model: &mut Model) {
    if let Some(article) = model.story.as_deref().and_then(article) {
        let (text, what) = (Arc::from(drafts::to_markdown(article)), "the article in Markdown".into());
        model.effects.push(Effect::Copy { text, what });
    }
}

pub(crate) fn ask_where(model: &mut Model, html: bool) {
    let Some(story) = model.story.as_deref() else { return };
    let Some(article) = article(story).cloned() else { return };
    let round = report::shown_round(&story.journal, story.round);
    let imprint = Imprint { number: story.run.version, ..Imprint::of_round(&story.journal, round) };
    let slug = &story.journal.opening.topic.source_metadata.topic_slug;
    let ending = if html { "html" } else { "md" };
    let fields = vec![Field::line("File", "a new file; no file is replaced", &format!("{slug}.{ending}"))];
    let explanation = "The end of the name sets the format: .md, .html, .docx, .json or .ninjs.json. A path starts in the folder where you started Copydesk; ~ is your home folder.";
    let form = Form::asking("Save the article", explanation, fields, move |form| {
        let path = form.file()?;
        let format = ExportFormat::by_name(&path)
            .ok_or_else(|| Trouble::new("end the name in .md, .html, .docx, .json or .ninjs.json"))?;
        let bytes = in_format(&article, &imprint, format)
            .map_err(|error| Trouble::new(format!("the article cannot be saved in this format: {error}")))?;
        Ok(Request::Write { path, bytes })
    });
    model.lay_over(form);
}
