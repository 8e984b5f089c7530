//! `copydesk check --open`: a person's own draft as a story on the screen. The draft is the story's first; its Proof page is shown, and
//! from there the desk works as on any other story.

use crate::cli::intake::{
    drafts::{OwnDraft, language_notes, read_own_draft},
    sources::{self, GivenSources},
    topics::{ReadTopic, TopicRead},
};
use crate::cli::prelude::*;
use crate::desk::{Assignment, Replaces};
use crate::editorial::{
    drafts,
    topic_file::{self, TopicDefaults},
};
use crate::newsroom::{ArticleResponse, Opening, PathName, Topic};
use crate::ports::{Archive as _, Records as _};

/// Most characters of a headline that become the story's name.
const LONGEST_NAME: usize = 60;

/// Reads the draft and its sources as a story.
pub(crate) fn taken(settings: &Settings, draft: &Path, sources: &[PathBuf]) -> Result<ReadTopic> {
    let channel = settings.article_generation.default_channel.clone();
    let OwnDraft { article, mut notes, .. } = read_own_draft(draft)?;
    let mut read = sources::read(sources, Some(draft), Some(settings), headless::message)?;
    notes.append(&mut read.notes);
    notes.extend(language_notes(&article, &read.sources));
    let assignment = Assignment {
        desk: settings.article_generation.default_desk.clone(),
        ..assignment(channel, &wiring::topic_defaults(settings), draft, article, read)?
    };
    Ok(ReadTopic { file: draft.display().to_string(), what: TopicRead::Assignment(Box::new(assignment)), notes })
}

/// The story: the draft's headline is its title, the first source is its topic's text.
fn assignment(
    channel: PathName,
    defaults: &TopicDefaults,
    draft: &Path,
    article: ArticleResponse,
    read: GivenSources,
) -> Result<Assignment> {
    let stem = draft.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let named = if sanitise::is_blank(&article.headline) { &stem } else { &article.headline };
    let name = sanitise::excerpt(named, LONGEST_NAME);
    let mut sources = read.sources.into_iter();
    let first = sources.next().ok_or_else(|| WrongUse("there is no source to hold the draft against".into()))?;
    let mut topic = topic_file::from_plain_source(&first.name, &name, first.text, channel, defaults)?;
    topic.source_metadata.topic_title = sanitise::one_line(named);
    // By this name the ledger cites it, here as on the command line.
    topic.source_metadata.video_title = first.name;
    Ok(Assignment {
        more_sources: sources.collect(),
        hidden: read.hidden,
        recorded: read.recorded,
        given_draft: Some(drafts::completed(article)),
        ..Assignment::of(topic)
    })
}

/// How the screen comes to the story of a draft.
pub(crate) enum Story {
    /// A run is opened for it.
    Begins(Box<Assignment>),
    /// Its current run is about this very draft.
    Stands(RunKey),
}

/// The story as it stands, if its current run began with this draft and these sources; otherwise the same story in a
/// new run. The earlier run stays in the records, even if it waits. Only a run that began with a draft gives way to
/// another.
///
/// # Errors
/// If a run of that name waits that the desk has written itself.
pub(crate) async fn story_of(store: &Store, assignment: Assignment) -> Result<Story> {
    let key = assignment.topic.story();
    let Some((current, run)) = store.current_run(&key.to_string()).await? else {
        return Ok(Story::Begins(Box::new(assignment)));
    };
    let opening = store.load(current).await?.journal.opening.clone();
    if is_of(&assignment, &opening) {
        return Ok(Story::Stands(current));
    }
    if opening.given_draft.is_some() {
        return Ok(Story::Begins(Box::new(Assignment { replaces: Replaces::Waiting, ..assignment })));
    }
    if run.waits.is_some() {
        return Err(wrong_use(format!(
            "{key} waits for its editor, and its draft is the desk's: decide it first (`copydesk` opens it), or give yours another \
             headline, by which its story is named"
        )));
    }
    Ok(Story::Begins(Box::new(assignment)))
}

/// Whether a run was opened with this draft and these sources.
fn is_of(assignment: &Assignment, opening: &Opening) -> bool {
    let (topic, own) = (&assignment.topic, &opening.topic);
    let first = |topic: &Topic| (topic.source_metadata.video_title.clone(), topic.source_text.clone());
    assignment.given_draft == opening.given_draft
        && first(topic) == first(own)
        && assignment.more_sources == opening.more_sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::{Gates, HiddenText, HidingSource, Source};

    fn own(headline: &str) -> Assignment {
        let defaults = TopicDefaults {
            allowed_styles: vec!["NATURE_NEWS".into()],
            style_mode: "NATURE_NEWS".into(),
            target_length_words: "250-400".into(),
        };
        let article = ArticleResponse {
            headline: headline.into(),
            alternativeHeadline: String::new(),
            description: String::new(),
            articleBody: "The council voted.\n\nMore.".into(),
        };
        let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
        let hidden = vec![HidingSource {
            source: "minutes.txt".into(),
            texts: vec![HiddenText { how: "a comment".into(), text: "It did not.".into() }],
        }];
        let sources = vec![source("minutes.txt", "The council voted on Tuesday."), source("letter.txt", "We ask you.")];
        let read = GivenSources { sources, hidden, ..GivenSources::default() };
        assignment(PathName::new("desk").unwrap(), &defaults, Path::new("drafts/park.md"), article, read).unwrap()
    }

    #[test]
    fn an_own_draft_is_a_story_with_its_first_draft_given() {
        let story = own("Council votes for the park");
        assert_eq!(story.topic.story().to_string(), "desk/council-votes-for-the-park");
        assert_eq!(story.topic.source_metadata.topic_title, "Council votes for the park");
        assert_eq!(story.topic.source_text, "The council voted on Tuesday.");
        assert_eq!(story.topic.source_metadata.video_title, "minutes.txt");
        assert_eq!(story.hidden.len(), 1, "what the minutes hide is kept with the story");
        assert_eq!(story.more_sources, [Source { name: "letter.txt".into(), text: "We ask you.".into() }]);
        let draft = story.given_draft.unwrap();
        assert_eq!(
            (draft.alternativeHeadline.as_str(), draft.description.as_str()),
            ("", ""),
            "nothing is printed twice"
        );
        assert_eq!(story.gates, Gates::Editor);
    }

    #[test]
    fn without_a_headline_the_file_names_the_story() {
        let story = own("");
        let title = story.topic.source_metadata.topic_title.as_str();
        assert_eq!((story.topic.story().to_string().as_str(), title), ("desk/park", "park"));
        assert_eq!(story.given_draft.unwrap().headline, "The council voted.");
    }
}
