//! The words of a mail.

use crate::editorial::{
    corrections::PrintedCorrection,
    export::{Imprint, embargo_line, to_markdown},
};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::sanitise;

/// Most characters of a subject: what mail programs show of one.
const LONGEST_SUBJECT: usize = 150;

/// Subject and text. Neither has a control character or one that reorders a line, and the subject is one line: a headline can neither end
/// a header nor begin another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
}

/// The mail that carries an article: an embargo that is still in force and a correction stand first.
#[must_use]
pub fn mail_text(article: &ArticleResponse, imprint: &Imprint) -> MailText {
    let embargo = imprint.embargo.as_deref().map(embargo_line);
    let headline = sanitise::one_line(&article.headline);
    let corrects = (!imprint.corrections.is_empty()).then_some("Correction");
    let subject: Vec<&str> = [embargo.as_deref(), corrects, Some(&headline)].into_iter().flatten().collect();
    let subject = subject.join(": ");
    let lines = embargo.iter().cloned().chain(imprint.corrections.iter().map(PrintedCorrection::line));
    let notices: String = lines.flat_map(|line| [line, "\n\n".to_owned()]).collect();
    let told = imprint.disclosure.as_deref().map_or_else(String::new, |line| format!("\n{line}\n"));
    let text = format!("{notices}{}{told}\n-- \n{}\n", to_markdown(article), imprint.standing);
    MailText { subject: sanitise::excerpt(&subject, LONGEST_SUBJECT), text: sanitise::clean(&text).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add_round, article, opening};
    use copydesk_newsroom::{Journal, Specialist};

    fn imprint(embargo: Option<&str>, note: Option<&str>) -> Imprint {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let correction = |note: &str| PrintedCorrection { note: note.into(), at: None };
        Imprint {
            standing: "Signed off by A. Editor.".into(),
            embargo: embargo.map(str::to_owned),
            corrections: note.map(correction).into_iter().collect(),
            ..Imprint::of(&journal)
        }
    }

    #[test]
    fn no_headline_ends_a_header_or_turns_a_line_round() {
        let mut hostile = article("A text.\u{1b}[2J\u{202e}");
        hostile.headline =
            "Vote\r\nBcc: all@news.example\r\n\r\n<b>\u{202e}evil\u{2066}\u{0} \u{1b}]0;x\u{7}\u{85}\u{2028}end".into();
        let mail = mail_text(&hostile, &imprint(None, None));
        assert_eq!(mail.subject.lines().count(), 1);
        assert!(mail.subject.starts_with("Vote Bcc: all@news.example <b>evil"), "{:?}", mail.subject);
        for text in [&mail.subject, &mail.text] {
            let odd = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c);
            assert!(!text.contains(odd), "{text:?}");
        }
        hostile.headline = "word ".repeat(200);
        assert!(mail_text(&hostile, &imprint(None, None)).subject.chars().count() <= LONGEST_SUBJECT + 1);
    }

    #[test]
    fn a_mail_under_embargo_says_so_in_its_subject_and_first_line() {
        let mail = mail_text(&article("A text."), &imprint(Some("2026-10-07T16:00:00.000Z"), None));
        let line = "EMBARGOED UNTIL 2026-10-07 16:00 UTC";
        assert!(mail.subject.starts_with(&format!("{line}: ")) && mail.text.starts_with(&format!("{line}\n\n# ")));
        assert!(mail.text.ends_with("\n-- \nSigned off by A. Editor.\n"));
        let corrected = mail_text(&article("A text."), &imprint(None, Some("It was 4.")));
        assert_eq!(corrected.subject, "Correction: Headline");
        assert!(corrected.text.starts_with("Correction: It was 4.\n\n# "), "{}", corrected.text);
        let told = Imprint { disclosure: Some("Made by AI.".into()), ..imprint(None, None) };
        let mail = mail_text(&article("A text."), &told);
        assert!(mail.text.ends_with("\nMade by AI.\n\n-- \nSigned off by A. Editor.\n"));
    }
}
