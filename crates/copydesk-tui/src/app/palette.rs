//! Finding an action by a few letters of its title or name. Plain data in, plain data out.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

use crate::app::{ACTIONS, Action, ActionRow, Group, KeyContext, Model, Palette, PaletteHit, able, hints};

/// Other names that people use for actions, with commas between them.
const ALSO: &[(Action, &str)] = &[
    (Action::SignOff, "approve, publish, finish, release"),
    (Action::Continue, "continue, go on, revise, next"),
    (Action::Stet, "approve, accept, keep"),
    (Action::Feedback, "comment, note to the writer, todo, instructions"),
    (Action::EditDraft, "write, rewrite, correct, change the text, word count, discard an edit"),
    (Action::UndoDecision, "undo, revert, take back"),
    (Action::OverruleVerdict, "reject, disagree, accept, dismiss"),
    (Action::SendBack, "reject, revise, return"),
    (Action::Spike, "kill, drop, cancel, abandon"),
    (
        Action::SaveMarkdown,
        "export, download, write to a file, html, print, docx, word, json, ninjs, pdf: save as HTML and print",
    ),
    (Action::CopyArticle, "export, clipboard"),
    (Action::Search, "find"),
    (Action::SearchEverywhere, "find, archive, look up"),
    (Action::Filter, "find a story, search stories"),
    (Action::NewFromFile, "import, open a file, add a story, load"),
    (Action::NewFromText, "paste, notes, press release"),
    (Action::NewFromQuestion, "assign, research, assignment"),
    (Action::NewByForm, "write a story, topic, draft, import, my own text"),
    (Action::WatchRecorded, "demo, tutorial, show"),
    (Action::SampleStory, "demo, tutorial, example, try"),
    (Action::SetDeadline, "due, time, schedule"),
    (Action::AssignEditor, "owner, responsible, give to"),
    (Action::OnlyMine, "my stories, inbox, to do, waits for me"),
    (Action::NextWaiting, "inbox, queue, to do"),
    (Action::ShowFailedSteps, "errors, problems"),
    (Action::ShowDay, "statistics, metrics, throughput, cost, today, figures, latency"),
    (Action::ShowPublish, "targets, distribute, embargo"),
    (Action::ShowRecord, "who did what, signature, right of reply, correction, versions, accountability"),
    (Action::CorrectStory, "erratum, correction"),
    (Action::WithdrawStory, "kill, retract, take down"),
    (Action::ShowLog, "history, audit, who did what"),
    (Action::ShowRuns, "history, versions"),
    (Action::ShowChanges, "compare, diff, versions, what changed"),
    (Action::ShowProof, "fact check, check facts, spelling, findings"),
    (Action::ShowClaims, "fact check, statements"),
    (Action::ShowConcerns, "comments, problems, issues"),
    (Action::ShowSources, "documents, references, transcript"),
    (Action::AskSources, "question, answer"),
    (Action::AddSource, "attach, upload, document"),
    (Action::ShowCalls, "models, prompts, answers, ai"),
    (Action::SendReporter, "research, ask, look up"),
    (Action::ShowNotices, "notifications, what happened"),
    (Action::ShowSettings, "preferences, options, target length, byline, spelling, disclosure, targets"),
    (Action::NextTheme, "colours, colors, dark mode, light"),
    (Action::ToggleMouse, "select text, click"),
    (Action::RaisePriority, "urgent, important"),
    (Action::DeleteStory, "remove"),
    (Action::TryModels, "trial, test the model"),
    (Action::BackUp, "save everything, archive"),
    (Action::Help, "keys, shortcuts, manual"),
    (Action::Quit, "exit, leave, close"),
    (Action::AnotherRound, "again, more"),
    (Action::Stop, "cancel, abort"),
    (Action::Resume, "continue, go on, restart"),
];

/// The other word for an action that begins, or has a word that begins, with the query.
fn also(action: Action, query: &str) -> Option<(u32, &'static str)> {
    let query = query.trim().to_lowercase();
    if query.chars().count() < 2 {
        return None;
    }
    let (_, known) = ALSO.iter().find(|(of, _)| *of == action)?;
    let fit = |word: &'static str| {
        let begins = word.starts_with(&query) || word.split(' ').any(|part| part.starts_with(&query));
        begins.then_some((if word == query { EXACT } else { BEGINS }, word))
    };
    known.split(", ").filter_map(fit).max_by_key(|(score, _)| *score)
}

/// More than a few letters that fit somewhere, less than a title that has the whole word.
const BEGINS: u32 = 150;
const EXACT: u32 = 400;

/// The action of the palette's selected row; `None` if the palette is not on top, or finds nothing.
pub(crate) fn choice(model: &Model) -> Option<Action> {
    let palette = model.on_top::<Palette>()?;
    let hits = listed(model, &palette.query);
    hits.get(palette.selected.min(hits.len().saturating_sub(1))).map(|hit| hit.row.action)
}

/// The actions that fit `query`, those first that can be done here. Keys that only move or type are no actions to look for.
pub fn listed(model: &Model, query: &str) -> Vec<PaletteHit> {
    let here = hints::below_palette(model);
    let wanted = hints::wanted(model, here);
    let finds = |row: &&ActionRow| {
        let moves = row.group == Group::Moving || row.action == Action::Palette;
        let only_types = row.places.iter().all(|place| {
            matches!(
                place,
                KeyContext::Dialog | KeyContext::Choice | KeyContext::Input | KeyContext::Editor | KeyContext::Query
            )
        });
        !moves && !only_types
    };
    let mut found = matches(query, ACTIONS.iter().filter(finds));
    // The sort is stable: what fits best stays first.
    found.sort_by_cached_key(|PaletteHit { row, .. }| {
        let can = row.is_at(here) && able::why_not(model, row.action).is_none();
        let place = wanted.iter().position(|action| *action == row.action).unwrap_or(usize::MAX);
        (!can, if query.trim().is_empty() { place } else { 0 })
    });
    found
}

/// The rows that fit `query`, the best first, equal ones in their own order. Each word of the query must fit, in any
/// order, letters in order but not side by side. An empty query finds every row in its own order.
pub fn matches(query: &str, rows: impl Iterator<Item = &'static ActionRow>) -> Vec<PaletteHit> {
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut fits = |text: &str| {
        let (mut buffer, mut indices) = (Vec::new(), Vec::new());
        let score = pattern.indices(Utf32Str::new(text, &mut buffer), &mut matcher, &mut indices)?;
        indices.sort_unstable();
        indices.dedup();
        Some((score, indices))
    };
    let best = |row: &'static ActionRow| {
        let hit = |matched: Vec<u32>, also| PaletteHit { row, matched, also };
        let also = also(row.action, query).map(|(score, word)| (score, hit(Vec::new(), Some(word))));
        let name = fits(row.name).map(|(score, _)| (score, hit(Vec::new(), None)));
        let title = fits(row.title).map(|(score, matched)| (score, hit(matched, None)));
        // Of equal ones the last counts.
        [also, name, title].into_iter().flatten().max_by_key(|(score, _)| *score)
    };
    let mut found: Vec<(u32, PaletteHit)> = rows.filter_map(best).collect();
    // The sort is stable.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, hit)| hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::actions::{ACTIONS, Action};

    fn found(query: &str) -> Vec<Action> {
        matches(query, ACTIONS.iter()).into_iter().map(|found| found.row.action).collect()
    }

    #[test]
    fn an_empty_query_finds_all_in_the_tables_order() {
        let all: Vec<Action> = ACTIONS.iter().map(|row| row.action).collect();
        assert_eq!(found(""), all);
        assert_eq!(found("  "), all);
    }

    #[test]
    fn titles_and_names_are_both_searched_and_the_best_stands_first() {
        assert_eq!(found("overrule").first(), Some(&Action::OverruleVerdict));
        assert_eq!(found("overrule-verdict").first(), Some(&Action::OverruleVerdict));
        assert_eq!(found("SAVE html").first(), Some(&Action::SaveHtml));
        assert_eq!(found("html save").first(), Some(&Action::SaveHtml));
        assert_eq!(found("stet").first(), Some(&Action::Stet));
        assert_eq!(found("quit").first(), Some(&Action::Quit));
        assert_eq!(found("xyzzy"), []);
    }

    #[test]
    fn what_people_call_things_finds_them_and_what_can_be_done_here_comes_first() {
        let desk = crate::testing::demo::desk();
        let on_desk = |query: &str| listed(&desk, query).into_iter().map(|hit| hit.row.action).collect::<Vec<_>>();
        let known = [
            ("settings", Action::ShowSettings),
            ("export", Action::SaveMarkdown),
            ("pdf", Action::SaveMarkdown),
            ("publish", Action::SignOff),
            ("approve", Action::SignOff),
            ("comment", Action::Feedback),
            ("undo", Action::UndoDecision),
            ("find", Action::SearchEverywhere),
            ("models", Action::ShowCalls),
            ("draft", Action::NewByForm),
            ("import", Action::NewByForm),
        ];
        for (word, action) in known {
            let found = on_desk(word);
            assert!(found.iter().take(4).any(|found| *found == action), "{word}: {found:?}");
        }
        let all = on_desk("");
        assert_eq!(all.first(), Some(&Action::NextWaiting), "{all:?}");
        for moving in [Action::MoveUp, Action::GoLast, Action::Confirm, Action::Cancel, Action::Palette] {
            assert!(!all.contains(&moving), "{moving:?}");
        }
        let off = |action: &Action| !action.row().is_at(KeyContext::Desk) || able::why_not(&desk, *action).is_some();
        let from = all.iter().position(off).unwrap();
        assert!(all.iter().skip(from).all(off), "{all:?}");
    }

    #[test]
    fn what_fits_is_marked_where_it_fits() {
        let (overrule, remembered) = (Action::OverruleVerdict.row(), Action::ShowRemembered.row());
        let found = |query: &str| matches(query, [overrule, remembered].into_iter());
        let title = vec![0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(found("overrule"), [PaletteHit { row: overrule, matched: title, also: None }]);
        assert_eq!(found("remembered"), [PaletteHit { row: remembered, matched: vec![], also: None }]);
    }

    #[test]
    fn equal_rows_keep_their_order() {
        let alike = matches("next", ACTIONS.iter().filter(|row| row.title.starts_with("Next ")));
        assert!(alike.len() > 5 && alike.is_sorted_by_key(|found| found.row.action), "{alike:?}");
    }

    #[test]
    fn odd_queries_find_nothing_and_break_nothing() {
        for query in ["\\", "^$!'", "\u{1b}[2J", "日本語", "é", &"a".repeat(10_000)] {
            let _none_panics = found(query);
        }
        assert_eq!(found("日本語"), []);
    }
}
