use crate::widgets::words::*;
use copydesk_newsroom::Step;

#[test]
fn text_is_cut_by_what_it_takes_and_never_inside_a_character() {
    assert_eq!(fit("park", 4), "park");
    assert_eq!(fit("parks", 4), "par…");
    assert_eq!(fit("公園の話", 8), "公園の話");
    assert_eq!(fit("公園の話", 6), "公園…", "half a character does not fit");
    assert_eq!(fit("e\u{301}cole", 3), "e\u{301}c…");
    assert_eq!((fit("park", 1), fit("park", 0)), ("…".into(), String::new()));
    assert_eq!(fit("Lowmoor ferry stops for repairs", 26), "Lowmoor ferry stops for…", "no half word stands there");
    assert_eq!(fit("Lowmoor ferry stops for repairs", 23), "Lowmoor ferry stops…");
    assert_eq!(fit("Lowmoor ferry stops", 14), "Lowmoor ferry…", "it ends with a word");
    assert_eq!(fit("the inter-municipal-waterworks", 20), "the inter-municipal…", "a long word is cut");
    assert_eq!(fit("a parliament", 8), "a parli…", "most of the room is used");
    assert_eq!(fit_end("api.example.com", 8), "…ple.com");
    assert_eq!(fit_end("公園", 3), "…園");
    assert_eq!(padded("公園の話", 6, false), "公園… ");
    assert_eq!(padded("12", 4, true), "  12");
}

#[test]
fn what_went_wrong_names_the_step_in_words_and_no_setting() {
    assert_eq!(
        failure("r2.review: the answer was cut off"),
        format!("{}: the answer was cut off", Step::Review { round: 2 }.in_words())
    );
    assert_eq!(failure("spiked by Ada: nobody answers"), "spiked by Ada: nobody answers");
    let used_up = "all 2 rounds (editor_max_rounds) are used up and 1 concern of the best draft is open";
    assert_eq!(failure(used_up), "all 2 rounds are used up and 1 concern of the best draft is open");
}

#[test]
fn text_is_wrapped_between_words_where_they_fit() {
    assert_eq!(wrap("The council voted.\n\nTwice.", 11), ["The council", "voted.", "", "Twice."]);
    assert_eq!(wrap("incomprehensible", 6), ["incomp", "rehens", "ible"]);
    assert_eq!(wrap("公園の話", 5), ["公園", "の話"]);
    assert_eq!(wrap("公", 1), [""]);
    assert_eq!(wrap("x", 0), Vec::<String>::new());
    assert_eq!(wrap_to("The council voted twice.", 11, 1), ["The counci…"]);
    assert_eq!(wrap_to("The park is open.", 9, 1), ["The park…"]);
}

#[test]
fn the_channel_of_a_story_is_cut_before_its_name() {
    let name = "local-government/miller-park";
    let said = |room| fit_name(name, room);
    assert_eq!(said(28), name);
    assert_eq!(said(20), "local-g…/miller-park");
    assert_eq!(said(13), "…/miller-park");
    // One letter of a channel says nothing.
    assert_eq!((said(17), said(16)), ("loca…/miller-park".to_owned(), "…/miller-park".to_owned()));
    assert_eq!(said(12), "…/mille…park");
    assert_eq!([said(3), said(2), said(1), said(0)], ["…/…", "l…", "…", ""]);
    assert_eq!(fit_name("newsroom/harbour-interview", 20), "…/harbour-interview");
    assert_eq!(fit_name("no-channel-at-all", 7), "no-…all");
    assert_eq!(fit_name("公園の話と都市の緑", 8), "公園…緑");
}

#[test]
fn ages_and_times() {
    let now: Timestamp = "2026-10-06T12:00:00Z".parse().unwrap();
    let said = |at: &str| age(at, now);
    assert_eq!(said("2026-10-06T11:59:30Z"), "now");
    assert_eq!(said("2026-10-06T11:57:00Z"), "3 min");
    assert_eq!(said("2026-10-06T07:00:00Z"), "5 h");
    assert_eq!(said("2026-10-04T07:00:00Z"), "2 d");
    assert_eq!(said("2024-10-04T07:00:00Z"), "2 y");
    assert_eq!(said("2027-01-01T00:00:00Z"), "now", "a clock that is ahead");
    assert_eq!(said("yesterday"), "?");
    assert_eq!([elapsed(12), elapsed(125), elapsed(3_720)], ["12 s", "2 min 05 s", "1 h 02 min"]);
    assert_eq!(clock("2026-10-06T12:03:07Z"), "12:03:07");
    assert_eq!(day_and_time("2026-10-06T12:03:07Z"), "6 Oct 2026 12:03");
}

#[test]
fn tokens_and_what_they_cost() {
    assert_eq!([940, 1_234, 12_345, 999_999, 1_250_000].map(tokens), ["940", "1,234", "12.3k", "999.9k", "1.2M"]);
    let price = |model: &str, prompt, completion| Price {
        cached_per_million: None,
        model: model.into(),
        currency: "USD".into(),
        prompt_per_million: prompt,
        completion_per_million: completion,
    };
    assert_eq!(cost(100_000, 20_000, &[]), None);
    assert_eq!(cost(100_000, 20_000, &[price("a", 2.0, 10.0)]).as_deref(), Some("USD 0.40"));
    let two = [price("a", 2.0, 10.0), price("b", 0.5, 1.0)];
    assert_eq!(cost(100_000, 20_000, &two).as_deref(), Some("USD 0.07-0.40"));
    let foreign = Price { currency: "EUR".into(), ..price("c", 1.0, 1.0) };
    assert_eq!(cost(100_000, 20_000, &[price("a", 2.0, 10.0), foreign]), None, "currencies are not added up");
}

#[test]
fn how_long_something_took() {
    let took = |to: &str| took("2026-10-06T12:00:00.000Z", to);
    let said = |to: &str| took(&format!("2026-10-06T{to}Z")).unwrap();
    assert_eq!(
        ["12:00:00.000", "12:00:00.240", "12:00:09.949", "12:00:09.950", "12:02:05.400", "11:59:00.000"].map(said),
        ["0.0 s", "0.2 s", "9.9 s", "10 s", "2 min 05 s", "0.0 s"]
    );
    assert_eq!(took("never"), None);
}

#[test]
fn a_sentence_starts_with_a_capital_and_a_name_stays() {
    for (text, said) in [
        ("saved: park.md", "Saved: park.md"),
        ("theme: dark", "Theme: dark"),
        ("élan is kept", "Élan is kept"),
        ("desk/park is deleted", "desk/park is deleted"),
        ("park.md exists already", "park.md exists already"),
        ("“mayor” is not in the log", "“mayor” is not in the log"),
        ("1 hit", "1 hit"),
        ("", ""),
    ] {
        assert_eq!(sentence(text.to_owned()), said);
    }
}
