//! The losses of an article in the formats in which it goes out.

use super::{
    reading::note,
    structure::{BodyPart, parts},
};
use crate::editorial::export;
use copydesk_newsroom::{ArticleResponse, PublishingCheck, PublishingNote};
use copydesk_text::sanitise;

pub(super) fn notes(article: &ArticleResponse) -> Vec<PublishingNote> {
    let mut found = Vec::new();
    let lines = [("headline", &article.headline), ("alternativeHeadline", &article.alternativeHeadline)];
    for (field, text) in lines {
        let plain = sanitise::one_line(text);
        if !text.trim().is_empty() && plain != text.trim() {
            let what =
                "It has a line break or a character that cannot be seen, which feeds and e-mails refuse.".to_owned();
            let note = note(PublishingCheck::Formats, (field, text), 0..text.len(), what, format!("Write “{plain}”."));
            found.push(note.replaced_by(plain));
        } else if let Some(mark) = ["**", "__", "`", "]("].into_iter().find(|mark| text.contains(mark)) {
            let what = format!("“{mark}” is Markdown, and a headline is plain text in every format.");
            let fix = "Leave the mark out.".to_owned();
            found.push(note(PublishingCheck::Formats, (field, text), 0..text.len(), what, fix));
        }
    }
    let body = article.articleBody.as_str();
    for part in parts(body) {
        let (what, fix) = match &part.part {
            BodyPart::Html => (
                "HTML within the text is shown as text in every format.".to_owned(),
                "Leave it out, or say it in Markdown.".to_owned(),
            ),
            BodyPart::Picture => (
                "A picture does not go out with the text; its description stands there in its place.".to_owned(),
                "Send the picture beside the article, or leave it out.".to_owned(),
            ),
            BodyPart::Link { to, .. } if !is_kept(to) => {
                let fix = "Write the whole address, from https:// on, or leave the link out.".to_owned();
                (format!("The link to “{}” leads nowhere outside this text.", sanitise::excerpt(to, 60)), fix)
            }
            _ => continue,
        };
        let end = part.range.start + body.get(part.range.clone()).unwrap_or_default().trim_end().len();
        found.push(note(PublishingCheck::Formats, ("articleBody", body), part.range.start..end, what, fix));
    }
    found
}

/// Whether an exported page keeps the link.
fn is_kept(to: &str) -> bool {
    export::leads_out(to.trim()) || to.contains('@') && !to.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{publishing::tests::told, testing::article};

    #[test]
    fn what_a_format_does_not_carry_is_named() {
        let texts =
            |body: &str| told(body, PublishingCheck::Formats).into_iter().map(|(text, ..)| text).collect::<Vec<_>>();
        assert_eq!(texts("It **passed**. See [the minutes](https://m.example)."), [""; 0]);
        assert_eq!(texts("<script>alert(1)</script>\n"), ["<script>alert(1)</script>"]);
        assert_eq!(texts("![A swing](s.jpg)"), ["![A swing](s.jpg)"]);
        assert_eq!(
            texts("[x](javascript:alert(1)) and [y](notes/y.md)"),
            ["[x](javascript:alert(1))", "[y](notes/y.md)"]
        );
    }

    #[test]
    fn a_headline_of_two_lines_would_open_a_second_header() {
        let article = ArticleResponse { headline: "Vote\r\nBcc: all@example.org".into(), ..article("x") };
        assert_eq!(notes(&article)[0].replacement.as_deref(), Some("Vote Bcc: all@example.org"));
        let article = ArticleResponse { headline: "The **vote**".into(), ..article };
        assert_eq!(notes(&article).len(), 1);
    }
}
