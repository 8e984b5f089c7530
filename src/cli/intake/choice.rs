//! An editor's choices as words: the arguments of `copydesk decide`, and the lines that `copydesk run --plain` reads.

use clap::{Parser, ValueEnum, error::ErrorKind};

use crate::agents::with_fix;
use crate::cli::intake::{drafts, sources, words::one_of};
use crate::cli::prelude::*;
use crate::editorial::{
    changes,
    decisions::{self, standing},
    publishing,
    returned::read_back,
};
use crate::knowledge::reading;
use crate::newsroom::{Choice, Journal, Status, Step, TriageWay, Wait};
use crate::text::{count, in_marks};
use crate::tui::worker::context::AddedFile;

/// A choice as it was typed.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum DecideCommand {
    /// Overrule the verdict on a concern. The record keeps both.
    Overrule {
        /// The concern's number.
        concern: u32,
        /// The verdict that counts from now on.
        #[arg(ignore_case = true, value_parser = one_of([Status::Keep, Status::Rewrite, Status::Remove], Status::name))]
        status: Status,
        /// Why.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
        /// What the writer is to do.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        fix: Option<String>,
    },
    /// Accept a finding of the proof, a fix, a change, what the Publisher notes, or the flags of a story that has ended.
    Accept {
        what: AcceptedKind,
        /// Its number, as `copydesk show STORY` or the page of changes has it; several of notes, none of flags.
        #[arg(value_name = "NUMBER")]
        numbers: Vec<u32>,
        /// Why: for a finding and for flags.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Give the writer to-dos, one on each line. At sign-off that sends the article back.
    Feedback {
        /// The to-dos.
        #[arg(allow_hyphen_values = true)]
        text: String,
    },
    /// Make your own text the next draft.
    Edit {
        /// Markdown, or an article in JSON; `copydesk show STORY --draft` prints the draft as it is.
        file: PathBuf,
        /// Take in what a colleague did in a review copy (`copydesk export STORY --format docx-review`): changes accepted and rejected,
        /// edits, comments.
        #[arg(long)]
        returned: bool,
    },
    /// Send the Reporter to find something out before the writer revises.
    Research {
        /// What to find out [default with --concern: the sentence of the draft].
        #[arg(allow_hyphen_values = true, required_unless_present = "concern")]
        text: Option<String>,
        /// For this concern.
        #[arg(long, value_name = "NUMBER")]
        concern: Option<u32>,
        /// Send the concern to the writer instead, with the sources at hand.
        #[arg(long, requires = "concern", conflicts_with = "text")]
        skip: bool,
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
        /// Only distrust it: it is shown as before, but nothing rests on it.
        #[arg(long)]
        distrust: bool,
    },
    /// Allow or refuse the call of the Reporter that the story waits for.
    Call {
        answer: CallAnswer,
        /// What the Reporter is told beside it.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true, default_value = "")]
        note: String,
    },
    /// Undo a decision of this round.
    Undo {
        /// The decision's number [default: your last one].
        number: Option<u32>,
    },
    /// Allow one more round.
    AnotherRound,
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
    /// Approve the article. A fact sheet that nobody has edited is no article.
    SignOff {
        /// Approve a fact sheet as notes.
        #[arg(long)]
        as_notes: bool,
    },
    /// Reopen a story that has ended, at the last decision or at the step that failed.
    Reopen,
}

/// What is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AcceptedKind {
    /// A finding of the proof, such as a quotation that is in no source. The record keeps the finding and your decision.
    Finding,
    /// The fix for a concern, if it names the words to put or to delete: it is made in the text.
    Fix,
    /// A change of the draft that waits from the one before. The record keeps who accepted it.
    Change,
    /// What the Publisher notes: it is made in the text, and the next draft is yours.
    Note,
    /// The flags of a story that has ended. It leaves the review queue; nothing else changes.
    Flags,
}

/// The answer to a call that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallAnswer {
    /// The call is made.
    Allow,
    /// The Reporter goes on without it.
    Refuse,
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
            Self::Overrule { concern, status, reason, fix } => Choice::Override { concern, status, fix, reason },
            Self::Accept { what, numbers, reason } => return accepted(journal, what, &numbers, reason),
            Self::Feedback { text } => match decisions::waits(journal) {
                Some(Wait::SignOff { .. }) => Choice::SendBack { text },
                Some(Wait::Plan) => Choice::Plan { text },
                _ => Choice::Feedback { text },
            },
            Self::Edit { file, returned: true } => return returned(journal, &file).map(DecideRequest::Choices),
            Self::Edit { file, returned: false } => {
                let (article, notes) = drafts::read_draft(&file)?;
                headless::messages(&notes);
                Choice::Edit { article }
            }
            Self::Research { text: Some(question), concern: None, .. } => Choice::Research { question },
            Self::Research { text: question, concern, skip } => {
                let way = if skip { TriageWay::Rewrite } else { TriageWay::Research };
                Choice::Triage { concern: concern.unwrap_or_default(), way, question }
            }
            Self::AddSource { file, name } => {
                let AddedFile { source, hidden, recorded, notes } =
                    sources::one(&file, settings, &journal.opening.secrecy, headless::message)?;
                headless::messages(&notes);
                Choice::AddSource {
                    name: name.unwrap_or(source.name),
                    text: source.text,
                    hidden,
                    recorded: recorded.map(Box::new),
                }
            }
            Self::RemoveSource { name, reason, distrust: false } => Choice::RemoveSource { name, reason },
            Self::RemoveSource { name, reason, distrust: true } => Choice::DistrustSource { name, reason },
            Self::Call { answer, note } => {
                // If no call is asked about, the desk says so of any.
                let call = decisions::waits(journal).and_then(Wait::call).unwrap_or(Step::Publish);
                Choice::Call { call, allows: answer == CallAnswer::Allow, note }
            }
            Self::Undo { number } => Choice::Undo { number: number.map_or_else(|| last(journal), Ok)? },
            Self::AnotherRound => Choice::AnotherRound,
            Self::Continue => Choice::Continue,
            Self::Stet { reason } => Choice::Stet { reason },
            Self::Spike { reason } => Choice::Spike { reason },
            // The desk writes down the log's head at the moment of the decision.
            Self::SignOff { as_notes } => Choice::SignOff { chain: String::new(), as_notes },
            Self::Reopen => return Ok(DecideRequest::Reopen),
        };
        Ok(DecideRequest::Choices(vec![choice]))
    }
}

/// The decisions in a review copy that came back.
fn returned(journal: &Journal, file: &Path) -> Result<Vec<Choice>> {
    let named = |error: &dyn std::fmt::Display| WrongUse(format!("{}: {error}", file.display()));
    let Some(round) = decisions::waits(journal).map(Wait::round) else {
        return Err(wrong_use("the story waits for nobody, so a review copy cannot be taken in"));
    };
    let document = reading::returned(file).map_err(|error| named(&error))?;
    let read = read_back(journal, round, &document).map_err(|error| named(&error))?;
    if !read.clashes.is_empty() {
        let words = read.clashes.iter().map(|words| in_marks(&sanitise::excerpt(words, 60)));
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

/// The decision that accepts something.
fn accepted(journal: &Journal, what: AcceptedKind, numbers: &[u32], reason: Option<String>) -> Result<DecideRequest> {
    let needs = |what: &str| WrongUse(format!("accept {what}"));
    let number = match (what, numbers) {
        (AcceptedKind::Flags, []) => {
            return Ok(DecideRequest::AcceptFlags(reason.ok_or_else(|| needs("flags needs a reason: --reason TEXT"))?));
        }
        (AcceptedKind::Flags, _) => return Err(needs("flags takes no number: all are accepted").into()),
        (AcceptedKind::Note, [_, ..]) => return Ok(DecideRequest::Choices(vec![accepted_notes(journal, numbers)?])),
        (_, [number]) => *number,
        _ => return Err(needs("finding|fix|change needs one NUMBER, accept note one or more").into()),
    };
    let choice = match what {
        AcceptedKind::Finding => {
            let reason = reason.ok_or_else(|| needs("finding needs a reason: --reason TEXT"))?;
            match decisions::waits(journal) {
                Some(wait) => decisions::accepting(journal, wait, number, reason),
                None => Choice::Accept { finding: number, reason },
            }
        }
        AcceptedKind::Change => accepted_change(journal, number)?,
        AcceptedKind::Fix | AcceptedKind::Note | AcceptedKind::Flags => {
            let round = decisions::waits(journal).map_or(0, Wait::round);
            let article = with_fix(journal, round, number).ok_or_else(|| {
                WrongUse(format!(
                    "concern {number} has no fix that names the words to put or to delete: the writer gets it as a to-do, or \
                     change the text yourself (edit FILE)"
                ))
            })?;
            Choice::Applied { concern: number, article }
        }
    };
    Ok(DecideRequest::Choices(vec![choice]))
}

/// The change of the draft that waits from the one before, by its number.
fn accepted_change(journal: &Journal, number: u32) -> Result<Choice> {
    let round = decisions::waits(journal).map_or(0, Wait::round);
    let pair = (round.saturating_sub(1), round);
    let changes = changes::between(journal, pair.0, pair.1).unwrap_or_default().changes;
    let change = place(number).and_then(|at| changes.get(at));
    change.and_then(|change| changes::accepting(journal, pair, change)).ok_or_else(|| {
        let count = match changes.len() {
            0 => "no changes".to_owned(),
            count => format!("changes 1 to {count}"),
        };
        WrongUse(format!("the draft that waits has no change {number}: it has {count}")).into()
    })
}

/// The place of what is counted from 1.
fn place(number: u32) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

/// The draft that waits for sign-off with notes of the Publisher done, as an edit.
fn accepted_notes(journal: &Journal, numbers: &[u32]) -> Result<Choice, WrongUse> {
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
        let found = place(*number).and_then(|at| Some((at + 1, notes.get(at)?)));
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
            Err(wrong_use(format!("{story}: you have decided nothing in this round, so there is nothing to undo")))
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
            "research" if !text.starts_with("--") => {
                return Ok(DecideCommand::Research { text: Some(text.to_owned()), concern: None, skip: false });
            }
            _ => {}
        }
    }
    let words = shell_words::split(line)
        .map_err(|_| WrongUse("a quotation mark is not closed; put a text with an apostrophe between \"…\"".into()))?;
    Line::try_parse_from(words).map(|line| line.words).map_err(|error| {
        let message = error.render().to_string().trim_end().to_owned();
        // A word too many behind an option is the next word of its text.
        let is_text = error.kind() == ErrorKind::UnknownArgument
            && ["--reason", "--fix", "--note"].iter().any(|text| line.contains(text));
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
                    status: Status::Keep,
                    reason: "The clerk's note says so.".into(),
                    fix: None,
                },
            ),
            (
                "overrule 2 remove --reason '- so' --fix '-- Delete it'",
                DecideCommand::Overrule {
                    concern: 2,
                    status: Status::Remove,
                    reason: "- so".into(),
                    fix: Some("-- Delete it".into()),
                },
            ),
            (
                "accept finding 1 --reason 'I hold the tape.'",
                DecideCommand::Accept {
                    what: AcceptedKind::Finding,
                    numbers: vec![1],
                    reason: Some("I hold the tape.".into()),
                },
            ),
            ("feedback \"- Name the day.\"", DecideCommand::Feedback { text: "- Name the day.".into() }),
            (
                "feedback Name the day, don't name the month.",
                DecideCommand::Feedback { text: "Name the day, don't name the month.".into() },
            ),
            (" feedback  - \"Who?\" ", DecideCommand::Feedback { text: "- \"Who?\"".into() }),
            (
                "research --concern 2 'Who paid?'",
                DecideCommand::Research { text: Some("Who paid?".into()), concern: Some(2), skip: false },
            ),
            (
                "research Who paid for the mayor's trip?",
                DecideCommand::Research {
                    text: Some("Who paid for the mayor's trip?".into()),
                    concern: None,
                    skip: false,
                },
            ),
            (
                "add-source 'the minutes.pdf' --name Minutes",
                DecideCommand::AddSource { file: "the minutes.pdf".into(), name: Some("Minutes".into()) },
            ),
            (
                "remove-source https://a.example/b --distrust --reason 'Nobody confirms it.'",
                DecideCommand::RemoveSource {
                    name: "https://a.example/b".into(),
                    reason: "Nobody confirms it.".into(),
                    distrust: true,
                },
            ),
            ("call allow", DecideCommand::Call { answer: CallAnswer::Allow, note: String::new() }),
            (
                "call refuse --note 'Not before Friday.'",
                DecideCommand::Call { answer: CallAnswer::Refuse, note: "Not before Friday.".into() },
            ),
            ("another-round", DecideCommand::AnotherRound),
            ("undo", DecideCommand::Undo { number: None }),
            ("undo 3", DecideCommand::Undo { number: Some(3) }),
            ("sign-off", DecideCommand::SignOff { as_notes: false }),
            ("sign-off --as-notes", DecideCommand::SignOff { as_notes: true }),
            ("accept note 1 3", DecideCommand::Accept { what: AcceptedKind::Note, numbers: vec![1, 3], reason: None }),
        ] {
            assert_eq!(read_line(line).unwrap(), words, "{line}");
        }
        for (line, says) in [
            ("feedback \"don't", "a quotation mark is not closed"),
            ("stet --reason don't", "a quotation mark is not closed"),
            ("feedback", "<TEXT>"),
            ("overrule 2 keep", "--reason <TEXT>"),
            ("overrule 2 maybe --reason x", "[possible values: KEEP, REWRITE, REMOVE]"),
            ("overturn 2", "unrecognized subcommand 'overturn'"),
            ("stet", "--reason <TEXT>"),
            ("continue now", "unexpected argument 'now'"),
            ("overrule 2 keep --reason checked by phone", "unexpected argument 'by'"),
            ("overrule 2 keep --reason checked by phone", QUOTED),
            ("overrule 2 rewrite --reason so --fix Say when", QUOTED),
            ("stet --reason it is right", QUOTED),
            ("accept all", "[possible values: finding, fix, change, note, flags]"),
            ("stet --reason=it is right", QUOTED),
        ] {
            let said = read_line(line).unwrap_err().to_string();
            assert!(said.contains(says), "{line}: {said}");
        }
        for line in ["continue now", "overturn 2 --reason a b", "overrule 2 maybe --reason x"] {
            assert!(!read_line(line).unwrap_err().to_string().contains(QUOTED), "{line}");
        }
    }
}
