//! `copydesk reply`: whom a story asked for a reply, by when, and what they said.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};

use crate::{
    cli::{
        exit::{Exit, WrongUse},
        intake::story::{self, when},
        wiring::{
            self,
            clock::{self, SystemClock},
            settings,
        },
    },
    editorial::replies::{self, NotNoted},
    headless,
    newsroom::{StoryKey, local_minute},
    ports::{Clock as _, Replies as _},
    store::Store,
};

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
            answered(&store, &key, &replies::named(&name).map_err(wrong)?, &said, &settings.editor).await
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
    Err(WrongUse(format!(
        "{key} waits for no reply of {name}; it waits for {open}. `copydesk reply {key} ask NAME` notes a question"
    ))
    .into())
}

fn wrong(why: NotNoted) -> WrongUse {
    WrongUse(why.to_string())
}
