//! Makes the margin of a draft that is being typed. It proves the text, so it runs on a thread of its own.

use crate::newsroom::{ArticleResponse, Journal};
use crate::proof;
use crate::style::StyleNote;
use crate::tui::screens::{
    concerns::model::{ConcernRow, rows},
    forms::margin::{Margin, MarginNote, NoteOrigin},
};

/// Most notes of house style, so that they do not hide the others.
const MOST_OF_STYLE: usize = 20;

/// The margin of `article`, which is typed over the draft of `round`.
#[must_use]
pub fn margin(journal: &Journal, round: u32, article: &ArticleResponse, style: &[StyleNote]) -> Margin {
    let stands = |words: &str| article.fields().iter().any(|(_, text)| text.contains(words.trim()));
    let mut notes: Vec<MarginNote> = rows(journal, round)
        .into_iter()
        // What the proof raised is proved again.
        .filter(|concern| concern.is_open() && concern.finding.is_none())
        .map(|concern| MarginNote {
            origin: NoteOrigin::Concern,
            is_gone: !concern.excerpt.trim().is_empty() && !stands(&concern.excerpt),
            said: said(&concern),
            about: concern.excerpt,
        })
        .collect();
    let findings = proof::check(article, &journal.sources()).into_iter();
    notes.extend(findings.map(|finding| MarginNote {
        origin: NoteOrigin::Proof,
        about: finding.text,
        said: finding.note,
        is_gone: false,
    }));
    notes.extend(style.iter().take(MOST_OF_STYLE).map(|note| MarginNote {
        origin: NoteOrigin::Style,
        about: note.text.clone(),
        said: note.message.clone(),
        is_gone: false,
    }));
    Margin {
        notes,
        words: article.articleBody.split_whitespace().count(),
        target: journal.opening.topic.target_length_words.clone(),
    }
}

/// `concern 2, REWRITE: why. To do: what`.
fn said(concern: &ConcernRow) -> String {
    let status = concern.status().map_or("not judged yet", |status| status.name());
    let verdict = concern.verdict.as_ref();
    let fix = concern
        .overruled
        .as_ref()
        .map_or(verdict.and_then(|verdict| verdict.suggested_fix.as_ref()), |over| over.fix.as_ref());
    let why = verdict.map_or(concern.note.as_str(), |verdict| verdict.rationale.as_str());
    let fix = fix.map_or_else(String::new, |fix| format!(" To do: {fix}"));
    format!("Concern {}, {status}: {why}{fix}", concern.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{decisions::tests::at_gate, next_steps::tests::article};

    /// Prints how long the margin of a long draft takes after a change; docs/benchmarks.md has the figure.
    #[test]
    #[expect(clippy::print_stdout, reason = "the figure is for a person")]
    fn the_margin_of_a_long_draft_is_timed() {
        let sentences = (1..=180).map(|number| {
            let cost = 1_000 + number * 37;
            format!("The council voted on Tuesday to spend ${cost} on gate {number} of the park, Denise Pruitt said.")
        });
        let text = sentences.collect::<Vec<_>>().join("\n\n");
        let mut journal = at_gate();
        journal.opening.topic.source_text.clone_from(&text);
        let mut draft = article(&text);
        assert!(draft.articleBody.split_whitespace().count() > 3_000);
        draft.articleBody = draft.articleBody.replacen("$1037", "$1038", 1);
        let began = std::time::Instant::now();
        let margin = margin(&journal, 1, &draft, &[]);
        println!("margin of {} words: {:?}", margin.words, began.elapsed());
        assert!(margin.notes.iter().any(|note| note.about.contains("1038")), "{:?}", margin.notes);
    }
}
