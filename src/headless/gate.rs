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
    text::{in_marks, sanitise},
};

/// The report that an editor needs for a decision; none if the run does not wait.
pub fn gate_report(journal: &Journal) -> Option<String> {
    let wait = decisions::waits(journal)?;
    let mut lines = vec![desk::question(journal, wait)];
    lines.extend(changes::left(journal, wait.round()).iter().map(|to_do| format!("  {}", to_do.line())));
    lines.extend(report::worst_claims(journal, wait.round()));
    lines.extend(vouching::set_aside(journal, wait.round()).map(|(number, finding)| {
        let text = sanitise::excerpt(&sanitise::one_line(&finding.text), 80);
        format!(
            "  A specialist set finding {number} of the proof aside, {}: {}",
            in_marks(&text),
            sanitise::one_line(&finding.note)
        )
    }));
    lines.extend(report::round_lines(journal, wait.round(), Paint::Plain));
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
    let of = |choice: Choice, command, meaning: String| possible(&choice).then_some((command, meaning));
    let verdicts = journal.verdicts(round);
    let text = || "x".to_owned();
    let mut commands = Vec::new();
    commands.extend(verdicts.first().and_then(|first| {
        let concern = first.concern_id;
        of(
            Choice::Override { concern, status: Status::Keep, fix: None, reason: text() },
            "overrule CONCERN keep|rewrite|remove --reason TEXT [--fix TEXT]",
            "overrules the verdict on a concern".to_owned(),
        )
    }));
    commands.extend(vouching::findings(journal, round).find_map(|(number, _)| {
        let meaning = format!("accepts finding {number}, or another of the proof");
        of(decisions::accepting(journal, wait, number, text()), "accept finding NUMBER --reason TEXT", meaning)
    }));
    let to_dos = "adds to-dos for the writer, one on each line";
    commands.extend(of(Choice::Feedback { text: text() }, "feedback TEXT", to_dos.to_owned()));
    let article =
        ArticleResponse { headline: text(), alternativeHeadline: text(), articleBody: text(), description: text() };
    let own = "makes your own text the next draft (`copydesk show STORY --draft` prints this one to start from)";
    commands.extend(of(Choice::Edit { article }, "edit FILE", own.to_owned()));
    commands.extend(verdicts.iter().map(|verdict| verdict.concern_id).find_map(|concern| {
        let article = with_fix(journal, round, concern)?;
        let meaning = format!("makes the fix for concern {concern} in the text, or that for another");
        of(Choice::Applied { concern, article }, "accept fix CONCERN", meaning)
    }));
    if let Wait::SignOff { round } = wait
        && journal.prepared(round).is_some_and(|notes| notes.iter().any(|noted| noted.replacement.is_some()))
    {
        commands.push(("accept note NUMBER...", "makes what the Publisher notes in the text".to_owned()));
    }
    commands.extend(of_research(journal, round));
    let earlier = round.saturating_sub(1);
    if changes::between(journal, earlier, round).is_some_and(|comparison| !comparison.changes.is_empty()) {
        let meaning = format!("lets a change from draft {earlier} stand, for the record");
        commands.push(("accept change NUMBER", meaning));
    }
    let rounds = decisions::max_rounds(journal);
    commands.extend(of(Choice::AnotherRound, "another-round", format!("allows one more round than {rounds}")));
    commands.extend(standing(journal, round).last().and_then(|last| {
        let meaning = format!("undoes decision {}, or another of this round", last.number);
        of(Choice::Undo { number: last.number }, "undo [NUMBER]", meaning)
    }));
    if possible(&Choice::Continue) {
        commands.push(("continue", continuing(journal, round)));
    }
    let rest = [
        (Choice::Stet { reason: text() }, "stet --reason TEXT", "approves the draft as it stands"),
        (Choice::SignOff { chain: String::new(), as_notes: false }, "sign-off", "approves the article"),
        (
            Choice::SignOff { chain: String::new(), as_notes: true },
            "sign-off --as-notes",
            "approves the fact sheet as notes; edit it first to make an article of it",
        ),
        (
            Choice::SendBack { text: text() },
            "feedback TEXT",
            "sends it back to the writer with to-dos, one on each line",
        ),
        (Choice::Spike { reason: text() }, "spike --reason TEXT", "spikes the story: it ends here"),
    ];
    commands.extend(rest.into_iter().filter_map(|(choice, command, meaning)| of(choice, command, meaning.to_owned())));
    commands
}

/// Those that send the Reporter and change the sources.
fn of_research(journal: &Journal, round: u32) -> Vec<(&'static str, String)> {
    let possible = |choice: &Choice| choices::check(journal, choice).is_ok();
    let of = |choice: Choice, command, meaning: String| possible(&choice).then_some((command, meaning));
    let text = || "x".to_owned();
    let mut commands = Vec::new();
    let change =
        |triaged: Triaged| Choice::Triage { concern: triaged.concern, way: TriageWay::Rewrite, question: None };
    if research::triaged(journal, round).into_iter().any(|triaged| possible(&change(triaged))) {
        let meaning = "sends a concern to the Reporter first; with --skip straight to the writer";
        commands.push(("research [TEXT] --concern NUMBER [--skip]", meaning.to_owned()));
    }
    let meaning = "sends the Reporter to find something out before the writer revises";
    commands.extend(of(Choice::Research { question: text() }, "research TEXT", meaning.to_owned()));
    // Longer than every name there is, so it is none of them.
    let name = journal.texts().map(|(name, _)| name).collect::<String>() + "x";
    let added = Choice::AddSource { name, text: text(), hidden: Vec::new(), recorded: None };
    commands.extend(of(added, "add-source FILE [--name NAME]", "adds a source to the story".to_owned()));
    commands.extend(journal.texts().find_map(|(name, _)| {
        let removed = Choice::RemoveSource { name: name.to_owned(), reason: text() };
        of(removed, "remove-source NAME --reason TEXT", format!("removes the source {name}, or another"))
    }));
    commands.extend(ResearchReport::of(journal).sources.into_iter().find_map(|source| {
        let meaning =
            format!("lets nothing rest on the source {} any more, or on another; it is still shown", source.name);
        let distrusted = Choice::DistrustSource { name: source.name, reason: text() };
        of(distrusted, "remove-source NAME --distrust --reason TEXT", meaning)
    }));
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
            testing::{at_gate, claim, decide, go_on, overrule},
        },
        newsroom::{Claims, Outcome, Step},
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
                gate_report(&journal).unwrap(),
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
          copydesk decide desk/park another-round: allows one more round than 2
          copydesk decide desk/park undo [NUMBER]: undoes decision 4, or another of this round
          copydesk decide desk/park continue: sends 2 to-dos to the writer
          copydesk decide desk/park stet --reason TEXT: approves the draft as it stands
          copydesk decide desk/park spike --reason TEXT: spikes the story: it ends here
        "
        );
    }

    #[test]
    fn the_claims_that_would_mislead_most_are_named_first() {
        let texts = ["The sun shone.", "It has five lanes.", "The mayor embezzled it."].map(|text| claim(text, false));
        let claims = texts.into_iter().chain([claim("It cost $2 million.", true)]).collect();
        let mut journal = at_gate();
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
        let report = gate_report(&journal).unwrap();
        let first = "\n  Check first (accusation): “The mayor embezzled it.”\n  Check first (figure): “It has five lanes.”\n  1. x\n";
        assert!(report.contains(first), "{report}");
    }

    #[test]
    fn what_the_writer_left_undone_is_said_first() {
        let mut journal = at_gate();
        let mut draft = journal.draft(1).unwrap().clone();
        draft.undone = vec!["Name the mayor.".into()];
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let report = gate_report(&journal).unwrap();
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
          another-round: allows one more round than 1
          continue: ends the story as failed with its best draft: no round is left and concerns are open
          stet --reason TEXT: approves the draft as it stands
          spike --reason TEXT: spikes the story: it ends here
        ");
    }

    #[test]
    fn at_sign_off_the_article_is_read_out() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        insta::assert_snapshot!(
            format!("{}\n{}", gate_report(&journal).unwrap(), possible(&journal, None, "")),
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
          another-round: allows one more round than 2
          sign-off: approves the article
          feedback TEXT: sends it back to the writer with to-dos, one on each line
          spike --reason TEXT: spikes the story: it ends here
        "
        );
        decide(&mut journal, 1, Choice::SignOff { chain: String::new(), as_notes: false });
        go_on(&mut journal);
        assert_eq!(gate_report(&journal), None);
        assert_eq!(possible(&journal, None, ""), "Possible now:\n  reopen: reopens the story: Round 1, decision 1");
        let mut run = super::super::table::tests::run();
        run.state = crate::newsroom::RunState::Succeeded;
        assert!(!possible(&journal, Some(&run), "").contains("accept flags"), "it is not flagged");
        run.flags.push("a flag".into());
        let stands = "\n  accept flags --reason TEXT: accepts the flags: the record keeps them, and the story leaves the review queue";
        assert!(possible(&journal, Some(&run), "").ends_with(stands));
    }
}
