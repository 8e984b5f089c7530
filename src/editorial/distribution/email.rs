//! The words of a mail.

use crate::{
    editorial::export::{embargo_line, to_markdown},
    newsroom::ArticleResponse,
    text::sanitise,
};

/// Most characters of a subject: what mail programs show of one.
const LONGEST_SUBJECT: usize = 150;

/// Subject and text. Neither has a control character or one that reorders a line, and the subject is one line: a headline can neither end
/// a header nor begin another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
}

/// The mail that carries an article. `embargo`: the time before which it may not be published, if that is still to come.
#[must_use]
pub fn mail_text(
    article: &ArticleResponse,
    standing: &str,
    embargo: Option<&str>,
    disclosure: Option<&str>,
) -> MailText {
    let embargo = embargo.map(embargo_line);
    let headline = sanitise::one_line(&article.headline);
    let subject = [embargo.as_deref(), Some(headline.as_str())].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let notice = embargo.map_or_else(String::new, |line| format!("{line}\n\n"));
    let told = disclosure.map_or_else(String::new, |line| format!("\n{line}\n"));
    let text = format!("{notice}{}{told}\n-- \n{standing}\n", to_markdown(article));
    MailText { subject: sanitise::excerpt(&subject, LONGEST_SUBJECT), text: sanitise::clean(&text).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::tests::article;

    #[test]
    fn no_headline_ends_a_header_or_turns_a_line_round() {
        let mut hostile = article("A text.\u{1b}[2J\u{202e}");
        hostile.headline =
            "Vote\r\nBcc: all@news.example\r\n\r\n<b>\u{202e}evil\u{2066}\u{0} \u{1b}]0;x\u{7}\u{85}\u{2028}end".into();
        let mail = mail_text(&hostile, "Signed off by A. Editor.", None, None);
        assert_eq!(mail.subject.lines().count(), 1);
        assert!(mail.subject.starts_with("Vote Bcc: all@news.example <b>evil"), "{:?}", mail.subject);
        for text in [&mail.subject, &mail.text] {
            let odd = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c);
            assert!(!text.contains(odd), "{text:?}");
        }
        hostile.headline = "word ".repeat(200);
        assert!(mail_text(&hostile, "", None, None).subject.chars().count() <= LONGEST_SUBJECT + 1);
    }

    #[test]
    fn a_mail_under_embargo_says_so_in_its_subject_and_first_line() {
        let mail = mail_text(
            &article("A text."),
            "Signed off by A. Editor.",
            Some("2026-10-07T16:00:00.000Z"),
            Some("Made by AI."),
        );
        let line = "EMBARGOED UNTIL 2026-10-07 16:00 UTC";
        assert!(mail.subject.starts_with(&format!("{line}: ")) && mail.text.starts_with(&format!("{line}\n\n# ")));
        assert!(mail.text.ends_with("\nMade by AI.\n\n-- \nSigned off by A. Editor.\n"));
    }
}
