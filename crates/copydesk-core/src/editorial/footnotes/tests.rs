//! Drafts with footnotes and addresses that a verdict supports, and others.

use proptest::prelude::*;

use super::*;
use crate::editorial::testing::article;

fn checked(text: &str, citations: &[&str], own: &str) -> (String, Vec<String>) {
    let allowed = Allowed::new(citations.iter().map(|c| (*c).to_owned()).collect(), [own]);
    let (article, stripped) = check(&article(text), &allowed).unwrap();
    (article.articleBody, stripped)
}

#[test]
fn a_footnote_with_a_citation_of_a_verdict_stays() {
    let text = "Rain fell.[^1]\n\n## Footnotes\n\n[^1]: Weather office, https://www.example.org/rain/.";
    assert_eq!(checked(text, &["https://example.org/rain"], ""), (text.to_owned(), vec![]));
    let by_name = "Rain fell.[^1]\n\n## Footnotes\n\n[^1]: Smith et al., Rain, 2024.";
    assert_eq!(checked(by_name, &["Smith et al., Rain, 2024"], ""), (by_name.to_owned(), vec![]));
}

#[test]
fn a_text_that_was_read_is_cited_as_people_cite_it() {
    let allowed = Allowed::default().beside(vec!["Minutes".into(), "council-letter.txt".into()]);
    for note in [
        "See also Minutes, line 3.",
        "According to the Minutes, line 3.",
        "Town clerk, Minutes, line 3.",
        "Town clerk, Council letter, line 3.",
    ] {
        assert!(allowed.footnote(note), "{note}");
    }
    for note in ["Jones, Minutes of 1912, page 3.", "Jones on the minutes, page 3.", "See also Jones 2023."] {
        assert!(!allowed.footnote(note), "{note}");
    }
}

#[test]
fn an_invented_footnote_goes_with_its_references_and_its_section() {
    let text = "Rain fell.[^1] Snow fell [^2].\n\n## Footnotes\n\n[^1]: https://made.up/a\n    more of it\n[^2]: Jones 2023.\n";
    let (body, stripped) = checked(text, &["https://example.org"], "");
    assert_eq!(body, "Rain fell. Snow fell.");
    assert_eq!(
        stripped,
        [
            "footnote [^1]: https://made.up/a",
            "footnote [^2]: Jones 2023.",
            "reference [^1] without a footnote that a verdict supports",
            "reference [^2] without a footnote that a verdict supports",
        ]
    );
}

#[test]
fn an_invented_address_beside_an_allowed_one_goes_alone() {
    let text = "Rain.[^1]\n\n## Footnotes\n\n[^1]: https://example.org/rain and https://made.up/b";
    let (body, stripped) = checked(text, &["https://example.org/rain"], "");
    assert_eq!(body, "Rain.[^1]\n\n## Footnotes\n\n[^1]: https://example.org/rain and");
    assert_eq!(stripped, ["https://made.up/b"]);
}

#[test]
fn addresses_in_running_text_go_unless_a_source_has_them() {
    let text = "See [the report](https://made.up/r), <https://x.io/y>, www.z.org and doi:10.1000/abc123 (10.1000/xyz).";
    let (body, stripped) = checked(text, &["https://x.io/y"], "");
    assert_eq!(body, "See the report,, and.");
    assert_eq!(stripped, ["https://made.up/r", "https://x.io/y", "www.z.org", "doi:10.1000/abc123", "10.1000/xyz"]);
    let source = "They wrote at https://city.example/minutes and DOI 10.1000/ABC123.";
    let own = "Minutes: https://city.example/minutes/ (https://doi.org/10.1000/abc123).";
    assert_eq!(checked(own, &[], source), (own.to_owned(), vec![]));
}

#[test]
fn a_link_definition_goes_whole_and_a_missing_space_is_no_address() {
    assert_eq!(
        checked("Text [a][1].\n\n[1]: https://made.up \"T\"\n", &[], ""),
        ("Text [a][1].".into(), vec!["[1]: https://made.up \"T\"".into()])
    );
    assert_eq!(checked("He left St.Louis today.Then he ate.", &[], "").1, Vec::<String>::new());
}

#[test]
fn a_footnote_goes_whole_however_it_is_written() {
    for text in [
        "Text.\n\n[^1]: Jones et al.,\nfound that the lake warmed.",
        "Text.\n\n [^1]: Jones, Nature 2019.",
        "Text.\n\n## Footnotes\n\n1. Smith, Science 2020.\n2. Jones.",
    ] {
        assert_eq!(checked(text, &[], "").0, "Text.", "{text}");
    }
    let after = "Text.\n\n[^1]: Jones.\n\nThe story goes on.";
    assert_eq!(checked(after, &[], "").0, "Text.\n\n\nThe story goes on.");
}

#[test]
fn invented_notes_go_with_their_marks_in_every_style() {
    for (text, left) in [
        ("Rain.[1] Snow.[2]\n\n[1] Jones 2023.\n[2] https://a.example/x", "Rain. Snow.[2]\n\n[2] https://a.example/x"),
        ("Rain.^[Jones 2023.] Snow.^[Weather, https://a.example/x]", "Rain. Snow.^[Weather, https://a.example/x]"),
        ("Rain.¹ Snow.\n\n## Notes\n\n1. Jones 2023.", "Rain. Snow."),
        (
            "Rain.[1, 2]\n\n## Notes and sources\n\n[1] Jones.\n[2] https://a.example/x",
            "Rain.[2]\n\n## Notes and sources\n\n[2] https://a.example/x",
        ),
        ("Rain.<sup>1</sup>\n\n---\n\n[1] https://a.example/x", "Rain.<sup>1</sup>\n\n---\n\n[1] https://a.example/x"),
    ] {
        assert_eq!(checked(text, &["https://a.example/x"], "").0, left, "{text}");
    }
}

#[test]
fn a_link_goes_wherever_it_points() {
    let (body, _) = checked("[the study](made-up.org) and [x](javascript:alert(1))", &[], "");
    assert!(!body.contains("]("), "{body}");
}

#[test]
fn odd_marks_keep_the_notes_that_a_verdict_supports_and_nothing_else() {
    const X: &str = "[^1]: https://a.example/x";
    let kept = |text: &str| (text.to_owned(), Vec::<String>::new());
    let check = |text: &str| checked(text, &["https://a.example/x", "https://a.example/y"], "");
    let nothing = "reference [^9] without a footnote that a verdict supports";
    assert_eq!(
        check(&format!("Rain.[^9] Snow.[^1]\n\n{X}")),
        (format!("Rain. Snow.[^1]\n\n{X}"), vec![nothing.into()])
    );
    for fine in [
        // Two marks of one note, marks out of order, a note that names another, a mark inside a quotation.
        format!("Rain.[^1] Snow.[^1]\n\n{X}"),
        format!("Snow.[^2] Rain.[^1]\n\n{X}\n[^2]: As in [^1], and https://a.example/y"),
        format!("“Rain[^1] fell,” he said.\n\n{X}"),
    ] {
        assert_eq!(check(&fine), kept(&fine));
    }
    let twice = format!("Rain.[^1]\n\n{X}\n[^1]: https://a.example/y");
    let (body, said) = check(&twice);
    assert_eq!((body, said.len()), (format!("Rain.[^1]\n\n{X}"), 1), "{said:?}");
    let (body, said) = check(&format!("Rain.[^[^1]] Snow.[^[^9]]\n\n{X}"));
    assert_eq!(body, format!("Rain.[^1] Snow.\n\n{X}"));
    assert_eq!(said, ["mark inside a mark: [^[^1]]", "mark inside a mark: [^[^9]]", nothing]);
}

#[test]
fn a_numbered_list_below_a_heading_of_notes_is_held_as_footnotes_are() {
    let allowed = Allowed::new(vec!["https://a.example/x".into()], []).beside(vec!["council-minutes.txt".into()]);
    let checked = |text: &str| check(&article(text), &allowed).unwrap();
    for fine in [
        "Rain.[1] Snow.[2]\n\n## References\n\n[1] Council minutes, p. 3\n[2] https://a.example/x (accessed 3 May 2026)",
        "Rain.[1]\n\n**Notes**\n\n1. See the council minutes, para. 4",
        "Rain.[1]\n\n### Footnotes\n\n1) Council-minutes.txt, line 3",
        "Sources\n\nThe river has two sources.\n\n## Notes\n\nWe came late [1].",
    ] {
        assert_eq!(checked(fine), (article(fine), vec![]), "{fine}");
    }
    let (body, said) = checked("Rain.[1] Snow [2].\n\n## Sources\n\n1. Council minutes\n2. Jones 2023.");
    assert_eq!(body.articleBody, "Rain.[1] Snow.\n\n## Sources\n\n1. Council minutes");
    assert_eq!(said, ["footnote: 2. Jones 2023.", "reference [2] without a footnote that a verdict supports"]);
    let (body, _) = checked("Rain.[1]\n\n## References\n\n[1] https://made.up/a");
    assert_eq!(body.articleBody, "Rain.");
}

#[test]
fn an_editors_own_footnote_stays() {
    let own = "Text.[^a]\n\n[^a]: From my notebook, 3 May.";
    assert_eq!(checked(own, &[], own), (own.to_owned(), vec![]));
}

proptest! {
    #[test]
    fn a_checked_text_needs_no_second_check(text in "(?s)([a-z .\n]|\\[\\^1\\]|\\[\\^1\\]: |https://a\\.b/c|10\\.1234/x|## Footnotes\n|Sources\n|\n1\\. |\\[1\\]|\\[t\\]\\(http://q\\.r\\)){0,60}") {
        let (once, _) = checked(&text, &["https://a.b/ok"], "");
        let (_, stripped) = checked(&once, &["https://a.b/ok"], "");
        prop_assert_eq!(stripped, Vec::<String>::new());
    }
}

#[test]
fn a_footnote_may_cite_a_text_that_was_read_by_its_name_or_title() {
    let names = ["https://example.org/new", "Minutes of the council", "letter"].map(str::to_owned).to_vec();
    let allowed = Allowed::new(Vec::new(), []).beside(names);
    let stays = |note: &str| {
        let text = format!("Rain fell.[^1]\n\n## Footnotes\n\n[^1]: {note}");
        check(&article(&text), &allowed).unwrap().0.articleBody == text
    };
    for note in [
        "“Minutes of the Council”, line 3",
        "Ann Lee, Minutes of the council.",
        "Letter, line 1",
        "www.example.org/new",
    ] {
        assert!(stays(note), "{note}");
    }
    for note in [
        "Ann Lee's letter of 1912.",
        "Minutes of the councillors",
        "Letters to the editor, 1912",
        "https://example.org/old",
    ] {
        assert!(!stays(note), "{note}");
    }
    assert!(!check(&article("It is at https://example.org/new."), &allowed).unwrap().1.is_empty(), "in notes alone");
}
