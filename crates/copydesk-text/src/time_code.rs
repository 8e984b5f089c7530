//! The time code at the head of a transcript's line: `[00:01:02] VOSS: …`. It says when, and is no word of anybody.

use std::ops::Range;

/// The code of a line without its brackets, if the line begins with one, and what is behind them.
pub fn time_code(line: &str) -> Option<(&str, &str)> {
    let (code, rest) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let is_code = code.contains(':')
        && code.starts_with(|c: char| c.is_ascii_digit())
        && code.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | ' ' | '-' | '–'));
    is_code.then(|| (code.trim(), rest.trim_start()))
}

/// The code of the turn that a span of a transcript begins in: the nearest above it in its own paragraph.
pub fn turn_code<'t>(text: &'t str, span: &Range<usize>) -> Option<&'t str> {
    let line = text.get(span.start..)?.find('\n').map_or(text.len(), |end| span.start + end);
    let above = text.get(..line)?;
    above.rsplit('\n').take_while(|line| !line.trim().is_empty()).find_map(time_code).map(|(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_stands_at_the_head_of_its_line() {
        assert_eq!(time_code(" [00:01:02] VOSS: Good."), Some(("00:01:02", "VOSS: Good.")));
        assert_eq!(time_code("[0:05 – 0:09]"), Some(("0:05 – 0:09", "")));
        for none in ["[1] Note", "[sic] no", "[12:30", "at [12:30]", "", "[:] x"] {
            assert_eq!(time_code(none), None, "{none}");
        }
    }

    #[test]
    fn a_span_has_the_code_of_its_turn_and_no_others() {
        let text = "[00:01] VOSS: Good.\n[00:05] TULL: Thanks,\nto all.\n\nThe end.";
        let code = |part: &str| {
            let start = text.find(part).unwrap();
            turn_code(text, &(start..start + part.len()))
        };
        assert_eq!(
            (code("Good"), code("Thanks"), code("all"), code("end")),
            (Some("00:01"), Some("00:05"), Some("00:05"), None)
        );
        assert_eq!((code("[00:05]"), turn_code(text, &(99..100))), (Some("00:05"), None));
    }
}
