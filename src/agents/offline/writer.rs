//! The writer: an extractive brief, made of the sources' own sentences.
//!
//! It leads with the news, keeps the rest in the source's order, and adds no word. What it cannot do (the length asked for,
//! where the source is shorter; a headline, where no sentence will serve) it says in `undone`. Its own output passes the
//! proof: what the proof would raise is left out before anybody sees it.

use crate::{
    newsroom::{ArticleResponse, Draft, Finding, Source, Topic},
    proof,
    text::{sentences::sentences, words::words},
};

use super::material::{Unit, stems, units};

/// How often a draft is read against its sources while it is made; what is still raised then is taken out without another
/// sentence in its place.
const READINGS: usize = 6;

/// A brief on `topic` from `sources`, within the length asked for.
#[must_use]
pub fn draft(topic: &Topic, sources: &[Source]) -> Draft {
    let title = one_line(&topic.source_metadata.topic_title);
    let wanted = format!("{title} {}", topic.optional_angle.as_deref().unwrap_or_default());
    let (least, most) = length(&topic.target_length_words);
    let mut usable = units(sources, &wanted);
    let mut article = compose(&usable, &title, sources, most);
    for reading in 0.. {
        let findings = proof::check(&article, sources);
        if findings.is_empty() {
            break;
        }
        let before = usable.len();
        usable.retain(|unit| !raised(unit, &findings, &article));
        article = if reading < READINGS && usable.len() < before {
            compose(&usable, &title, sources, most)
        } else {
            without(&article, &findings)
        };
        if reading > READINGS * 2 {
            break;
        }
    }
    let mut undone = Vec::new();
    let count = words(&article.articleBody).len();
    if count < least {
        undone.push(format!(
            "{} words – the source has no more sentences that can stand alone; {count} words are what there is",
            topic.target_length_words.trim()
        ));
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
/// where the sources have none that the proof lets stand.
pub(super) fn replacement(field: &str, article: &ArticleResponse, sources: &[Source]) -> String {
    let usable = units(sources, &format!("{} {}", article.headline, article.articleBody));
    let taken = [article.headline.as_str(), article.alternativeHeadline.as_str()];
    let candidates = if field == "description" { descriptions(&usable) } else { headlines(&usable) };
    let stands = |text: &String| {
        let probe = only(field, text);
        !taken.contains(&text.as_str()) && proof::check(&probe, sources).is_empty()
    };
    candidates.into_iter().take(12).find(stands).unwrap_or_default()
}

fn only(field: &str, text: &str) -> ArticleResponse {
    let empty = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: String::new(),
        description: String::new(),
    };
    empty.map(|name, _| if name == field { text.to_owned() } else { String::new() })
}

/// `250-400`, `900–1200`, `500`, `about 500 words`: fewest and most words; a single number is the most, and nine tenths of it
/// the fewest. Without a number, 250 to 400.
fn length(asked: &str) -> (usize, usize) {
    let numbers: Vec<usize> =
        asked.replace(',', "").split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    match numbers.as_slice() {
        [] => (250, 400),
        [one] => (one.saturating_mul(9) / 10, (*one).max(1)),
        [one, other, ..] => (*one.min(other), (*one.max(other)).max(1)),
    }
}

fn compose(usable: &[Unit], title: &str, sources: &[Source], most: usize) -> ArticleResponse {
    let lead = lead(usable, most);
    let mut chosen: Vec<&Unit> = Vec::new();
    let mut room = most;
    if let Some(lead) = lead {
        room = room.saturating_sub(lead.words);
    }
    let mut ranked: Vec<&Unit> =
        usable.iter().filter(|unit| lead.is_none_or(|lead| unit.order != lead.order)).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    for unit in ranked {
        let said = chosen.iter().copied().chain(lead).any(|other| other.text == unit.text);
        if unit.words <= room && !said {
            room -= unit.words;
            chosen.push(unit);
        }
    }
    chosen.sort_by_key(|unit| unit.order);
    let mut headlines = headlines(usable).into_iter();
    let known = stems(title);
    let body_stems: Vec<String> = sources.iter().flat_map(|source| stems(&source.text)).collect();
    // Figures and names of the title are the proof's to judge; of its other words the sources must have most.
    let plain: Vec<&String> = known.iter().filter(|stem| !stem.starts_with(|c: char| c.is_ascii_digit())).collect();
    let had = plain.iter().filter(|stem| body_stems.contains(stem)).count();
    let carried =
        !plain.is_empty() && had * 10 >= plain.len() * 7 && proof::check(&only("headline", title), sources).is_empty();
    let headline = if carried { title.to_owned() } else { headlines.next().unwrap_or_default() };
    let second =
        headlines.find(|text| *text != headline && lead.is_none_or(|lead| !lead.text.starts_with(text.as_str())));
    ArticleResponse {
        alternativeHeadline: second.unwrap_or_else(|| headline.clone()),
        articleBody: paragraphs(lead, &chosen),
        description: lead
            .filter(|lead| !lead.labelled)
            .map(|lead| first_sentences(&lead.text, 2))
            .or_else(|| descriptions(usable).into_iter().next())
            .unwrap_or_else(|| headline.clone()),
        headline,
    }
}

/// The unit that the brief begins with: it stands alone, is nobody's turn, and carries most of the news.
fn lead(usable: &[Unit], most: usize) -> Option<&Unit> {
    let fits = |unit: &&Unit| unit.words <= most;
    // A lead tells; it is nobody's turn and nobody's letter.
    let plain = |unit: &&Unit| {
        let head = first_sentences(&unit.text, 1);
        !unit.labelled && (8..=60).contains(&unit.words) && !head.contains([':', '“', '"'])
    };
    let best = |a: &&Unit, b: &&Unit| a.score.total_cmp(&b.score).then(b.order.cmp(&a.order));
    usable.iter().filter(fits).filter(plain).max_by(best).or_else(|| usable.iter().filter(fits).max_by(best))
}

/// Sentences short enough for a headline, best first, without their stop.
fn headlines(usable: &[Unit]) -> Vec<String> {
    let mut ranked: Vec<&Unit> = usable.iter().filter(|unit| !unit.labelled).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    ranked
        .into_iter()
        .filter_map(|unit| {
            sentences(&unit.text).first().cloned().and_then(|range| unit.text.get(range)).map(str::to_owned)
        })
        .filter(|text| (4..=16).contains(&words(text).len()) && !text.contains(['“', '”', '"', ':']))
        .map(|text| text.trim_end_matches('.').to_owned())
        .collect()
}

fn descriptions(usable: &[Unit]) -> Vec<String> {
    let mut ranked: Vec<&Unit> = usable.iter().filter(|unit| !unit.labelled).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    ranked.into_iter().map(|unit| first_sentences(&unit.text, 2)).collect()
}

/// The first sentences of a unit, or all of it where a quotation would be cut.
fn first_sentences(text: &str, count: usize) -> String {
    let ranges = sentences(text);
    let end = ranges.get(..count.min(ranges.len())).and_then(|some| some.last()).map_or(text.len(), |range| range.end);
    let some = text.get(..end).unwrap_or(text);
    let whole = some.matches('“').count() == some.matches('”').count() && some.matches('"').count().is_multiple_of(2);
    if whole { some.to_owned() } else { text.to_owned() }
}

/// Paragraphs of one to three sentences; units of one paragraph of the source stay together, a turn stands alone.
fn paragraphs(lead: Option<&Unit>, chosen: &[&Unit]) -> String {
    let mut found: Vec<String> = lead.iter().map(|unit| unit.text.clone()).collect();
    let mut last: Option<(&Unit, usize)> = None;
    for unit in chosen {
        match (last, found.last_mut()) {
            (Some((before, count)), Some(paragraph))
                if before.paragraph == unit.paragraph
                    && count + unit.sentences <= 3
                    && !unit.labelled
                    && before.order + 1 == unit.order =>
            {
                paragraph.push(' ');
                paragraph.push_str(&unit.text);
                last = Some((unit, count + unit.sentences));
            }
            _ => {
                found.push(unit.text.clone());
                last = Some((unit, unit.sentences));
            }
        }
    }
    found.join("\n\n")
}

/// Whether a finding of the draft touches a unit.
fn raised(unit: &Unit, findings: &[Finding], article: &ArticleResponse) -> bool {
    findings.iter().any(|finding| {
        let text = article.fields().into_iter().find(|(name, _)| *name == finding.field).map_or("", |(_, text)| text);
        let head: String = unit.text.trim_end_matches('.').to_owned();
        text.match_indices(head.as_str()).any(|(at, _)| finding.start < at + unit.text.len() && at < finding.end)
            || finding.field != "articleBody" && unit.text.starts_with(text.trim_end_matches('.')) && !text.is_empty()
    })
}

/// The article without the paragraphs and fields that findings touch.
fn without(article: &ArticleResponse, findings: &[Finding]) -> ArticleResponse {
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::newsroom::{PathName, SourceMetadata};

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

    #[test]
    fn a_short_source_makes_a_short_brief_and_a_note() {
        let (topic, sources) = topic("Dog", "The dog of the mayor bit the postman on Monday.", "250-400");
        let draft = draft(&topic, &sources);
        assert_eq!(draft.article.articleBody, "The dog of the mayor bit the postman on Monday.");
        assert_eq!(draft.undone.len(), 1);
    }

    #[test]
    fn lengths_are_read_in_every_usual_form() {
        assert_eq!(length("250-400"), (250, 400));
        assert_eq!(length("900–1,200 words"), (900, 1200));
        assert_eq!(length("500"), (450, 500));
        assert_eq!(length("short"), (250, 400));
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
            prop_assert!(words(&draft.article.articleBody).len() <= 60);
        }
    }
}
