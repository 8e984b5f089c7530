//! `copydesk reply`: whom a story asked for a reply, by when, and what they said.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};

use crate::{
    cli::{
        exit::{Exit, WrongUse},
        intake::{story, when::when},
        wiring::{
            self,
            clock::{self, SystemClock},
            settings,
        },
    },
    headless,
    newsroom::{StoryKey, StoryReply, local_minute},
    ports::{Clock as _, Replies as _},
    store::Store,
    text::sanitise,
};

/// Most characters of a name, and of what somebody is asked about.
const LONGEST_NAME: usize = 120;
const LONGEST_ABOUT: usize = 1_000;

/// Most bytes of an answer.
const LONGEST_ANSWER: usize = 100_000;

#[derive(Debug, Args)]
pub(crate) struct ReplyArgs {
    /// channel/slug, or a slug.
    story: String,
    #[command(subcommand)]
    command: ReplyCommand,
}

#[derive(Debug, Subcommand)]
enum ReplyCommand {
    /// Note that somebody was asked.
    Ask {
        /// Who was asked.
        name: String,
        /// By when they are to answer, in local time: 18:00, "tomorrow 18:00", +2h, +3d.
        #[arg(long, value_name = "TIME")]
        by: Option<String>,
        /// What they were asked about.
        #[arg(long, value_name = "TEXT")]
        about: Option<String>,
    },
    /// Note what they said, or that they did not want to say anything.
    Answered {
        /// Who was asked.
        name: String,
        /// What they said.
        #[arg(long, value_name = "TEXT", required_unless_present = "file")]
        text: Option<String>,
        /// A file with what they said.
        #[arg(long, value_name = "FILE", conflicts_with = "text")]
        file: Option<PathBuf>,
    },
    /// List whom the story asked.
    List {
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn reply(config: Option<&Path>, arguments: ReplyArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    match arguments.command {
        ReplyCommand::Ask { name, by, about } => {
            let store = wiring::store(&settings)?;
            let (key, _) = story::story(&store, &arguments.story).await?;
            ask(&store, &key, (&name, by, about), &settings.editor).await
        }
        ReplyCommand::Answered { name, text, file } => {
            let store = wiring::store(&settings)?;
            let (key, _) = story::story(&store, &arguments.story).await?;
            let said = match file {
                None => text.unwrap_or_default(),
                Some(file) => std::fs::read_to_string(&file)
                    .with_context(|| format!("{} cannot be read as text", file.display()))?,
            };
            answered(&store, &key, &named(&name)?, &said, &settings.editor).await
        }
        ReplyCommand::List { json } => {
            let store = wiring::store_to_look(&settings)?;
            let (key, listed) = story::story(&store, &arguments.story).await?;
            let replies = store.replies(&key).await?;
            if json {
                headless::data(&serde_json::to_string_pretty(&replies)?)?;
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
    }
}

async fn ask(
    store: &Store,
    key: &StoryKey,
    (name, by, about): (&str, Option<String>, Option<String>),
    editor: &str,
) -> Result<Exit> {
    let due = match by {
        Some(by) => when(&by.split_whitespace().map(str::to_owned).collect::<Vec<_>>())?,
        None => None,
    };
    let reply = StoryReply {
        name: named(name)?,
        about: sanitise::excerpt(&about.unwrap_or_default(), LONGEST_ABOUT),
        asked_at: clock::now(),
        asked_by: editor.to_owned(),
        due: due.clone(),
        answer: None,
    };
    let name = reply.name.clone();
    store.ask_reply(key, reply).await?;
    headless::message(&match due {
        Some(due) => format!("{key}: {name} was asked, to answer by {}.", local_minute(&due)),
        None => format!("{key}: {name} was asked. No time is set: --by says by when."),
    });
    Ok(Exit::Fine)
}

async fn answered(store: &Store, key: &StoryKey, name: &str, said: &str, editor: &str) -> Result<Exit> {
    let said = sanitise::clean(said).trim().to_owned();
    if sanitise::is_blank(&said) {
        let message = "say what they answered, or that they did not want to (--text)";
        return Err(WrongUse(message.to_owned()).into());
    }
    if said.len() > LONGEST_ANSWER {
        return Err(WrongUse("an answer has at most 100,000 bytes; add a longer one as a source".to_owned()).into());
    }
    if store.answer_reply(key, name, &said, editor, &clock::now()).await? {
        headless::message(&format!("{key}: what {name} said is noted."));
        return Ok(Exit::Fine);
    }
    let open: Vec<String> =
        store.replies(key).await?.into_iter().filter(|reply| reply.answer.is_none()).map(|reply| reply.name).collect();
    let open = if open.is_empty() { "nobody".to_owned() } else { open.join(", ") };
    Err(WrongUse(format!(
        "{key} waits for no reply of {name}; it waits for {open}. `copydesk reply {key} ask NAME` notes a question"
    ))
    .into())
}

/// A name in one line.
fn named(name: &str) -> Result<String, WrongUse> {
    let named = sanitise::one_line(name);
    if sanitise::is_blank(&named) {
        return Err(WrongUse("say who was asked".to_owned()));
    }
    if named.chars().count() > LONGEST_NAME {
        return Err(WrongUse(format!("a name has at most {LONGEST_NAME} characters")));
    }
    Ok(named)
}
