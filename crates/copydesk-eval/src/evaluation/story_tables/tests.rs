use super::*;

fn unit(story: &str, variant: &str, repetition: u32, verified: u64, words: u64) -> StoryUnit {
    StoryUnit {
        story: story.into(),
        topic: "d".into(),
        desk: story.split('/').next().unwrap().into(),
        variant: variant.into(),
        repetition,
        measured: StoryMeasured {
            passed: true,
            words: Some(words),
            flesch: Some(60.0),
            claims: Some(10),
            verified: Some(verified),
            similar: Some(9),
            similarity_by: [("words".to_owned(), 10)].into(),
            rounds: 1,
            seconds: 2.0,
            calls: 2,
            tokens: [("writer".to_owned(), [300, 100]), ("editor".to_owned(), [80, 20])].into(),
            cost: [("EUR".to_owned(), 0.5)].into(),
            article: Some(format!("{words}")),
            ..StoryMeasured::default()
        },
    }
}

fn row<'t>(tables: &'t [EvalTable], table: &str, key: &str) -> &'t [EvalCell] {
    let table = tables.iter().find(|one| one.key == table).unwrap();
    &table.rows.iter().find(|row| row.key == key).unwrap_or_else(|| panic!("{key}: {table:#?}")).cells
}

#[test]
fn success_needs_all_of_its_parts() {
    let story = |change: fn(&mut StoryMeasured)| {
        let mut measured = unit("a/b", "one", 1, 8, 201).measured;
        change(&mut measured);
        COUNTED.map(|(.., is)| is(&measured))
    };
    assert_eq!(story(|_| ()), [true; 5]);
    assert_eq!(story(|story| story.passed = false), [false, false, false, true, true]);
    assert_eq!(story(|story| story.words = Some(200)), [false, false, true, false, true]);
    assert_eq!(story(|story| story.similar = Some(5)), [false, true, true, true, false]);
    assert_eq!(story(|story| story.verified = Some(5)), [true, false, true, true, true]);
    // No claim is no score, and so no success.
    assert_eq!(story(|story| story.claims = Some(0)), [false, false, true, true, false]);
    assert_eq!(story(|story| *story = StoryMeasured::default()), [false; 5]);
}

#[test]
fn repetitions_of_a_topic_are_one_topic_and_tests_have_its_pairs() {
    let units = [
        unit("a/x", "one", 1, 4, 300),
        unit("a/x", "one", 2, 6, 310),
        unit("b/y", "one", 1, 8, 320),
        unit("b/y", "one", 2, 8, 320),
        unit("a/x", "two", 1, 7, 190),
        unit("b/y", "two", 1, 9, 320),
        unit("c/z", "two", 1, 9, 320),
    ];
    let tables = story_tables("Stories", &units, &["one", "two"], &[(0, 1)]);
    let EvalCell::Mean { mean: MeanInterval { mean, n, .. }, .. } = &row(&tables, "stories", "score_by_match")[0]
    else {
        panic!()
    };
    assert_eq!((*mean, *n), (0.65, 2), "of 0.5 and 0.8");
    assert_eq!(row(&tables, "stories", "success")[0].words(), "2 of 2, 100.0 % (34.2 to 100.0)", "topics");
    assert_eq!(row(&tables, "stories", "cost_EUR")[1].words(), "0.5000 ± 0.0000 (0.5000 to 0.5000; n 3)");
    let tested = row(&tables, "tests", "one|two|score_by_match");
    let EvalCell::Mean { mean: MeanInterval { mean, n, .. }, .. } = &tested[1] else { panic!() };
    assert!((mean - 0.15).abs() < 1e-9 && *n == 2, "{tested:?}");
    assert_eq!(tested[3].words(), "0.500");
    let success = row(&tables, "tests", "one|two|success");
    assert_eq!(success[1].words(), "0 of 2 only by the second, 1 only by the first");
    assert_eq!(success[4].words(), "1.000");
    assert_eq!(
        row(&tables, "agents", "writer").iter().map(EvalCell::words).collect::<Vec<_>>(),
        ["300", "100", "80.0", "300", "100", "80.0"]
    );
    assert_eq!(row(&tables, "desks", "c|two")[..2], [EvalCell::text("two"), EvalCell::count(1)]);
    assert_eq!(row(&tables, "repetitions", "articles")[0].words(), "1 of 2, 50.0 % (9.5 to 90.5)");
    assert_eq!(row(&tables, "desks", "a|one")[1..3], [EvalCell::count(2), EvalCell::share(1, 1)]);
    // 0.1 apart on one topic, nothing on the other: the root of 0.02 / 2.
    assert_eq!(row(&tables, "repetitions", "score_by_match")[0].words(), "0.1000");
    assert_eq!(row(&tables, "repetitions", "score_by_match")[1], EvalCell::None);
}

#[test]
fn one_pair_is_no_test_and_what_was_not_measured_is_no_zero() {
    let units = [
        unit("a/x", "one", 1, 4, 300),
        StoryUnit {
            measured: StoryMeasured { error: Some("r1.review: no".into()), uncounted: 2, ..StoryMeasured::default() },
            ..unit("a/x", "two", 1, 0, 0)
        },
    ];
    let tables = story_tables("Stories", &units, &["one", "two"], &[(0, 1)]);
    assert_eq!(row(&tables, "stories", "score_by_match")[1], EvalCell::None);
    assert_eq!(row(&tables, "stories", "tokens_in")[1], EvalCell::None);
    assert_eq!(row(&tables, "tests", "one|two|success")[4], EvalCell::None);
    assert!(tables.iter().all(|table| table.key != "repetitions"));
    let notes = story_notes(&units).join("\n");
    assert!(notes.contains("10 claims by shared words, since there is no embedder"), "{notes}");
    assert!(notes.contains("tokens of 2 answers") && notes.contains("1 of 2 stories ended with an error"), "{notes}");
    let none = [StoryUnit { measured: StoryMeasured::default(), ..unit("a/x", "one", 1, 0, 0) }];
    assert!(story_tables("Stories", &none, &["one", "two"], &[]).iter().all(|table| table.key != "agents"));
}

#[test]
fn the_agents_of_a_story_add_up_to_its_tokens_if_some_servers_count_none() {
    let uncounted = |story: &str, repetition| {
        let mut one = unit(story, "one", repetition, 8, 300);
        one.measured.tokens.clear();
        one
    };
    // The second topic was counted once of two times, the third never.
    let mut second = unit("b/y", "one", 1, 8, 300);
    second.measured.tokens = [("writer".to_owned(), [100, 50])].into();
    let units = [unit("a/x", "one", 1, 8, 300), second, uncounted("b/y", 2), uncounted("c/z", 1)];
    let tables = story_tables("Stories", &units, &["one", "two"], &[]);
    let words = |key| row(&tables, "agents", key)[..3].iter().map(EvalCell::words).collect::<Vec<_>>();
    assert_eq!(words("writer"), ["200", "75", "84.6"]);
    assert_eq!(words("editor"), ["40", "10", "15.4"]);
    let EvalCell::Mean { mean, .. } = &row(&tables, "stories", "tokens_in")[0] else { panic!() };
    assert_eq!((mean.mean, mean.n), (240.0, 2));
    assert_eq!(row(&tables, "agents", "writer")[3], EvalCell::None, "nobody wrote in the other way");
}

#[test]
fn a_story_that_never_ran_is_in_no_mean_of_rounds_and_time() {
    let never = StoryMeasured { error: Some("the file is gone".into()), ..StoryMeasured::default() };
    let broken = StoryUnit { measured: never, ..unit("b/y", "one", 1, 0, 0) };
    let tables = story_tables("Stories", &[unit("a/x", "one", 1, 4, 300), broken], &["one", "two"], &[]);
    for key in ["rounds", "seconds"] {
        let EvalCell::Mean { mean: MeanInterval { n, .. }, .. } = &row(&tables, "stories", key)[0] else {
            panic!("{key}")
        };
        assert_eq!(*n, 1, "{key}");
    }
    assert_eq!(
        row(&tables, "stories", "passed")[0].words().split(',').next(),
        Some("1 of 2"),
        "it counts as not passed"
    );
}
