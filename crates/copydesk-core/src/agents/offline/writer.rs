//! The writer: a fact sheet, made of the sources' own sentences, lines of notes and rows of tables.
//!
//! The sheet leads with the news, keeps the rest in the source's order, says nothing twice, and adds no word. If the source is shorter than the length asked
//! for, or no sentence can be a headline, `undone` says so. The brief passes the proof: sentences that the proof would raise are left out.

use super::{
    heads::{Heads, carries, lead, subject_of},
    material::{SourceUnit, units},
    value::{Scale, stems},
};
use crate::editorial::{remarks::SHORT, target_length::TargetLength};
use copydesk_newsroom::{ArticleResponse, Draft, Finding, Source, Topic};
use copydesk_proof as proof;
use copydesk_text::sanitise::one_line;

/// How often a draft is checked against its sources while it is made. Sentences that are raised after that are removed without a
/// replacement.
const READINGS: usize = 6;

/// How far down the candidates a description may come from so that it does not repeat the body.
const FRESH: usize = 6;

/// A unit below this value is printed only if the length asked for needs it.
const WORTH: f64 = 2.0;

/// A brief on `topic` from `sources`, within the length asked for.
pub fn draft(topic: &Topic, sources: &[Source]) -> Draft {
    let full = one_line(&topic.source_metadata.topic_title).trim_end_matches('.').to_owned();
    let title = subject_of(&full, sources);
    let length = length(&topic.target_length_words);
    let scale = Scale::of_topic(topic, sources);
    let mut usable = units(sources, &scale);
    // The headline is the title; a lede that says it again says nothing.
    let repeats = |unit: &SourceUnit| {
        unit.sentences.len() == 1 && unit.sentences.iter().all(|one| one.trim_end_matches('.') == full)
    };
    if !usable.iter().all(repeats) {
        usable.retain(|unit| !repeats(unit));
    }
    let mut article = compose(&usable, &title, &scale, sources, length);
    for reading in 0.. {
        let findings = proof::check(&article, sources);
        if findings.is_empty() {
            break;
        }
        let before = usable.len();
        usable.retain(|unit| !raised(unit, &findings, &article));
        article = if reading < READINGS && usable.len() < before {
            compose(&usable, &title, &scale, sources, length)
        } else {
            without(&article, &findings)
        };
        if reading > READINGS * 2 {
            break;
        }
    }
    let mut undone = Vec::new();
    let words = article.words();
    if words < length.0 {
        undone.push(format!("{SHORT}{}; target {}", copydesk_text::count(words, "word"), length.0));
    }
    if article.headline.is_empty() {
        undone.push(
            "A headline – no sentence of the sources is short enough for one; write it by hand or use a model"
                .to_owned(),
        );
    }
    Draft { article, stripped: Vec::new(), undone }
}

/// A headline, an alternative headline or a description from the sources, for a field that a revision has emptied. Empty
/// if the sources have none that the proof lets stand.
pub(super) fn replacement(field: &str, article: &ArticleResponse, sources: &[Source]) -> String {
    let scale = Scale::of_text(&format!("{} {}", article.headline, article.articleBody), sources);
    let usable = units(sources, &scale);
    let taken = [article.headline.as_str(), article.alternativeHeadline.as_str()];
    let heads = Heads { usable: &usable, scale: &scale };
    let candidates = if field == "description" { heads.descriptions() } else { heads.headlines() };
    let stands = |text: &String| {
        let probe = only(field, text);
        let is_fresh = field != "description" || !article.articleBody.contains(text.as_str());
        is_fresh && !taken.contains(&text.as_str()) && proof::check(&probe, sources).is_empty()
    };
    candidates.into_iter().take(12).find(stands).unwrap_or_default()
}

fn only(field: &str, text: &str) -> ArticleResponse {
    let empty = ArticleResponse::default();
    empty.map(|name, _| if name == field { text.to_owned() } else { String::new() })
}

fn compose(
    usable: &[SourceUnit],
    title: &str,
    scale: &Scale,
    sources: &[Source],
    (least, most): (usize, usize),
) -> ArticleResponse {
    let lead = lead(usable, most);
    let mut chosen: Vec<&SourceUnit> = Vec::new();
    let mut printed = lead.map_or(0, |lead| lead.words);
    let mut ranked: Vec<&SourceUnit> =
        usable.iter().filter(|unit| lead.is_none_or(|lead| unit.order != lead.order)).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    for unit in ranked {
        let said = chosen
            .iter()
            .copied()
            .chain(lead)
            .any(|other| other.sentences.iter().any(|sentence| unit.sentences.contains(sentence)));
        let wanted = unit.score >= WORTH || printed < least;
        if wanted
            && printed + unit.words <= most
            && !said
            && !chosen.iter().copied().chain(lead).any(|other| repeats(unit, other))
        {
            printed += unit.words;
            chosen.push(unit);
        }
    }
    chosen.sort_by_key(|unit| unit.order);
    let heads = Heads { usable, scale };
    let mut headlines = heads.headlines().into_iter();
    let carried = carries(title, sources) && proof::check(&only("headline", title), sources).is_empty();
    let headline = if carried { title.to_owned() } else { headlines.next().unwrap_or_default() };
    let begins =
        |text: &str| lead.is_some_and(|lead| lead.sentences.first().is_some_and(|head| head.starts_with(text)));
    let second = headlines.find(|text| *text != headline && !begins(text));
    let different = |text: &String| text.trim_end_matches('.') != headline;
    let opening = lead.map_or("", |lead| lead.text.as_str());
    let mut others = heads.descriptions();
    others.retain(|text| different(text) && !opening.contains(text.as_str()) && !text.contains(opening));
    // A sentence that the body has says nothing new above it.
    let fresh = others.iter().position(|text| !chosen.iter().any(|unit| unit.text.contains(text.as_str())));
    let description = fresh.filter(|place| *place < FRESH).map(|place| others.swap_remove(place));
    // A field for which the sources have nothing of its own stays empty, and is left out.
    ArticleResponse {
        alternativeHeadline: second.unwrap_or_default(),
        articleBody: paragraphs(lead, &chosen),
        description: description.unwrap_or_default(),
        headline,
    }
}

/// Whether a unit says in nearly the same words what another says, with no figure of its own.
fn repeats(unit: &SourceUnit, other: &SourceUnit) -> bool {
    let (mine, theirs) = (stems(&unit.text), stems(&other.text));
    let told = |stem: &&String| theirs.contains(stem);
    let figure = |stem: &String| stem.starts_with(|c: char| c.is_ascii_digit());
    mine.len() >= ALIKE_FROM
        && mine.iter().filter(told).count() * 100 >= mine.len() * ALIKE
        && mine.iter().filter(|stem| figure(stem)).all(|stem| theirs.contains(stem))
}

/// A unit with so many content words repeats another that has so many per cent of them.
const ALIKE_FROM: usize = 4;
const ALIKE: usize = 85;

/// Most sentences of a paragraph.
const PARAGRAPH: usize = 4;

/// Fewest and most words of a topic; without a number 250 to 400.
pub(super) fn length(asked: &str) -> (usize, usize) {
    TargetLength::of(asked).map_or((250, 400), |target| (target.least, target.most))
}

/// Makes paragraphs of one to four sentences. Units of one paragraph of the source stay together; a turn stands alone.
pub(super) fn paragraphs(lead: Option<&SourceUnit>, chosen: &[&SourceUnit]) -> String {
    let mut found: Vec<String> = lead.iter().map(|unit| unit.text.clone()).collect();
    let mut last: Option<(&SourceUnit, usize)> = None;
    for unit in chosen {
        let goes_on = last.map_or(lead, |(before, _)| Some(before)).is_some_and(|before| before.is_note);
        match (last, found.last_mut()) {
            // Lines of notes are a list.
            (_, Some(lines)) if unit.is_note && goes_on => {
                lines.push('\n');
                lines.push_str(&unit.text);
                last = Some((unit, 1));
            }
            (Some((before, count)), Some(paragraph))
                if before.paragraph == unit.paragraph
                    && count + unit.sentences.len() <= PARAGRAPH
                    && !unit.is_note
                    && !before.is_note
                    && unit.label.is_none()
                    && before.label.is_none()
                    && before.at.0 == unit.at.0
                    && (before.at.2..before.at.2 + 4).contains(&unit.at.1) =>
            {
                paragraph.push(' ');
                paragraph.push_str(&unit.text);
                last = Some((unit, count + unit.sentences.len()));
            }
            _ => {
                found.push(unit.text.clone());
                last = Some((unit, unit.sentences.len()));
            }
        }
    }
    found.join("\n\n")
}

/// Whether a finding of the draft touches a unit.
pub(super) fn raised(unit: &SourceUnit, findings: &[Finding], article: &ArticleResponse) -> bool {
    findings.iter().any(|finding| {
        let text = article.field(&finding.field).unwrap_or_default();
        let head: String = unit.text.trim_end_matches('.').to_owned();
        text.match_indices(head.as_str()).any(|(at, _)| finding.start < at + unit.text.len() && at < finding.end)
            || finding.field != "articleBody"
                && !text.is_empty()
                && (unit.text.starts_with(text.trim_end_matches('.'))
                    || unit.alone.iter().any(|sentence| sentence.trim_end_matches('.') == text))
    })
}

/// The article without the paragraphs and fields that findings touch.
pub(super) fn without(article: &ArticleResponse, findings: &[Finding]) -> ArticleResponse {
    article.map(|name, text| {
        let mut at = 0;
        let mut kept = Vec::new();
        for paragraph in text.split("\n\n") {
            let touched = findings.iter().any(|f| f.field == name && f.start < at + paragraph.len() && at < f.end);
            if !touched {
                kept.push(paragraph);
            }
            at += paragraph.len() + 2;
        }
        kept.join("\n\n")
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use copydesk_newsroom::{PathName, SourceMetadata};
    use copydesk_text::{sentences::sentences, words::words};

    fn topic(title: &str, text: &str, length: &str) -> (Topic, Vec<Source>) {
        let topic = Topic {
            source_text: text.to_owned(),
            source_metadata: SourceMetadata {
                source_file: "a.json".to_owned(),
                channel_name: PathName::new("local").unwrap(),
                video_id: "v".to_owned(),
                video_title: "minutes".to_owned(),
                publish_date: None,
                topic_slug: PathName::new("slug").unwrap(),
                topic_title: title.to_owned(),
            },
            style_mode: "NATURE_NEWS".to_owned(),
            target_length_words: length.to_owned(),
            optional_angle: None,
        };
        let sources = vec![Source { name: "minutes".to_owned(), text: text.to_owned() }];
        (topic, sources)
    }

    #[test]
    fn a_brief_is_made_of_the_sources_sentences() {
        let text = "The council met on Tuesday in the town hall. Mayor Adele Brandvold opened the meeting at 7 p.m.\n\n\
                    The council approved the new playground at Miller Park. It will cost $2.4 million and open in April.\n\n\
                    “I am not against the park,” said Thomas Pruitt, who voted no.";
        let (topic, sources) = topic("Council approves playground at Miller Park", text, "50-80");
        let draft = draft(&topic, &sources);
        assert_eq!(draft.article.headline, "Council approves playground at Miller Park");
        assert!(draft.article.articleBody.starts_with("The council approved the new playground"), "{draft:?}");
        assert!(draft.article.articleBody.split("\n\n").all(|paragraph| {
            sentences(paragraph).iter().all(|range| text.contains(paragraph.get(range.clone()).unwrap()))
        }));
        assert_eq!(proof::check(&draft.article, &sources), []);
    }

    /// Minutes as a clerk keeps them.
    const MINUTES: &str = "TOWN OF BRANDLE. Minutes of the meeting of May 5, 2026.\n\nMayor Ada Roth called the meeting to \
                           order at 7 p.m. The minutes of April 7 were approved without change, 5–0.\n\nMs. Quill presented \
                           the plan for the harbor library. The memorandum put the cost of the library as $2.84 \
                           million.\n\nMr. Osei corrected the memorandum: the library would cost $2.48 million, not $2.84 \
                           million.\n\nCouncilmember Foley moved, and Councilmember Baek seconded, to approve the harbor \
                           library.\n\nThe main motion carried 3–2. In favor: Foley, Baek, Roth. Opposed: Imbert, \
                           Stavros.\n\nThe library could open in spring, the town engineer said. There being no further \
                           business, the meeting was adjourned at 9 p.m.";

    #[test]
    fn minutes_lead_with_the_vote_and_leave_procedure_out() {
        let (topic, sources) = topic("Brandle council approves harbor library", MINUTES, "60-100");
        let article = draft(&topic, &sources).article;
        let lead = article.articleBody.split("\n\n").next().unwrap();
        assert_eq!(
            lead,
            "Councilmember Foley moved, and Councilmember Baek seconded, to approve the harbor library. The main motion \
             carried 3–2. In favor: Foley, Baek, Roth. Opposed: Imbert, Stavros."
        );
        for chore in ["to order", "without change", "adjourned"] {
            assert!(!article.articleBody.contains(chore), "{}", article.articleBody);
        }
    }

    #[test]
    fn a_withdrawn_figure_is_printed_with_its_correction_or_not_at_all() {
        let (topic, sources) = topic("Brandle council approves harbor library", MINUTES, "60-150");
        let article = draft(&topic, &sources).article;
        assert!(!article.articleBody.contains("The memorandum put the cost"), "{}", article.articleBody);
        for (name, text) in article.fields() {
            for range in sentences(text) {
                let sentence = text.get(range).unwrap();
                assert!(!sentence.contains("2.84") || sentence.contains("2.48"), "{name}: {sentence}");
            }
        }
    }

    #[test]
    fn a_transcript_leads_with_news_and_its_speaker() {
        let text = "[00:00:10] VOSS: Good evening, and thank you all for coming. Mr. Tull, go ahead.\n\n\
                    [00:01:00] TULL: Thank you, Madam Chair. Water rates will rise by eight percent on January 1, 2027. \
                    The fixed charge does not change.\n\n\
                    [00:02:00] ABARA: Does the plan cover the tenants?\n\n\
                    [00:02:10] TULL: It doesn’t. The credit for tenants is $12 a month, for 640 households.";
        let (topic, sources) = topic("Water rates to rise", text, "30-60");
        let article = draft(&topic, &sources).article;
        assert_eq!(
            article.articleBody,
            "“Water rates will rise by eight percent on January 1, 2027,” Tull said. “The fixed charge does not change.”\n\n\
             “The credit for tenants is $12 a month, for 640 households,” Tull said."
        );
        assert_eq!(article.description, "", "nothing is left that the body does not say");
    }

    #[test]
    fn an_interview_becomes_attributed_speech_that_repeats_neither_title_nor_lede() {
        let text = "Interview with Dr. Maria Lopez, head of the harbor authority, May 4, 2026.\n\n\
                    INTERVIEWER: When will the bridge close?\n\n\
                    LOPEZ: The harbor bridge will close for repairs on Monday, June 8. It will stay closed for eleven weeks.\n\n\
                    INTERVIEWER: What about the north shore?\n\n\
                    LOPEZ: Ferries will run every ten minutes from six in the morning to midnight. Nobody will pay for them.";
        let title = "Interview with Dr. Maria Lopez, head of the harbor authority, May 4, 2026.";
        let (topic, sources) = topic(title, text, "30-60");
        let article = draft(&topic, &sources).article;
        assert_eq!(article.headline, "Interview with Dr. Maria Lopez, head of the harbor authority");
        assert_eq!(
            article.articleBody,
            "“The harbor bridge will close for repairs on Monday, June 8,” Lopez said. “It will stay closed for eleven \
             weeks.”\n\n“Ferries will run every ten minutes from six in the morning to midnight,” Lopez said. “Nobody will \
             pay for them.”"
        );
        assert_eq!(article.description, "", "nothing is left that the body does not say");
    }

    #[test]
    fn notes_and_tables_keep_their_facts_and_nothing_is_said_twice() {
        let text = "NOTES mill fire, Tues 22 Sept 2026 (NQ)\n\n- call 4.12 am, nine engines\n- one firefighter hurt, smoke\n- 3 cars?\n\n\
                    The fire destroyed the roof of the old mill on Canal Road. The fire has destroyed the roof of the old mill on Canal \
                    Road.\n\n| Town | Engines |\n|---|---|\n| Lund | 5 |\n| Marsh | 4 |";
        let (topic, sources) = topic("NOTES mill fire, Tues 22 Sept 2026 (NQ)", text, "60-90");
        let article = draft(&topic, &sources).article;
        assert_eq!(article.headline, "Mill fire");
        assert_eq!(
            article.articleBody,
            "The fire destroyed the roof of the old mill on Canal Road.\n\n- call 4.12 am, nine engines\n- one firefighter hurt, \
             smoke\n- Town: Lund; Engines: 5\n- Town: Marsh; Engines: 4"
        );
        assert_eq!(proof::check(&article, &sources), []);
    }

    #[test]
    fn the_heads_are_true_and_each_its_own() {
        let text = "The harbor bridge will close for repairs on Monday, the city said. Thank you for your patience.\n\n\
                    Ferries will run every ten minutes during the repairs of the bridge. It is the first closing since 1990.";
        let (topic, sources) = topic("Harbor bridge closes for repairs", text, "30-60");
        let article = draft(&topic, &sources).article;
        assert_eq!(
            article,
            ArticleResponse {
                headline: "Harbor bridge closes for repairs".to_owned(),
                alternativeHeadline: "Ferries will run every ten minutes during the repairs of the bridge".to_owned(),
                articleBody:
                    "The harbor bridge will close for repairs on Monday, the city said.\n\nFerries will run every \
                              ten minutes during the repairs of the bridge. It is the first closing since 1990."
                        .to_owned(),
                description: String::new(),
            }
        );
    }

    #[test]
    fn a_short_source_makes_a_short_brief_and_a_note() {
        let (topic, sources) = topic("Dog", "The dog of the mayor bit the postman on Monday.", "250-400");
        let draft = draft(&topic, &sources);
        assert_eq!(draft.article.articleBody, "The dog of the mayor bit the postman on Monday.");
        assert_eq!(draft.undone, ["Short: 10 words; target 250"]);
        let heads = (draft.article.alternativeHeadline.as_str(), draft.article.description.as_str());
        assert_eq!(heads, ("", ""), "the headline is not printed again");
    }

    #[test]
    fn the_note_on_a_short_brief_counts_words_as_every_page_does() {
        let (topic, sources) = topic("Dog", "The dog of the mayor – a pug – bit the postman on Monday.", "250-400");
        let draft = draft(&topic, &sources);
        assert_eq!(draft.undone, [format!("Short: {} words; target 250", draft.article.words())]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_source_makes_a_draft_that_the_proof_lets_stand(
            text in "([A-Z][a-z]{2,8}( [a-zA-Z0-9$%“”\".,:']{1,9}){0,14}[.!?\n ]){0,12}", title in "\\PC{0,30}"
        ) {
            let (topic, sources) = topic(&title, &text, "20-60");
            let draft = draft(&topic, &sources);
            prop_assert_eq!(proof::check(&draft.article, &sources), []);
            prop_assert!(words(&draft.article.articleBody).len() <= 70);
        }
    }
}
