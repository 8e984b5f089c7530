//! The questions of an agent's task to the passages, by rule.
//!
//! A claim is asked for as a whole, then behind the sentence that it leans on, then by each of its sentences. Then each
//! of its figures is asked for with the words beside it: a passage that has the true figure shares its surroundings
//! with the claim, not the figure. The reviewer's note comes last.

use copydesk_text::sentences::sentences;

/// Most questions of one task.
const MOST: usize = 6;

/// Words on either side of a figure or a name that are asked for with it.
const BESIDE: usize = 6;

/// The questions that a claim comes to, the claim itself first, each once; `before` is the sentence that it leans on.
#[must_use]
pub fn of_claim(claim: &str, before: Option<&str>, note: Option<&str>) -> Vec<String> {
    let claim = claim.trim();
    if claim.is_empty() {
        return Vec::new();
    }
    let mut questions = vec![claim.to_owned()];
    let most = MOST - usize::from(note.is_some());
    let mut add = |question: &str| {
        let question = question.trim();
        if !question.is_empty() && questions.len() < most && !questions.iter().any(|known| known == question) {
            questions.push(question.to_owned());
        }
    };
    if let Some(before) = before {
        add(&format!("{before} {claim}"));
    }
    let parts: Vec<&str> = sentences(claim).into_iter().filter_map(|range| claim.get(range)).collect();
    for part in &parts {
        add(part);
    }
    for part in parts {
        for question in around_figures(part) {
            add(&question);
        }
    }
    questions.extend(note.map(str::to_owned));
    questions
}

/// Each figure with the words beside it, without the figure.
fn around_figures(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_figure = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let figures = words.iter().enumerate().filter(|(_, word)| is_figure(word));
    figures
        .map(|(at, _)| {
            let from = at.saturating_sub(BESIDE);
            let beside = words.iter().enumerate().skip(from).take(at - from + BESIDE + 1);
            let kept: Vec<&str> = beside
                .filter(|(place, word)| *place != at && !is_figure(word))
                .map(|(_, word)| word.trim_matches(['“', '”', '"', '‘', '’']))
                .collect();
            kept.join(" ")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_asks_for_itself_its_sentences_and_what_its_figures_are_of() {
        let claim = "The council voted. It will spend $2.8 million on the park.";
        assert_eq!(
            of_claim(claim, None, None),
            [
                claim,
                "The council voted.",
                "It will spend $2.8 million on the park.",
                "It will spend million on the park."
            ]
        );
        assert_eq!(of_claim("The park is shut.", None, None), ["The park is shut."]);
        assert!(of_claim("  ", None, Some("It is not.")).is_empty());
        let long: Vec<String> = (0..20).map(|n| format!("The bridge of number {n} was closed.")).collect();
        assert_eq!(of_claim(&long.join(" "), None, Some("Which?")).len(), MOST);
    }
}
