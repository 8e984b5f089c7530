//! Bullets become concerns (docs/reference/contract.md).

use copydesk_newsroom::{ArticleReviewRaw, ArticleReviewResult, Concern};

/// A review that is neither empty nor a bullet list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the review holds text but no bullet: each concern must start on a line of its own with \"- \" or \"* \"")]
pub struct NoBullets;

/// Reads the concerns of a review.
///
/// A bullet starts on a line that begins with `- ` or `* ` and goes on to the next such line. Its excerpt is the first
/// text between “ and ”, else between " and ", else the whole bullet. Marks with nothing between them count: then the excerpt is
/// empty. A note is without the marker and without white space at its end.
///
/// # Errors
/// [`NoBullets`] if there is text but no bullet.
pub fn parse(raw: &ArticleReviewRaw) -> Result<ArticleReviewResult, NoBullets> {
    let mut bullets: Vec<String> = Vec::new();
    for line in raw.markdown_bullets.lines() {
        if let Some(start) = bullet(line) {
            bullets.push(start.to_owned());
        } else if let Some(bullet) = bullets.last_mut() {
            bullet.push('\n');
            bullet.push_str(line);
        }
    }
    if bullets.is_empty() && !raw.markdown_bullets.trim().is_empty() {
        return Err(NoBullets);
    }
    let concerns = bullets
        .into_iter()
        .zip(1..)
        .map(|(bullet, concern_id)| {
            let review_note = bullet.trim_end().to_owned();
            let excerpt = excerpt(&review_note).to_owned();
            Concern { concern_id, excerpt, review_note }
        })
        .collect();
    Ok(ArticleReviewResult { concerns })
}

/// How many bullets a review has.
pub fn count(raw: &ArticleReviewRaw) -> usize {
    raw.markdown_bullets.lines().filter(|line| bullet(line).is_some()).count()
}

/// The line without the marker of a bullet; none if no bullet starts on it.
pub(super) fn bullet(line: &str) -> Option<&str> {
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))
}

/// The quoted part of a bullet, which may be empty; the whole bullet if it quotes nothing.
fn excerpt(bullet: &str) -> &str {
    quoted(bullet, '“', '”').or_else(|| quoted(bullet, '"', '"')).unwrap_or(bullet)
}

fn quoted(text: &str, open: char, close: char) -> Option<&str> {
    let (_, after) = text.split_once(open)?;
    after.split_once(close).map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn concerns(markdown: &str) -> Vec<(u32, String, String)> {
        parse(&ArticleReviewRaw { markdown_bullets: markdown.to_owned() })
            .unwrap()
            .concerns
            .into_iter()
            .map(|c| (c.concern_id, c.excerpt, c.review_note))
            .collect()
    }

    fn row(id: u32, excerpt: &str, note: &str) -> (u32, String, String) {
        (id, excerpt.to_owned(), note.to_owned())
    }

    #[test]
    fn curly_quotation_before_straight_before_the_whole_bullet() {
        assert_eq!(
            concerns("- \"straight\" and “curly” text\n* only \"straight\" here\n- nothing quoted\n"),
            [
                row(1, "curly", "\"straight\" and “curly” text"),
                row(2, "straight", "only \"straight\" here"),
                row(3, "nothing quoted", "nothing quoted"),
            ]
        );
    }

    #[test]
    fn a_bullet_goes_on_to_the_next_bullet() {
        assert_eq!(
            concerns("Here is what I found:\n- first “a\nb”\n  - nested, so part of the first\n\n* second\r\n"),
            [row(1, "a\nb", "first “a\nb”\n  - nested, so part of the first"), row(2, "second", "second")]
        );
    }

    #[test]
    fn marks_that_never_close_are_no_quotation() {
        assert_eq!(concerns("- an “open mark"), [row(1, "an “open mark", "an “open mark")]);
        assert_eq!(concerns("- a \" mark"), [row(1, "a \" mark", "a \" mark")]);
        assert_eq!(concerns("- ”back” to “front"), [row(1, "”back” to “front", "”back” to “front")]);
        assert_eq!(concerns("- open “mark and \"straight\""), [row(1, "straight", "open “mark and \"straight\"")]);
    }

    #[test]
    fn the_first_quotation_counts_if_it_is_empty_too() {
        assert_eq!(concerns("- “” then “full”"), [row(1, "", "“” then “full”")]);
        assert_eq!(concerns("- \"\" then \"full\""), [row(1, "", "\"\" then \"full\"")]);
        assert_eq!(concerns("- “ ” then “full”"), [row(1, " ", "“ ” then “full”")]);
        assert_eq!(concerns("- \"full\" but “”"), [row(1, "", "\"full\" but “”")], "curly marks come first");
        assert_eq!(concerns("- “a\n\nb ” c"), [row(1, "a\n\nb ", "“a\n\nb ” c")], "as it is, over lines");
    }

    #[test]
    fn no_text_is_no_concern_and_text_without_a_bullet_is_an_error() {
        assert_eq!(concerns(""), []);
        assert_eq!(concerns(" \n\n"), []);
        for text in ["No concerns.", "-no space", "1. numbered", " - indented"] {
            assert_eq!(parse(&ArticleReviewRaw { markdown_bullets: text.to_owned() }), Err(NoBullets), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_ids_in_order_and_excerpts_inside_their_bullet(
            text in "(?s)(\\PC|[-*] |\n|\r|“|”|\"|\0){0,200}"
        ) {
            if let Ok(result) = parse(&ArticleReviewRaw { markdown_bullets: text.clone() }) {
                for (concern, id) in result.concerns.iter().zip(1..) {
                    prop_assert_eq!(concern.concern_id, id);
                    prop_assert!(concern.review_note.contains(&concern.excerpt));
                }
                let starts = text.lines().filter(|l| l.starts_with("- ") || l.starts_with("* ")).count();
                prop_assert_eq!(result.concerns.len(), starts);
            }
        }
    }
}
