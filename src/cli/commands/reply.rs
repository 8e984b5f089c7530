//! `copydesk reply`: whom a story asked for a reply, by when, and what they said.

use crate::cli::intake::story::when;
use crate::cli::prelude::*;
use crate::editorial::replies::{self, NotNoted};
use crate::newsroom::local_minute;
use crate::ports::Stories as _;

#[derive(Debug, Args)]
pub(crate) struct ReplyArgs {
    /// channel/slug, or a slug.
    story: String,
    /// Note that this person was asked, or what they said. Without a name, those whom the story asked are listed.
    #[arg(conflicts_with = "json")]
    name: Option<String>,
    /// By when they are to answer, in local time: 18:00, "tomorrow 18:00", +2h, +3d.
    #[arg(long, value_name = "TIME", requires = "name", conflicts_with = "answer")]
    by: Option<String>,
    /// What they were asked about.
    #[arg(long, value_name = "TEXT", requires = "name", conflicts_with = "answer")]
    about: Option<String>,
    /// What they said, or that they did not want to say anything.
    #[arg(long, value_name = "TEXT", requires = "name", group = "answer")]
    said: Option<String>,
    /// A file with what they said.
    #[arg(long, value_name = "FILE", requires = "name", group = "answer")]
    file: Option<PathBuf>,
    /// Print the list as a JSON array.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn reply(config: Option<&Path>, arguments: ReplyArgs) -> Result<Exit> {
    let ReplyArgs { story, name, by, about, said, file, json } = arguments;
    let settings = settings::load(config)?;
    let Some(name) = name else { return list(&wiring::store_to_look(&settings)?, &story, json).await };
    let store = wiring::store(&settings)?;
    let (key, ..) = story::story(&store, &story).await?;
    let said = match file {
        None => said,
        Some(file) => {
            Some(std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read as text", file.display()))?)
        }
    };
    match said {
        None => ask(&store, &key, (&name, by, about), &settings.editor).await,
        Some(said) => answered(&store, &key, &replies::named(&name).map_err(wrong)?, &said, &settings.editor).await,
    }
}

async fn list(store: &Store, named: &str, json: bool) -> Result<Exit> {
    let (key, _, listed) = story::story(store, named).await?;
    let replies = store.replies(&key).await?;
    if json {
        headless::json(&replies)?;
        return Ok(Exit::Fine);
    }
    for line in headless::reply_lines(&listed, &replies, SystemClock.now()) {
        headless::data(&line)?;
    }
    if replies.is_empty() {
        headless::message(&format!("{key} has asked nobody for a reply."));
    }
    Ok(Exit::Fine)
}

async fn ask(
    store: &Store,
    key: &StoryKey,
    (name, by, about): (&str, Option<String>, Option<String>),
    editor: &str,
) -> Result<Exit> {
    let due = by.as_deref().map(when).transpose()?.flatten();
    let reply = replies::asked(name, &about.unwrap_or_default(), due.clone(), editor, &clock::now()).map_err(wrong)?;
    let name = reply.name.clone();
    store.ask_reply(key, reply).await?;
    headless::message(&match due {
        Some(due) => format!("{key}: {name} was asked, to answer by {}.", local_minute(&due)),
        None => format!("{key}: {name} was asked. No time is set: --by says by when."),
    });
    Ok(Exit::Fine)
}

async fn answered(store: &Store, key: &StoryKey, name: &str, said: &str, editor: &str) -> Result<Exit> {
    let said = replies::said(said).map_err(wrong)?;
    if store.answer_reply(key, name, &said, editor, &clock::now()).await? {
        headless::message(&format!("{key}: what {name} said is noted."));
        return Ok(Exit::Fine);
    }
    let open: Vec<String> =
        store.replies(key).await?.into_iter().filter(|reply| reply.answer.is_none()).map(|reply| reply.name).collect();
    let open = if open.is_empty() { "nobody".to_owned() } else { open.join(", ") };
    Err(wrong_use(format!(
        "{key} waits for no reply of {name}; it waits for {open}. `copydesk reply {key} NAME` notes a question"
    )))
}

fn wrong(why: NotNoted) -> WrongUse {
    WrongUse(why.to_string())
}
