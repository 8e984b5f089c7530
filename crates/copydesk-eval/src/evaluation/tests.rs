use std::collections::BTreeMap;

use super::*;

const HOSTILE: &str = "</script><img src=x>|`\u{1b}[2J\u{202e}#\nnext";

fn evaluation() -> Evaluation {
    let mut table = EvalTable::new("stories", "Stories", "measure", &[("all", ""), (HOSTILE, "s")]);
    table.add("success", "success", "", vec![EvalCell::share(9, 12), EvalCell::None]);
    table.add("words", HOSTILE, "words", vec![EvalCell::mean(&[300.0, 320.0, 310.0], 0), EvalCell::mean(&[7.0], 1)]);
    table.add("p", "chance", "", vec![EvalCell::chance(Some(0.000_2)), EvalCell::chance(Some(0.031_25))]);
    table.add("said", "said", "", vec![EvalCell::text(HOSTILE), EvalCell::number(Some(1.25), 1)]);
    table.add("small", "small", "", vec![EvalCell::number(Some(-0.04), 1), EvalCell::number(Some(-0.4), 0)]);
    table.notes.push("A note.".into());
    table.drawn = vec!["success", "words"];
    Evaluation {
        name: "pipeline",
        title: "Stories".into(),
        command: "copydesk-eval pipeline".into(),
        made_at: "2026-10-06T12:00:00.000Z".into(),
        measured_on: EvalBasis {
            version: "0.1.0".into(),
            engine: "llm".into(),
            models: [("writer".into(), "m1".into()), ("editor".into(), "m1".into())].into(),
            configuration: Some("ab12".into()),
            prompts: None,
            house_style: None,
            recording: None,
            data: None,
        },
        tables: vec![table],
        notes: vec!["A last note.".into()],
        units: vec![serde_json::json!({"story": "desk/park"})],
    }
}

#[test]
fn a_terminal_gets_words_and_what_they_were_measured_on() {
    let said = evaluation_text(&evaluation());
    let rows: Vec<String> = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in [
        "success 9 of 12, 75.0 % (46.8 to 91.1) –",
        "chance under 0.001 0.031",
        "small 0.0 0",
        "A note.",
        "A last note.",
        "engine: llm",
        "models: m1 (editor, writer)",
        "configuration (SHA-256): ab12",
    ] {
        assert!(rows.iter().any(|found| found == row), "{row}:\n{said}");
    }
    assert!(said.contains("310 ± 10 (285 to 335; n 3)") && said.contains("7.0 (n 1)"), "{said}");
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
}

#[test]
fn a_name_of_somebody_else_is_no_markup_in_markdown() {
    let said = evaluation_markdown(&evaluation());
    let table: Vec<&str> = said.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(table.len(), 7, "{said}");
    for row in table.iter().filter(|row| !row.starts_with("|---")) {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 4, "{row}");
    }
    assert!(!said.contains("<img") && said.contains("&lt;img src=x>\\|\\`"), "{said}");
    assert!(said.contains("- command: copydesk-eval pipeline\n"), "{said}");
}

#[test]
fn a_page_draws_the_named_rows_and_runs_nothing() {
    let one = evaluation();
    let page = evaluations_page("All", &[&one, &one]);
    assert!(page.contains("<main>") && page.contains("<th scope=\"col\">measure</th>"), "{page}");
    assert!(page.contains("<th scope=\"col\" class=\"n\">&lt;/script&gt;"), "{page}");
    assert_eq!(page.matches("<svg role=\"img\" aria-label=").count(), 4, "two charts of each");
    assert!(page.contains("<a href=\"#pipeline\">") && page.contains("75.0 % of 12"), "{page}");
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'), "{page}");
    assert!(!evaluations_page("One", &[&one]).contains("<nav"), "one alone needs no list");
}

#[test]
fn programs_get_numbers_as_they_were_computed() {
    let told = serde_json::to_value(evaluation()).unwrap();
    let rows = &told["tables"][0]["rows"];
    assert_eq!(rows[0]["cells"][0]["kind"], "share");
    assert!((rows[0]["cells"][0]["low"].as_f64().unwrap() - 46.769_466_29).abs() < 1e-6, "{rows}");
    assert_eq!((&rows[0]["cells"][0]["part"], &rows[0]["cells"][1]["kind"]), (&9.into(), &"none".into()));
    assert_eq!((&rows[1]["cells"][0]["mean"], &rows[1]["cells"][0]["sd"]), (&310.0.into(), &10.0.into()));
    assert_eq!((&rows[2]["cells"][0]["value"], &told["units"][0]["story"]), (&0.000_2.into(), &"desk/park".into()));
    assert_eq!(told["measured_on"]["models"]["writer"], "m1");
}

#[test]
fn what_differs_from_what_was_measured_before_is_named() {
    let before = evaluation().measured_on;
    assert_eq!(before.differences(&before.clone()).unwrap(), Vec::<&str>::new());
    let styled = EvalBasis { house_style: Some("cd".into()), ..before.clone() };
    assert_eq!(styled.differences(&before).unwrap(), ["house style"]);
    let now = EvalBasis { engine: "offline".into(), models: BTreeMap::new(), ..before.clone() };
    assert_eq!(now.differences(&before).unwrap(), ["engine", "models"]);
}
