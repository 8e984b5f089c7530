//! An editor's choices as words: the arguments of `copydesk decide`, and the lines that `copydesk run --plain` reads.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum, error::ErrorKind};

use crate::{
    agents::with_fix,
    cli::{
        exit::WrongUse,
        intake::{drafts, sources},
    },
    config::Settings,
    editorial::{
        changes,
        decisions::{self, standing},
        publishing,
        returned::read_back,
    },
    headless,
    knowledge::reading,
    newsroom::{Choice, Journal, Status, Step, TriageWay, Wait},
    text::{count, sanitise},
    tui::worker::context::AddedFile,
};

/// A choice as it was typed.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum DecideCommand {
    /// Overrule the verdict on a concern. The record keeps both.
    #[command(visible_alias = "override")]
    Overrule {
        /// The concern's number.
        concern: u32,
        /// The verdict that counts from now on.
        #[arg(ignore_case = true)]
        status: VerdictWord,
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
        /// What the writer is to do.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        fix: Option<String>,
    },
    /// Accept a finding of the proof, such as a quotation that is in no source. The record keeps the finding and your decision.
    Accept {
        /// The finding's number, as `copydesk show STORY` prints it.
        finding: u32,
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Give the writer to-dos, one on each line.
    Feedback {
        /// The to-dos.
        #[arg(allow_hyphen_values = true)]
        text: String,
    },
    /// Make your own text the next draft.
    Edit {
        /// Markdown, or an article in JSON; `copydesk show STORY --draft` prints the draft as it is.
        file: PathBuf,
    },
    /// Take in a review copy that came back from a colleague: changes accepted and rejected in it, edits, comments.
    Returned {
        /// The document, which `copydesk export STORY --format docx-review` wrote.
        file: PathBuf,
    },
    /// Send a concern to the writer, or to the Reporter first.
    Triage {
        /// The concern's number.
        #[arg(long, value_name = "NUMBER")]
        concern: u32,
        /// Who works on it.
        #[arg(long, ignore_case = true)]
        to: WayWord,
        /// What the Reporter is to find out [default: the sentence of the draft].
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        question: Option<String>,
    },
    /// Send the Reporter to find something out before the writer revises.
    Research {
        /// What to find out.
        #[arg(allow_hyphen_values = true)]
        text: String,
    },
    /// Add a source to the story.
    AddSource {
        /// A document or a recording.
        file: PathBuf,
        /// Its name in the story [default: the file's name].
        #[arg(long)]
        name: Option<String>,
    },
    /// Remove a source: from now on nothing is checked against it. The record keeps its text.
    RemoveSource {
        /// Its name, as `copydesk show STORY` prints it.
        name: String,
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Distrust a source: it is shown as before, but from now on nothing rests on it.
    DistrustSource {
        /// Its name, as `copydesk show STORY` prints it.
        name: String,
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Allow the call of the Reporter that the story waits for.
    Allow {
        /// What the Reporter is told beside it.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true, default_value = "")]
        note: String,
    },
    /// Refuse the call of the Reporter that the story waits for.
    Refuse {
        /// Why; the Reporter is told.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true, default_value = "")]
        note: String,
    },
    /// Make the fix for a concern in the text, if it names the words to put or to delete.
    Apply {
        /// The concern's number.
        concern: u32,
    },
    /// Note something for the record alone: nobody is asked to do anything.
    Comment {
        /// The comment.
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// The words of the draft that it is on [default: the whole draft].
        #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
        about: Option<String>,
    },
    /// Let a change of the draft that waits stand. The record keeps who accepted it.
    AcceptChange {
        /// The change's number on the page of changes, from the draft before.
        change: usize,
    },
    /// Make what the Publisher notes in the text: the next draft is yours.
    AcceptNote {
        /// The notes' numbers, as `copydesk show STORY` prints them.
        #[arg(required = true, value_name = "NUMBER")]
        notes: Vec<usize>,
    },
    /// Allow one more round.
    AnotherRound,
    /// Undo a decision of this round.
    Undo {
        /// The decision's number [default: your last one].
        number: Option<u32>,
    },
    /// Move on: to the writer, to sign-off, or to the end after the last round.
    Continue,
    /// Accept the draft as it stands.
    Stet {
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Give the story up.
    Spike {
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Approve the article.
    SignOff,
    /// Send the article back to the writer with to-dos, one on each line.
    SendBack {
        /// The to-dos.
        #[arg(allow_hyphen_values = true)]
        text: String,
    },
    /// Reopen a story that has ended, at the last decision or at the step that failed.
    Reopen,
    /// Accept the flags of a story that has ended. It leaves the review queue; nothing else changes.
    #[command(alias = "let-stand")]
    AcceptFlags {
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
}

/// A verdict's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictWord {
    /// The text may stand.
    Keep,
    /// The text must be reworded.
    Rewrite,
    /// The text must go.
    Remove,
}

/// Who works on a concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WayWord {
    /// The Reporter looks for a source first.
    Research,
    /// The writer rewrites it with the sources at hand.
    Rewrite,
}

/// A person's decision, in the form that the desk takes.
pub(crate) enum DecideRequest {
    /// One after the other.
    Choices(Vec<Choice>),
    Reopen,
    AcceptFlags(String),
}

impl DecideCommand {
    /// Turns the command into a decision on a run that stands as `journal` says. Reads the file of a hand edit or of a source.
    pub(crate) fn meant(self, journal: &Journal, settings: &Settings) -> Result<DecideRequest> {
        let choice = match self {
            Self::Overrule { concern, status, reason, fix } => {
                let status = match status {
                    VerdictWord::Keep => Status::Keep,
                    VerdictWord::Rewrite => Status::Rewrite,
                    VerdictWord::Remove => Status::Remove,
                };
                Choice::Override { concern, status, fix, reason }
            }
            Self::Accept { finding, reason } => match decisions::waits(journal) {
                Some(wait) => decisions::accepting(journal, wait, finding, reason),
                None => Choice::Accept { finding, reason },
            },
            Self::Feedback { text } => Choice::Feedback { text },
            Self::Edit { file } => {
                let (article, notes) = drafts::read_draft(&file)?;
                for note in &notes {
                    headless::message(note);
                }
                Choice::Edit { article }
            }
            Self::Returned { file } => return returned(journal, &file).map(DecideRequest::Choices),
            Self::Triage { to: WayWord::Rewrite, question: Some(_), .. } => {
                return Err(WrongUse("only the Reporter is asked a question: give it with --to research".into()).into());
            }
            Self::Triage { concern, to, question } => {
                let way = match to {
                    WayWord::Research => TriageWay::Research,
                    WayWord::Rewrite => TriageWay::Rewrite,
                };
                Choice::Triage { concern, way, question }
            }
            Self::Research { text } => Choice::Research { question: text },
            Self::AddSource { file, name } => {
                let AddedFile { source, hidden, notes } =
                    sources::one(&file, settings, &journal.opening.secrecy, headless::message)?;
                for note in &notes {
                    headless::message(note);
                }
                Choice::AddSource { name: name.unwrap_or(source.name), text: source.text, hidden }
            }
            Self::RemoveSource { name, reason } => Choice::RemoveSource { name, reason },
            Self::DistrustSource { name, reason } => Choice::DistrustSource { name, reason },
            Self::Allow { note } => on_call(journal, true, note),
            Self::Refuse { note } => on_call(journal, false, note),
            Self::Apply { concern } => {
                let round = decisions::waits(journal).map_or(0, Wait::round);
                match with_fix(journal, round, concern) {
                    Some(article) => Choice::Applied { concern, article },
                    None => {
                        return Err(WrongUse(format!(
                            "concern {concern} has no fix that names the words to put or to delete: the writer gets it as a to-do, or                              change the text yourself (edit FILE)"
                        ))
                        .into());
                    }
                }
            }
            Self::Comment { text, about } => Choice::Comment { about: about.unwrap_or_default(), text },
            Self::AcceptChange { change } => accepted_change(journal, change)?,
            Self::AcceptNote { notes } => accepted_notes(journal, &notes)?,
            Self::AnotherRound => Choice::AnotherRound,
            Self::Undo { number } => Choice::Undo { number: number.map_or_else(|| last(journal), Ok)? },
            Self::Continue => Choice::Continue,
            Self::Stet { reason } => Choice::Stet { reason },
            Self::Spike { reason } => Choice::Spike { reason },
            // The desk writes down the log's head at the moment of the decision.
            Self::SignOff => Choice::SignOff { chain: String::new() },
            Self::SendBack { text } => Choice::SendBack { text },
            Self::Reopen => return Ok(DecideRequest::Reopen),
            Self::AcceptFlags { reason } => return Ok(DecideRequest::AcceptFlags(reason)),
        };
        Ok(DecideRequest::Choices(vec![choice]))
    }
}

/// The decisions in a review copy that came back.
fn returned(journal: &Journal, file: &Path) -> Result<Vec<Choice>> {
    let named = |error: &dyn std::fmt::Display| WrongUse(format!("{}: {error}", file.display()));
    let Some(round) = decisions::waits(journal).map(Wait::round) else {
        return Err(WrongUse("the story waits for nobody, so a review copy cannot be taken in".into()).into());
    };
    let document = reading::returned(file).map_err(|error| named(&error))?;
    let read = read_back(journal, round, &document).map_err(|error| named(&error))?;
    if !read.clashes.is_empty() {
        let words = read.clashes.iter().map(|words| format!("“{}”", sanitise::excerpt(words, 60)));
        headless::message(&format!(
            "Not taken in, since the draft has changed there since the copy was written: {}",
            words.collect::<Vec<_>>().join(", ")
        ));
    }
    if read.pending > 0 {
        headless::message(&format!("Still open in the copy: {}.", count(read.pending, "tracked change")));
    }
    Ok(read.choices)
}

/// A decision on the call that is asked about. If none is, the desk says so of any.
fn on_call(journal: &Journal, allows: bool, note: String) -> Choice {
    let call = decisions::waits(journal).and_then(Wait::call).unwrap_or(Step::Publish);
    Choice::Call { call, allows, note }
}

/// The change of the draft that waits from the one before, by its number.
fn accepted_change(journal: &Journal, number: usize) -> Result<Choice> {
    let round = decisions::waits(journal).map_or(0, Wait::round);
    let pair = (round.saturating_sub(1), round);
    let changes = changes::between(journal, pair.0, pair.1).unwrap_or_default().changes;
    let change = number.checked_sub(1).and_then(|at| changes.get(at));
    change.and_then(|change| changes::accepting(journal, pair, change)).ok_or_else(|| {
        let count = match changes.len() {
            0 => "no changes".to_owned(),
            count => format!("changes 1 to {count}"),
        };
        WrongUse(format!("the draft that waits has no change {number}: it has {count}")).into()
    })
}

/// The draft that waits for sign-off with notes of the Publisher done, as an edit.
fn accepted_notes(journal: &Journal, numbers: &[usize]) -> Result<Choice, WrongUse> {
    let Some(Wait::SignOff { round }) = decisions::waits(journal) else {
        return Err(WrongUse(
            "the Publisher’s notes are accepted at sign-off, and the story does not wait for that".into(),
        ));
    };
    let (Some(notes), Some(draft)) = (journal.prepared(round), journal.draft(round)) else {
        return Err(WrongUse(
            "the Publisher has not looked at this draft. `publisher.checks: true` asks it, for new runs".into(),
        ));
    };
    let chosen = numbers.iter().map(|number| {
        let found = number.checked_sub(1).and_then(|at| notes.get(at)).map(|noted| (*number, noted));
        found.ok_or_else(|| {
            let count = match notes.len() {
                0 => "none".to_owned(),
                count => format!("notes 1 to {count}"),
            };
            WrongUse(format!("the Publisher has no note {number}: it has {count}"))
        })
    });
    let chosen = chosen.collect::<Result<Vec<_>, WrongUse>>()?;
    let article = publishing::applied(&draft.article, &chosen).map_err(|why| WrongUse(why.to_string()))?;
    Ok(Choice::Edit { article })
}

/// The number of the last decision that stands at the gate.
fn last(journal: &Journal) -> Result<u32> {
    let last = standing(journal, journal.rounds()).last().map(|decided| decided.number);
    match last {
        Some(number) => Ok(number),
        None if decisions::waits(journal).is_some() => {
            let story = journal.opening.topic.story();
            Err(WrongUse(format!("{story}: you have decided nothing in this round, so there is nothing to undo"))
                .into())
        }
        // The desk says why nothing can be undone.
        None => Ok(0),
    }
}

/// A line that holds a choice.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(subcommand)]
    words: DecideCommand,
}

/// The hint if a text of several words was cut into arguments.
const QUOTED: &str = "Put a text of several words between quotation marks: --reason \"checked by phone\".";

/// Reads a line in the words of `copydesk decide STORY`, quoted as in a shell; to-dos and what the Reporter is to find out need no quotation marks.
pub(crate) fn read_line(line: &str) -> Result<DecideCommand, WrongUse> {
    if let Some((choice, text)) = line.trim().split_once(char::is_whitespace)
        && let text = text.trim_start()
        && !text.starts_with(['"', '\''])
    {
        match choice {
            "feedback" => return Ok(DecideCommand::Feedback { text: text.to_owned() }),
            "send-back" => return Ok(DecideCommand::SendBack { text: text.to_owned() }),
            "research" => return Ok(DecideCommand::Research { text: text.to_owned() }),
            _ => {}
        }
    }
    let words = shell_words::split(line)
        .map_err(|_| WrongUse("a quotation mark is not closed; put a text with an apostrophe between \"…\"".into()))?;
    Line::try_parse_from(words).map(|line| line.words).map_err(|error| {
        let message = error.render().to_string().trim_end().to_owned();
        // A word too many behind an option is the next word of its text.
        let is_text = error.kind() == ErrorKind::UnknownArgument
            && ["--reason", "--fix", "--question", "--note"].iter().any(|text| line.contains(text));
        WrongUse(if is_text { format!("{message}\n{QUOTED}") } else { message })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_the_shell_reads_the_command() {
        for (line, words) in [
            (
                "overrule 2 KEEP --reason \"The clerk's note says so.\"",
                DecideCommand::Overrule {
                    concern: 2,
                    status: VerdictWord::Keep,
                    reason: "The clerk's note says so.".into(),
                    fix: None,
                },
            ),
            (
                "override 2 remove --reason '- so' --fix '-- Delete it'",
                DecideCommand::Overrule {
                    concern: 2,
                    status: VerdictWord::Remove,
                    reason: "- so".into(),
                    fix: Some("-- Delete it".into()),
                },
            ),
            (
                "accept 1 --reason 'I hold the tape.'",
                DecideCommand::Accept { finding: 1, reason: "I hold the tape.".into() },
            ),
            ("feedback \"- Name the day.\"", DecideCommand::Feedback { text: "- Name the day.".into() }),
            (
                "feedback Name the day, don't name the month.",
                DecideCommand::Feedback { text: "Name the day, don't name the month.".into() },
            ),
            (" send-back  - \"Who?\" ", DecideCommand::SendBack { text: "- \"Who?\"".into() }),
            (
                "triage --concern 2 --to research --question 'Who paid?'",
                DecideCommand::Triage { concern: 2, to: WayWord::Research, question: Some("Who paid?".into()) },
            ),
            (
                "research Who paid for the mayor's trip?",
                DecideCommand::Research { text: "Who paid for the mayor's trip?".into() },
            ),
            (
                "add-source 'the minutes.pdf' --name Minutes",
                DecideCommand::AddSource { file: "the minutes.pdf".into(), name: Some("Minutes".into()) },
            ),
            (
                "remove-source https://a.example/b --reason 'It is a forgery.'",
                DecideCommand::RemoveSource { name: "https://a.example/b".into(), reason: "It is a forgery.".into() },
            ),
            (
                "distrust-source https://a.example/b --reason 'Nobody confirms it.'",
                DecideCommand::DistrustSource {
                    name: "https://a.example/b".into(),
                    reason: "Nobody confirms it.".into(),
                },
            ),
            ("allow", DecideCommand::Allow { note: String::new() }),
            ("refuse --note 'Not before Friday.'", DecideCommand::Refuse { note: "Not before Friday.".into() }),
            (
                "comment 'Ask Denise.' --about 'five to two'",
                DecideCommand::Comment { text: "Ask Denise.".into(), about: Some("five to two".into()) },
            ),
            ("another-round", DecideCommand::AnotherRound),
            ("undo", DecideCommand::Undo { number: None }),
            ("undo 3", DecideCommand::Undo { number: Some(3) }),
            ("sign-off", DecideCommand::SignOff),
            ("accept-flags --reason 'It is art.'", DecideCommand::AcceptFlags { reason: "It is art.".into() }),
            ("let-stand --reason 'It is art.'", DecideCommand::AcceptFlags { reason: "It is art.".into() }),
        ] {
            assert_eq!(read_line(line).unwrap(), words, "{line}");
        }
        for (line, says) in [
            ("feedback \"don't", "a quotation mark is not closed"),
            ("stet --reason don't", "a quotation mark is not closed"),
            ("feedback", "<TEXT>"),
            ("override 2 keep", "--reason <TEXT>"),
            ("override 2 maybe --reason x", "[possible values: keep, rewrite, remove]"),
            ("overturn 2", "unrecognized subcommand 'overturn'"),
            ("stet", "--reason <TEXT>"),
            ("continue now", "unexpected argument 'now'"),
            ("override 2 keep --reason checked by phone", "unexpected argument 'by'"),
            ("override 2 keep --reason checked by phone", QUOTED),
            ("override 2 rewrite --reason so --fix Say when", QUOTED),
            ("stet --reason it is right", QUOTED),
            ("triage --concern 1 --to research --question who paid", QUOTED),
            ("triage --concern 1 --to bin", "[possible values: research, rewrite]"),
            ("stet --reason=it is right", QUOTED),
        ] {
            let said = read_line(line).unwrap_err().to_string();
            assert!(said.contains(says), "{line}: {said}");
        }
        for line in ["continue now", "overturn 2 --reason a b", "override 2 maybe --reason x"] {
            assert!(!read_line(line).unwrap_err().to_string().contains(QUOTED), "{line}");
        }
    }
}
