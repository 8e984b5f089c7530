//! A story that waits for its editor, in lines: the question, what was found and decided, and which `copydesk decide` commands are
//! possible now.

use super::{Paint, report};
use crate::{
    agents::with_fix,
    desk,
    editorial::{
        changes, choices,
        decisions::{self, standing},
        drafts,
        reopening::{Reopening, reopening},
        research,
        research_report::ResearchReport,
        vouching,
    },
    newsroom::{ArticleResponse, Choice, GateOutcome, Journal, ListedRun, Status, TriageWay, Triaged, Wait},
    style,
    text::sanitise,
};

/// The report that an editor needs for a decision; none if the run does not wait.
#[must_use]
pub fn gate_report(journal: &Journal, paint: Paint) -> Option<String> {
    let wait = decisions::waits(journal)?;
    let mut lines = vec![paint.heading(&desk::question(journal, wait))];
    lines.extend(changes::left(journal, wait.round()).iter().map(|to_do| format!("  {}", to_do.line())));
    lines.extend(report::round_lines(journal, wait.round(), paint));
    if let Wait::SignOff { round } = wait
        && let Some(draft) = journal.draft(round)
    {
        lines.push(String::new());
        lines.push(drafts::to_markdown(&draft.article));
    }
    Some(lines.join("\n"))
}

/// The commands that are possible now, a line each; `before` stands before each, such as `copydesk decide desk/park `.
/// Empty if nothing can be decided. `run` is the run as it is listed, if it may have ended.
#[must_use]
pub fn possible(journal: &Journal, run: Option<&ListedRun>, before: &str) -> String {
    let stands = run.filter(|run| run.is_flagged()).map(|_| {
        (
            "accept flags --reason TEXT",
            "accepts the flags: the record keeps them, and the story leaves the review queue".to_owned(),
        )
    });
    let lines: Vec<String> = commands(journal)
        .into_iter()
        .chain(stands)
        .map(|(command, meaning)| format!("  {before}{command}: {}", sanitise::one_line(&meaning)))
        .collect();
    if lines.is_empty() { String::new() } else { format!("Possible now:\n{}", lines.join("\n")) }
}

/// The commands that are possible now, each with what it does.
fn commands(journal: &Journal) -> Vec<(&'static str, String)> {
    let Some(wait) = decisions::waits(journal) else {
        let meaning = |reopening: Reopening| {
            let note = reopening.kept.map_or_else(String::new, |kept| format!("; {}", kept.note()));
            ("reopen", format!("reopens the story: {}{note}", reopening.at.in_words()))
        };
        return reopening(journal).map(meaning).into_iter().collect();
    };
    if wait.call().is_some() {
        return vec![
            ("call allow [--note TEXT]", "allows the call".to_owned()),
            ("call refuse [--note TEXT]", "refuses it; the Reporter goes on without it".to_owned()),
        ];
    }
    if wait == Wait::Plan {
        let changes =
            "puts these questions in their place, one on each line; points below a line Outline are the article's";
        return vec![("feedback TEXT", changes.to_owned()), ("continue", "lets the Reporter begin".to_owned())];
    }
    let round = wait.round();
    let possible = |choice: &Choice| choices::check(journal, choice).is_ok();
    let mut commands = Vec::new();
    let verdicts = journal.verdicts(round);
    let (reason, text) = (|| "x".to_owned(), || "x".to_owned());
    if let Some(first) = verdicts.first().map(|verdict| verdict.concern_id)
        && possible(&Choice::Override { concern: first, status: Status::Keep, fix: None, reason: reason() })
    {
        commands.push((
            "overrule CONCERN keep|rewrite|remove --reason TEXT [--fix TEXT]",
            "overrules the verdict on a concern".to_owned(),
        ));
    }
    if let Some((number, _)) = vouching::findings(journal, round)
        .find(|(number, _)| possible(&decisions::accepting(journal, wait, *number, reason())))
    {
        let meaning = format!("accepts finding {number}, or another of the proof");
        commands.push(("accept finding NUMBER --reason TEXT", meaning));
    }
    if possible(&Choice::Feedback { text: text() }) {
        commands.push(("feedback TEXT", "adds to-dos for the writer, one on each line".to_owned()));
    }
    let article =
        ArticleResponse { headline: text(), alternativeHeadline: text(), articleBody: text(), description: text() };
    if possible(&Choice::Edit { article }) {
        let meaning =
            "makes your own text the next draft (`copydesk show STORY --draft` prints this one to start from)";
        commands.push(("edit FILE", meaning.to_owned()));
    }
    if let Some(concern) = verdicts.iter().map(|verdict| verdict.concern_id).find(|concern| {
        with_fix(journal, round, *concern)
            .is_some_and(|article| possible(&Choice::Applied { concern: *concern, article }))
    }) {
        let meaning = format!("makes the fix for concern {concern} in the text, or that for another");
        commands.push(("accept fix CONCERN", meaning));
    }
    if let Wait::SignOff { round } = wait
        && journal.prepared(round).is_some_and(|notes| notes.iter().any(|noted| noted.replacement.is_some()))
    {
        commands.push(("accept note NUMBER...", "makes what the Publisher notes in the text".to_owned()));
    }
    commands.extend(of_research(journal, round));
    if possible(&Choice::Comment { about: String::new(), text: text() }) {
        commands.push(("comment TEXT", "notes something for the record alone; --about names the words".to_owned()));
    }
    let earlier = round.saturating_sub(1);
    let changed = changes::between(journal, earlier, round).filter(|comparison| !comparison.changes.is_empty());
    if changed.is_some() {
        let meaning = format!("lets a change from draft {earlier} stand, for the record");
        commands.push(("accept change NUMBER", meaning));
    }
    if possible(&Choice::AnotherRound) {
        let rounds = decisions::max_rounds(journal);
        commands.push(("another-round", format!("allows one more round than {rounds}")));
    }
    if let Some(last) = standing(journal, round).last()
        && possible(&Choice::Undo { number: last.number })
    {
        commands.push(("undo [NUMBER]", format!("undoes decision {}, or another of this round", last.number)));
    }
    if possible(&Choice::Continue) {
        commands.push(("continue", continuing(journal, round)));
    }
    if possible(&Choice::Stet { reason: reason() }) {
        commands.push(("stet --reason TEXT", "approves the draft as it stands".to_owned()));
    }
    if possible(&Choice::SignOff { chain: String::new() }) {
        commands.push(("sign-off", "approves the article".to_owned()));
    }
    if possible(&Choice::SendBack { text: text() }) {
        commands.push(("feedback TEXT", "sends it back to the writer with to-dos, one on each line".to_owned()));
    }
    if possible(&Choice::Spike { reason: reason() }) {
        commands.push(("spike --reason TEXT", "spikes the story: it ends as failed".to_owned()));
    }
    commands
}

/// Those that send the Reporter and change the sources.
fn of_research(journal: &Journal, round: u32) -> Vec<(&'static str, String)> {
    let possible = |choice: &Choice| choices::check(journal, choice).is_ok();
    let text = || "x".to_owned();
    let mut commands = Vec::new();
    let mut ways = research::triaged(journal, round).into_iter();
    let change =
        |triaged: Triaged| Choice::Triage { concern: triaged.concern, way: TriageWay::Rewrite, question: None };
    if ways.any(|triaged| possible(&change(triaged))) {
        commands.push((
            "research [TEXT] --concern NUMBER [--skip]",
            "sends a concern to the Reporter first; with --skip straight to the writer".to_owned(),
        ));
    }
    if possible(&Choice::Research { question: text() }) {
        let meaning = "sends the Reporter to find something out before the writer revises";
        commands.push(("research TEXT", meaning.to_owned()));
    }
    // Longer than every name there is, so it is none of them.
    let name = journal.texts().map(|(name, _)| name).collect::<String>() + "x";
    if possible(&Choice::AddSource { name, text: text(), hidden: Vec::new() }) {
        commands.push(("add-source FILE [--name NAME]", "adds a source to the story".to_owned()));
    }
    let removed = |name: &str| possible(&Choice::RemoveSource { name: name.to_owned(), reason: text() });
    let mut names = journal.texts().map(|(name, _)| name);
    if let Some(name) = names.find(|name| removed(name)) {
        commands.push(("remove-source NAME --reason TEXT", format!("removes the source {name}, or another")));
    }
    let report = ResearchReport::of(journal);
    let distrusted = |name: &str| possible(&Choice::DistrustSource { name: name.to_owned(), reason: text() });
    if let Some(source) = report.sources.iter().find(|source| distrusted(&source.name)) {
        let meaning =
            format!("lets nothing rest on the source {} any more, or on another; it is still shown", source.name);
        commands.push(("remove-source NAME --distrust --reason TEXT", meaning));
    }
    commands
}

/// The result of leaving the gate now.
fn continuing(journal: &Journal, round: u32) -> String {
    match decisions::outcome(journal, round) {
        GateOutcome::Passed | GateOutcome::Stet => "the draft passes and goes to sign-off".to_owned(),
        GateOutcome::Revise => match decisions::feedback(journal, round, style::to_dos(journal, round)).todo_list.len()
        {
            1 => "sends 1 to-do to the writer".to_owned(),
            count => format!("sends {count} to-dos to the writer"),
        },
        GateOutcome::Edited => "your own text is the next draft".to_owned(),
        GateOutcome::RoundsUsedUp => {
            "ends the story as failed with its best draft: no round is left and concerns are open".to_owned()
        }
        GateOutcome::Spiked => "the story is given up".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::{
            testing::add,
            testing::{at_gate, decide, go_on, overrule},
        },
        newsroom::{Outcome, Step},
    };

    #[test]
    fn a_gate_says_what_was_found_what_was_decided_and_what_is_possible() {
        let mut journal = at_gate();
        decide(&mut journal, 1, overrule(2, Status::Remove, Some("Delete it.")));
        decide(&mut journal, 1, Choice::Feedback { text: "- Name the mayor.\n- Name the day.".into() });
        decide(&mut journal, 1, Choice::Undo { number: 2 });
        decide(&mut journal, 1, Choice::Feedback { text: "- Name the mayor.".into() });
        insta::assert_snapshot!(
            format!(
                "{}\n{}",
                gate_report(&journal, Paint::Plain).unwrap(),
                possible(&journal, None, "copydesk decide desk/park ")
            ),
            @"
        Round 1: 1 concern open. Back to the writer?
          1. x
             opinion: KEEP: rationale 1
          2. x
             opinion: REWRITE (overruled): rationale 2
             to do (overruled): the agent's fix
             Ada: REMOVE: I know about 2
             to do: Delete it.
        Decided in round 1
          1. Ada: verdict overruled, concern 2: REMOVE: I know about 2; to do: Delete it.
          2. Ada: feedback (undone): - Name the mayor. - Name the day.
          3. Ada: undo: decision 2
          4. Ada: feedback: - Name the mayor.
          to do, by the editor: Name the mayor.
        Possible now:
          copydesk decide desk/park overrule CONCERN keep|rewrite|remove --reason TEXT [--fix TEXT]: overrules the verdict on a concern
          copydesk decide desk/park feedback TEXT: adds to-dos for the writer, one on each line
          copydesk decide desk/park edit FILE: makes your own text the next draft (`copydesk show STORY --draft` prints this one to start from)
          copydesk decide desk/park add-source FILE [--name NAME]: adds a source to the story
          copydesk decide desk/park comment TEXT: notes something for the record alone; --about names the words
          copydesk decide desk/park another-round: allows one more round than 2
          copydesk decide desk/park undo [NUMBER]: undoes decision 4, or another of this round
          copydesk decide desk/park continue: sends 2 to-dos to the writer
          copydesk decide desk/park stet --reason TEXT: approves the draft as it stands
          copydesk decide desk/park spike --reason TEXT: spikes the story: it ends as failed
        "
        );
    }

    #[test]
    fn what_the_writer_left_undone_is_said_first() {
        let mut journal = at_gate();
        let mut draft = journal.draft(1).unwrap().clone();
        draft.undone = vec!["Name the mayor.".into()];
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let report = gate_report(&journal, Paint::Plain).unwrap();
        let first =
            "Round 1: 1 concern open. 1 to-do not done. Back to the writer?\n  Not done: Name the mayor.\n  1. x\n";
        assert!(report.starts_with(first), "{report}");
        assert!(possible(&journal, None, "").contains("\n  feedback TEXT: "));
    }

    #[test]
    fn in_the_last_round_nobody_is_sent_to_a_writer_who_is_not_there() {
        let mut journal = at_gate();
        journal.opening.settings.max_rounds = 1;
        insta::assert_snapshot!(possible(&journal, None, ""), @"
        Possible now:
          overrule CONCERN keep|rewrite|remove --reason TEXT [--fix TEXT]: overrules the verdict on a concern
          edit FILE: makes your own text the next draft (`copydesk show STORY --draft` prints this one to start from)
          add-source FILE [--name NAME]: adds a source to the story
          comment TEXT: notes something for the record alone; --about names the words
          another-round: allows one more round than 1
          continue: ends the story as failed with its best draft: no round is left and concerns are open
          stet --reason TEXT: approves the draft as it stands
          spike --reason TEXT: spikes the story: it ends as failed
        ");
    }

    #[test]
    fn at_sign_off_the_article_is_read_out() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        insta::assert_snapshot!(
            format!("{}\n{}", gate_report(&journal, Paint::Plain).unwrap(), possible(&journal, None, "")),
            @"
        The draft of round 1 passed. Sign it off?
          1. x
             opinion: KEEP: rationale 1
          2. x
             opinion: REWRITE (overruled): rationale 2
             to do (overruled): the agent's fix
        Decided in round 1
          1. Ada: stet: It is right.

        # Headline

        *Alternative*

        > Description.

        Draft 1 with an x.

        Possible now:
          edit FILE: makes your own text the next draft (`copydesk show STORY --draft` prints this one to start from)
          comment TEXT: notes something for the record alone; --about names the words
          another-round: allows one more round than 2
          sign-off: approves the article
          feedback TEXT: sends it back to the writer with to-dos, one on each line
          spike --reason TEXT: spikes the story: it ends as failed
        "
        );
        decide(&mut journal, 1, Choice::SignOff { chain: String::new() });
        go_on(&mut journal);
        assert_eq!(gate_report(&journal, Paint::Plain), None);
        assert_eq!(possible(&journal, None, ""), "Possible now:\n  reopen: reopens the story: Round 1, decision 1");
        let mut run = super::super::table::tests::run();
        run.state = crate::newsroom::RunState::Succeeded;
        assert!(!possible(&journal, Some(&run), "").contains("accept flags"), "it is not flagged");
        run.flags.push("a flag".into());
        let stands = "\n  accept flags --reason TEXT: accepts the flags: the record keeps them, and the story leaves the review queue";
        assert!(possible(&journal, Some(&run), "").ends_with(stands));
    }
}
