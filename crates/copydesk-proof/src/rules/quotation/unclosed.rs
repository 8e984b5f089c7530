//! A quotation whose mark never closes.
//!
//! Why: it is not clear where the quoted words end, so no word behind the mark can be checked.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "quotation.unclosed",
    kind: SpanKind::Quotation,
    standing: Standing::NotFound,
    why: "This quotation is opened and never closed.",
    source: "A quotation mark comes in pairs. One may stay open at the end of a paragraph if the next one opens again.",
    ..Rule::USUAL
};

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_mark_that_never_closes_is_found() {
        let source = "BERG: It is late, and we are tired. We go home. The 6\" pipe and the 5'10\" man.";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|found| found.rule).collect::<Vec<_>>();
        for open in [
            "“It is late, and we are tired, Berg said.",
            "\"It is late, and we are tired, Berg said.",
            "«It is late, and we are tired, Berg said.\n\nBerg left.",
            "„It is late, Berg said. „We go home“, he said.",
            "It is late, and we are tired,” Berg said.",
            "‘It is late, and we are tired, Berg said.",
            "Berg said: ‘I told you it is late.",
            "Berg said, 'We go home.",
        ] {
            assert_eq!(rules(open), ["quotation.unclosed"], "{open}");
        }
        for closed in [
            "“It is late, and we are tired.\n\n“We go home,” Berg said.",
            "The 6\" pipe and the 5'10\" man, Berg said.",
            "It is late, ’tis late, Berg said.",
        ] {
            assert_eq!(rules(closed), [""; 0], "{closed}");
        }
    }
}
