//! Given this rule and this text, this note.

use proptest::prelude::*;

use super::*;
use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_text::spelling::HouseSpelling;

fn article(body: &str) -> ArticleResponse {
    ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: body.to_owned(),
        description: String::new(),
    }
}

fn style(rule: &str) -> Style {
    Style::read(&[("House/Rule.yml", rule)]).unwrap()
}

/// The notes of a rule on a body: the text and the message.
fn says(rule: &str, body: &str) -> Vec<(String, String)> {
    says_of(rule, body, "")
}

fn says_of(rule: &str, body: &str, source: &str) -> Vec<(String, String)> {
    let article = article(body);
    let dictionary = Dictionary::new(&article, &[Source { name: "notes.txt".into(), text: source.into() }]);
    style(rule).judge(&article, &dictionary).into_iter().map(|note| (note.text, note.message)).collect()
}

fn texts(rule: &str, body: &str) -> Vec<String> {
    says(rule, body).into_iter().map(|(text, _)| text).collect()
}

fn said(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(text, message)| ((*text).to_owned(), (*message).to_owned())).collect()
}

fn problems(rule: &str) -> Vec<String> {
    Style::read(&[("House/Rule.yml", rule)]).unwrap_err().iter().map(ToString::to_string).collect()
}

const VERY: &str =
    "extends: existence\nmessage: Not '%s'.\nignorecase: true\ntokens:\n  - very\n  - (?:kind|sort) of\n";

#[test]
fn a_note_says_where_and_what() {
    let note = |field, start, text: &str, message: &str| StyleNote {
        rule: "House.Rule".into(),
        level: NoteLevel::Warning,
        message: message.into(),
        field,
        start,
        end: start + text.len(),
        text: text.into(),
        replacement: None,
    };
    let mut article = article("It is *very* late.\n\nA sort\nof a day.");
    article.headline = "Very late".into();
    assert_eq!(
        style(VERY).judge(&article, &Dictionary::default()),
        [
            note("headline", 0, "Very", "Not 'Very'."),
            note("articleBody", 7, "very", "Not 'very'."),
            note("articleBody", 22, "sort\nof", "Not 'sort of'."),
        ]
    );
}

#[test]
fn neither_a_quotation_nor_a_name_of_the_sources_nor_what_is_no_prose_is_judged() {
    let body = "“It is very late,” said the aide of the Very Large Array, very softly. \"Very.\" `very` https://x.org/very\n\n\
                > “A very\n> long one”\n\n```\nvery\n```\n\n[^1]: A very long note.\n";
    let source = "She works at the Very Large Array.";
    assert_eq!(says_of(VERY, body, source), said(&[("very", "Not 'very'.")]));
    assert_eq!(texts(VERY, body), ["Very", "very"], "no source has the name");
    let raw = "extends: existence\nmessage: m\nscope: raw\nraw:\n  - v(?=ery)\n  - \\w+\n";
    assert_eq!(texts(raw, "“very” *very* `very`"), ["very", "very"], "raw is as written, quotations aside");
    let repeated = "extends: repetition\nmessage: m\nignorecase: true\nalpha: true\ntokens: ['[^\\s“”,.]+']\n";
    assert_eq!(
        says_of(repeated, "Duran Duran sang the the song, he said “a” he said.", "It was Duran Duran."),
        said(&[("the the", "m")])
    );
}

#[test]
fn a_block_quotation_is_judged_only_by_a_rule_that_asks_for_it() {
    let body = "Very late.\n\n> A very long one. Very.\n> # A very long heading\n> - very\n> > very deep\n\nSo very.\n";
    assert_eq!(texts(VERY, body), ["Very", "very"]);
    for scope in ["~heading", "sentence", "summary", "paragraph & ~blockquote"] {
        assert_eq!(texts(&format!("{VERY}scope: {scope}\n"), body), ["Very", "very"], "{scope}");
    }
    assert_eq!(texts(&format!("{VERY}scope: blockquote\n"), body), ["very", "Very", "very"]);
    assert_eq!(texts(&format!("{VERY}scope: [text, blockquote]\n"), body), ["Very", "very", "Very", "very", "very"]);
    let raw = "extends: existence\nmessage: m\nscope: raw\nignorecase: true\nraw: ['[a-z>]*ery\\W']\n";
    assert_eq!(texts(raw, body), ["Very ", "very."]);
    let article = article("He was late.\n\n> She saw an university on the counncil.\n\n- one\n");
    let review = StyleReview::new(&article, &Dictionary::default(), &Style::default(), Some(HouseSpelling::Either));
    assert_eq!(review.notes, []);
}

#[test]
fn existence_puts_raw_before_its_words_or_behind() {
    let rule = |append: bool| {
        format!(
            "extends: existence\nmessage: m\nappend: {append}\nraw:\n  - '[.]'\n  - ' '\ntokens:\n  - so\n  - and\n"
        )
    };
    assert_eq!(texts(&rule(false), "It ended. so it began. And so. x"), [". so"]);
    assert_eq!(texts(&rule(true), "It is so. x"), ["so. "]);
    let nonword = "extends: existence\nmessage: m\nnonword: true\ntokens: ['ery']\n";
    assert_eq!(texts(nonword, "very every"), ["ery", "ery"]);
    let exceptions = "extends: existence\nmessage: m\nignorecase: true\ntokens: ['\\w+-able']\nexceptions: ['Cap-able', '(?i)do-able']\n";
    assert_eq!(texts(exceptions, "Cap-able cap-able DO-able"), ["cap-able"]);
    let removes = "extends: existence\nmessage: \"Not '%s' but '%s'.\"\ntokens: [very]\naction:\n  name: remove\n";
    assert_eq!(says(removes, "very"), said(&[("very", "Not 'very' but ''.")]));
}

#[test]
fn substitution_says_what_is_written_instead() {
    let rule = "extends: substitution\nmessage: Consider using '%s' instead of '%s'\nlevel: warning\nignorecase: false\nswap:\n  \
                abundance: plenty\n  accelerate: speed up\n  in order to: to\n  in order: sorted\n";
    let article = article("An abundance in order to accelerate in order.");
    let notes = style(rule).judge(&article, &Dictionary::default());
    let told: Vec<(&str, &str, Option<&str>)> =
        notes.iter().map(|note| (note.text.as_str(), note.message.as_str(), note.replacement.as_deref())).collect();
    assert_eq!(
        told,
        [
            ("abundance", "Consider using 'plenty' instead of 'abundance'", Some("plenty")),
            ("in order to", "Consider using 'to' instead of 'in order to'", Some("to")),
            ("accelerate", "Consider using 'speed up' instead of 'accelerate'", Some("speed up")),
            ("in order", "Consider using 'sorted' instead of 'in order'", Some("sorted")),
        ]
    );
}

#[test]
fn substitution_takes_from_groups_and_lets_what_is_right_pass() {
    let groups = "extends: substitution\nmessage: \"'%s' not '%s'\"\nignorecase: true\nswap:\n  '(\\d+) (?:a\\.m\\.|am) in the (morning)': '$1 a.m.'\n";
    assert_eq!(
        says(groups, "At 7 am in the morning."),
        said(&[("7 am in the morning", "'7 a.m.' not '7 am in the morning'")])
    );
    let case = "extends: substitution\nmessage: \"%s %s\"\nignorecase: true\nswap:\n  javascript: JavaScript\n  'e-?mail': 'e-?mail'\n";
    assert_eq!(says(case, "JavaScript javascript email"), said(&[("javascript", "JavaScript javascript")]));
    let capital = "extends: substitution\nmessage: \"%s %s\"\nignorecase: true\ncapitalize: true\nswap:\n  utilize: use|employ\naction: {name: replace}\n";
    assert_eq!(says(capital, "Utilize it"), said(&[("Utilize", "'Use' or 'Employ' Utilize")]));
    let marked = "extends: substitution\nmessage: \"Use '%s' not '%s'\"\nswap:\n  utilize: use\naction: {name: replace}\nexceptions: [utilize it]\n";
    assert_eq!(says(marked, "utilize"), said(&[("utilize", "Use 'use' not 'utilize'")]));
}

#[test]
fn occurrence_counts_in_each_stretch() {
    let long =
        "extends: occurrence\nmessage: '%s words'\nscope: sentence\nlevel: suggestion\nmax: 4\ntoken: \\b(\\w+)\\b\n";
    assert_eq!(
        says(long, "One two three four. One two “a b c d e f” three. One two three four five."),
        said(&[("One", "5 words")])
    );
    let none = "extends: occurrence\nmessage: No link\nscope: raw\nmin: 1\ntoken: 'https?:'\n";
    assert_eq!(says(none, "No link here").len(), 4, "each field has none");
    let commas =
        "extends: occurrence\nmessage: More than 3 commas!\nscope: sentence\nignorecase: true\nmax: 3\ntoken: ','\n";
    assert_eq!(texts(commas, "a, b, c, d, e. a, b."), [","]);
}

#[test]
fn repetition_needs_the_same_token_side_by_side() {
    let rule =
        "extends: repetition\nmessage: \"'%s' is repeated!\"\nlevel: error\nalpha: true\ntokens:\n  - '[^\\s]+'\n";
    assert_eq!(
        says(rule, "This is is the *the* test. 5 5 the. the"),
        said(&[("is is", "'is' is repeated!"), ("the *the", "'the' is repeated!")])
    );
    let twice = "extends: repetition\nmessage: m\nignorecase: true\nmax: 1\nexceptions: [no no]\ntokens: ['\\w+']\n";
    assert_eq!(texts(twice, "So so, it it it, no no no"), ["it it"]);
}

#[test]
fn consistency_minds_only_both() {
    let rule = "extends: consistency\nmessage: \"Inconsistent spelling of '%s'\"\nlevel: error\nignorecase: true\neither:\n  advisor: adviser\n  centre: center\n";
    assert_eq!(says(rule, "The advisor and the advisor of the centre."), []);
    assert_eq!(
        says(rule, "The advisor met.\n\nThe Adviser left.\n\n“An adviser,” she said."),
        said(&[("Adviser", "Inconsistent spelling of 'Adviser'")])
    );
    assert_eq!(
        says_of(rule, "The advisor went to Rockefeller Center for the centre.", "It is at Rockefeller Center."),
        []
    );
}

#[test]
fn capitalization_counts_words_names_aside() {
    let rule = |more: &str| format!("extends: capitalization\nmessage: \"'%s' not '%s'\"\nscope: heading\n{more}");
    let wrong = |more: &str, heading: &str| {
        says(&rule(more), &format!("## {heading}\n")).into_iter().next().map(|(_, message)| message)
    };
    assert_eq!(wrong("match: $title\n", "Council Votes to Renovate the Park"), None);
    assert_eq!(
        wrong("match: $title\nstyle: AP\n", "council votes between of the park"),
        Some("'council votes between of the park' not 'Council Votes Between of the Park'".into())
    );
    assert_eq!(
        wrong("match: $title\nstyle: Chicago\nthreshold: 1\n", "The Park between the Roads: a Plan"),
        Some("'The Park between the Roads: a Plan' not 'The Park between the Roads: A Plan'".into())
    );
    assert_eq!(wrong("match: $sentence\n", "Council votes on a ramp"), None);
    assert_eq!(wrong("match: $sentence\nthreshold: 1\n", "“We won,” says mayor"), None);
    assert_eq!(
        wrong("match: $sentence\n", "Council Says “We won” On A Ramp").as_deref(),
        Some("'Council Says “We won” On A Ramp' not 'Council says “We won” on a ramp'")
    );
    assert_eq!(
        wrong("match: $sentence\n", "council votes on a ramp"),
        Some("'council votes on a ramp' not 'Council votes on a ramp'".into())
    );
    assert_eq!(
        wrong("match: $sentence\n", "Council Votes On A Ramp").as_deref(),
        Some("'Council Votes On A Ramp' not 'Council votes on a ramp'")
    );
    assert_eq!(wrong("match: $sentence\nthreshold: 0.2\n", "Council Votes On a Ramp"), None);
    assert_eq!(wrong("match: $sentence\nexceptions: [Votes, On A]\n", "Council Votes On A NASA ramp"), None);
    assert_eq!(
        wrong("match: $sentence\nindicators: [':']\nprefix: '^[a-z]\\.\\s'\n", "a. Council votes: Ramp goes"),
        None
    );
    assert_eq!(wrong("match: $lower\n", "council votes"), None);
    assert_eq!(wrong("match: $lower\n", "Council votes").as_deref(), Some("'Council votes' not 'council votes'"));
    assert_eq!(wrong("match: $upper\n", "Council").as_deref(), Some("'Council' not 'COUNCIL'"));
    assert_eq!(wrong("match: '^[A-Z]'\n", "Council votes"), None);
    assert_eq!(wrong("match: '^[A-Z]'\n", "council votes").as_deref(), Some("'council votes' not ''"));
    let named = says_of(&rule("match: $sentence\n"), "## Inez Calloway Joins\n", "It is Inez Calloway's.");
    assert_eq!(named, said(&[("Inez Calloway Joins", "'Inez Calloway Joins' not 'Inez Calloway joins'")]));
    assert_eq!(says_of(&rule("match: $lower\n"), "## with Calloway\n", "It is Inez Calloway's."), []);
}

#[test]
fn a_title_of_the_house_offers_its_own_case() {
    let rule = "extends: capitalization\nmessage: m\nscope: heading\nmatch: $sentence\naction: {name: replace}\n";
    let article = article("# A Ramp For The Park\n");
    let notes = style(rule).judge(&article, &Dictionary::default());
    assert_eq!(notes.iter().map(|note| note.replacement.as_deref()).collect::<Vec<_>>(), [Some("A ramp for the park")]);
}

#[test]
fn conditional_wants_an_abbreviation_explained() {
    let rule = "extends: conditional\nmessage: \"'%s' has no definition\"\nlevel: error\nscope: text\nignorecase: false\n\
                first: '\\b([A-Z]{3,5})\\b'\nsecond: '(?:\\b[A-Z][a-z]+ )+\\(([A-Z]{3,5})\\)'\nexceptions:\n  - ABC\n";
    assert_eq!(
        says(rule, "The World Health Organization (WHO) met.\n\nWHO and DAFB and ABC."),
        said(&[("DAFB", "'DAFB' has no definition")])
    );
}

#[test]
fn every_problem_of_a_rule_is_told_with_its_line() {
    assert_eq!(
        problems("message: m\n"),
        [format!("House/Rule.yml:1: extends is missing or empty; {KINDS} belongs there")]
    );
    assert_eq!(
        problems("extends: existance\n"),
        [format!("House/Rule.yml:1: extends is \"existance\"; {KINDS} belongs there")]
    );
    assert_eq!(
        problems(
            "extends: existence\nlevel: high\nscope: [text, headings]\nignorecase: maybe\ntokens:\n  - 'a('\n  - [b]\nswap: {a: b}\n"
        ),
        [
            "House/Rule.yml:1: message is missing or empty; a sentence, with %s for what was found, belongs there",
            "House/Rule.yml:2: level is \"high\"; suggestion, warning or error belongs there",
            "House/Rule.yml:3: scope has \"headings\"; one of text, heading, table, list, paragraph, sentence, blockquote, title, summary, raw, alt, figure belongs there",
            "House/Rule.yml:4: ignorecase is \"maybe\"; true or false belongs there",
            "House/Rule.yml:6: \"a(\" is no pattern: Parsing error at position 2: Opening parenthesis without closing parenthesis",
            "House/Rule.yml:7: tokens is a list; a list of words or patterns belongs there",
            "House/Rule.yml:8: swap is no key of this kind of rule; its keys are extends, message, level, scope, limit, link, description, name, vocab, ignorecase, nonword, append, tokens, raw, exceptions, action",
        ]
    );
    for (rule, says) in [
        ("", "1: this is nothing"),
        ("- a\n", "1: this is no list of keys"),
        ("a: [\n", "no YAML"),
        ("extends: substitution\nmessage: m\nswap: x\n", "3: swap is \"x\""),
        ("extends: substitution\nmessage: m\n", "swap is missing"),
        ("extends: substitution\nmessage: m\nswap:\n  a: b\n  '(': c\n", "5: \"(\" is no pattern"),
        ("extends: occurrence\nmessage: m\nmax: many\ntoken: a\n", "3: max is \"many\""),
        ("extends: occurrence\nmessage: m\ntoken: a\n", "max is missing or empty; max or min"),
        ("extends: occurrence\nmessage: m\nmax: 1\n", "token is missing"),
        ("extends: repetition\nmessage: m\n", "tokens is missing"),
        ("extends: consistency\nmessage: m\neither:\n  a: (\n", "4: this is no pattern"),
        ("extends: consistency\nmessage: m\n", "either is missing"),
        ("extends: capitalization\nmessage: m\n", "match is missing"),
        ("extends: capitalization\nmessage: m\nmatch: $title\nstyle: MLA\n", "4: style is \"MLA\"; AP or Chicago"),
        ("extends: capitalization\nmessage: m\nmatch: (\n", "3: this is no pattern"),
        ("extends: capitalization\nmessage: m\nmatch: $lower\nthreshold: some\n", "4: threshold is \"some\"; a number"),
        ("extends: conditional\nmessage: m\nfirst: a\n", "second is missing"),
        ("extends: existence\nmessage: m\ntokens: [a]\naction: x\n", "4: action is \"x\"; a section"),
    ] {
        let told = problems(rule);
        assert!(told.iter().any(|problem| problem.contains(says)), "{rule}: {told:?}");
    }
}

const KINDS: &str = "one of existence, substitution, occurrence, repetition, consistency, capitalization, conditional";

#[test]
fn every_file_of_a_style_is_told_at_once_and_other_kinds_are_left_out_aloud() {
    let wrong = [("A/One.yml", "extends: x"), ("A/Two.yml", "a: [")];
    let files_of = |problems: &[StyleProblem]| problems.iter().map(|problem| problem.file.clone()).collect::<Vec<_>>();
    assert_eq!(files_of(&Style::read(&wrong).unwrap_err()), ["A/One.yml", "A/Two.yml"]);
    let style = Style::read(&[wrong[1], ("A/Three.yml", VERY), wrong[0]]).unwrap();
    assert_eq!(style.rules().collect::<Vec<_>>(), ["A.Three"]);
    assert_eq!(files_of(style.left_out()), ["A/One.yml", "A/Two.yml"]);
    let newer = format!("{VERY}future_key: 1\n");
    let style = Style::read(&[("A/Newer.yml", newer.as_str()), ("A/Three.yml", VERY)]).unwrap();
    let [left] = style.left_out() else { panic!("{style:?}") };
    assert!(
        left.to_string()
            .starts_with("A/Newer.yml:7: the rule is left out: future_key is no key of this kind of rule; "),
        "{left}"
    );
    for kind in ["spelling", "sequence", "script", "readability", "metric"] {
        let rule = format!("message: m\nextends: {kind}\nanything: else\n");
        let style = Style::read(&[("A/One.yml", rule.as_str()), ("A/Three.yml", VERY)]).unwrap();
        assert_eq!(style.rules().collect::<Vec<_>>(), ["A.Three"]);
        let [left] = style.left_out() else { panic!("{kind}") };
        assert!(
            left.to_string().starts_with(&format!("A/One.yml:2: the rule is left out, as it extends {kind}: ")),
            "{left}"
        );
    }
    let large = format!("{VERY}#{}", " ".repeat(rule::LARGEST));
    assert!(Style::read(&[("A/One.yml", large)]).unwrap_err()[0].message.contains("larger than"));
}

#[test]
fn a_pattern_that_takes_too_long_says_so_once() {
    let rule = "extends: existence\nmessage: m\nnonword: true\ntokens: ['(a+)+\\1c']\n";
    let told = says(rule, &format!("{}b", "a".repeat(3_000)));
    assert_eq!(told, said(&[("", "This rule was given up: its pattern takes too long on this text.")]));
    // No going back here, only reading ahead: over one long paragraph, and over many that are each looked at.
    let ahead = "extends: existence\nmessage: m\nnonword: true\ntokens: ['.*[^A-Z]', '[A-Z]']\n";
    for body in ["A".repeat(60_000), format!("{}\n\n", "A".repeat(2_000)).repeat(60)] {
        assert_eq!(says(ahead, &body), told);
    }
    assert_eq!(says(ahead, &"A".repeat(200)).len(), note::MOST);
}

#[test]
fn a_rule_that_finds_no_end_stops() {
    let body = "very ".repeat(1_000);
    assert_eq!(says(VERY, &body).len(), note::MOST);
    assert_eq!(says(&format!("{VERY}limit: 2\n"), &body).len(), 2);
}

/// The notes of the desk's own style on a body, by rule.
fn house(body: &str) -> Vec<(String, String)> {
    let style = Style::of_the_house().unwrap();
    let notes = style.judge(&article(body), &Dictionary::default());
    notes.into_iter().map(|note| (note.rule.trim_start_matches("Copydesk.").to_owned(), note.text)).collect()
}

#[test]
fn the_houses_rules_say_what_a_copy_editor_would() {
    for (rule, body, text) in [
        ("Absolute", "It was a very unique vote.", "very unique"),
        ("Agentless", "It was decided to close it.", "It was decided"),
        ("Cliche", "In the end it was a perfect storm.", "perfect storm"),
        ("HeadlineCase", "## Council Votes For New Ramp Plan", "Council Votes For New Ramp Plan"),
        ("HeadlineStop", "## Council votes for a ramp.", "."),
        ("Intensifier", "It was very late.", "very"),
        ("Percent", "It rose 4 percent and fell 3 per cent.", "per cent"),
        ("Redundancy", "The end result was this.", "end result"),
        ("Repeated", "It fell to to three.", "to to"),
        ("TimeOfDay", "They met at 12 noon.", "12 noon"),
        ("TimeOfDay", "They met at 7 a.m. in the morning.", "7 a.m. in the morning"),
        ("Unattributed", "Experts say it will hold.", "Experts say"),
        ("Unattributed", "Studies show that it holds.", "Studies show"),
        ("Variants", "It moved towards the gate and toward us.", "toward"),
        ("Weasel", "It was arguably late.", "arguably"),
        ("Wordy", "They came in order to vote.", "in order to"),
    ] {
        assert!(house(body).contains(&(rule.to_owned(), text.to_owned())), "{rule}: {:?}", house(body));
    }
    let long = format!(
        "{}.",
        vec!["word"; 45].iter().enumerate().map(|(at, word)| format!("{word}{at}")).collect::<Vec<_>>().join(" ")
    );
    assert_eq!(house(&long), [("SentenceLength".to_owned(), "word0".to_owned())]);
    let mut article = article("");
    article.headline = long.trim_end_matches('.').replacen("word", "Word", 1);
    let notes = Style::of_the_house().unwrap().judge(&article, &Dictionary::default());
    assert_eq!(notes.iter().map(|note| note.rule.as_str()).collect::<Vec<_>>(), ["Copydesk.HeadlineLength"]);
}

#[test]
fn the_houses_rules_let_good_copy_pass() {
    for body in [
        "## Council votes 7-2 for a ramp\n\nExperts at the institute said so on Tuesday. It was decided by the board.",
        "The very first meeting had had no quorum. It rose 4 percent to 8 percent. The vote was almost unanimous.",
        "“Experts say it was very, very unique,” she said. A study by the college shows that prices fell.",
        "## What comes next?\n\nThe council meets at 7 a.m. on Tuesday.\n\n## A word from J. R.\n",
    ] {
        assert_eq!(house(body), [], "{body}");
    }
}

/// The notes of the rules of grammar on a body: the rule, the text and the replacement.
fn grammar(body: &str) -> Vec<(String, String, Option<String>)> {
    let notes = Style::grammar().judge(&article(body), &Dictionary::default());
    notes.into_iter().map(|note| (note.rule, note.text, note.replacement)).collect()
}

#[test]
fn plain_mistakes_of_grammar_are_found() {
    for (rule, body, text, instead) in [
        ("AnA", "She saw an university.", "an", "a"),
        ("AnA", "It took a hour.", "a", "an"),
        ("AnA", "A apple fell. It was late.", "A", "An"),
        ("AnA", "It was a 8-year-old boy.", "a", "an"),
        ("AnA", "They formed an union.", "an", "a"),
        ("AnA", "It was a unusual vote.", "a", "an"),
        ("ModalOf", "The plan could of failed.", "could of", "could have"),
        ("ModalOf", "It might of been late.", "might of", "might have"),
        ("Its", "Its a long way.", "Its", "It’s"),
        ("Its", "The town has it's own pool.", "it's", "its"),
        ("Their", "Their are three.", "Their", "There"),
        ("Their", "A boy who's own bicycle it was.", "who's", "whose"),
        ("Than", "It cost more then 40 euros.", "then", "than"),
        ("Participle", "He had went home.", "had went", "had gone"),
        ("Participle", "We was late.", "We was", "We were"),
        ("BetweenTo", "It takes between 5 to 10 days.", "between 5 to 10", "between 5 and 10"),
    ] {
        let wanted = (format!("Grammar.{rule}"), text.to_owned(), Some(instead.to_owned()));
        assert_eq!(grammar(body), [wanted], "{body}");
    }
}

#[test]
fn the_rules_of_grammar_find_nothing_in_good_copy() {
    for body in [
        "A union, a European unit, a one-off, a useful uniform, a unanimous vote, a eulogy, a US plan, an MP, an honest heir.",
        "An hour, an umbrella, an uninformed guess, an 11-year-old, an 18th try, a 110-page paper, an FBI agent, an sms.",
        "Plan A is off, and vitamin A or B is not. From a to b, she could of course go. The might of the army was its own.",
        "It cost less then. Its going rate was low; it’s been cut since. They have spoken, and he has begun.",
    ] {
        assert_eq!(grammar(body), [], "{body}");
    }
    // The repository's own texts.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["assets/topics", "assets/drafts", "docs", "prompts/styles", "."] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md" || ending == "json") {
                let text = std::fs::read_to_string(&path).unwrap().replace("\\n", "\n").replace("\\\"", "\"");
                assert_eq!(grammar(&text), [], "{}", path.display());
            }
        }
    }
}

#[test]
fn each_file_of_the_house_says_why() {
    for (name, text) in house::FILES.iter().chain(house::GRAMMAR) {
        assert!(text.starts_with("# ") && text.lines().next().unwrap().len() > 20, "{name}");
    }
    let style = Style::of_the_house().unwrap();
    assert_eq!(style.rules().count(), house::FILES.len());
    assert_eq!(style.demands(), house::own_demands());
}

#[test]
fn styles_of_two_folders_are_one() {
    let late = "extends: existence\nmessage: m\ntokens: [late]\n";
    let both = Style::read(&[("Other/Late.yml", late), ("House/Rule.yml", VERY)]).unwrap();
    let notes = both.judge(&article("very late"), &Dictionary::default());
    assert_eq!(notes.iter().map(|note| note.rule.as_str()).collect::<Vec<_>>(), ["House.Rule", "Other.Late"]);
}

/// Text with everything in it that the rules look for.
const BUSY: &str = "([A-Z][a-z]{1,6}|[a-z]{1,7}|[0-9]{1,4}%?|“|”|\"|[,.:;!?*_`#>|-]|\n|\n\n|very|the the|per cent|percent|experts say|https://a\\.b/very|\\[\\^1\\]:?| ){0,60}";

proptest! {
    #[test]
    fn any_article_is_judged_and_each_note_is_where_it_says(body in "\\PC*", busy in BUSY, headline in BUSY) {
        let style = Style::of_the_house().unwrap();
        for body in [&body, &busy] {
            let mut article = article(body);
            article.headline.clone_from(&headline);
            let source = Source { name: "notes".into(), text: busy.clone() };
            let dictionary = Dictionary::new(&article, &[source]);
            let quotations = copydesk_text::marks::quotations(body);
            for note in style.judge(&article, &dictionary) {
                let (_, field) = article.fields().into_iter().find(|(name, _)| *name == note.field).unwrap();
                prop_assert_eq!(field.get(note.start..note.end), Some(note.text.as_str()));
                if note.field == "articleBody" {
                    let within = quotations.iter().any(|q| q.start <= note.start && note.end <= q.end && note.start < note.end);
                    prop_assert!(!within, "{:?}", note);
                }
            }
        }
    }

    #[test]
    fn any_file_is_read_or_refused(text in "\\PC*", keys in "(extends|message|tokens|swap|scope|level): ?(existence|substitution|\\[a\\]|\\{a: b\\}|'\\PC{0,6}'|\n){1,3}\n") {
        for text in [&text, &keys] {
            let _ = Style::read(&[("A/B.yml", text.as_str())]);
        }
    }
}
