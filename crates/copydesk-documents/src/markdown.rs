//! Markdown as a source: what no reader of the page sees stays no word of it. Comments and the titles of links become blanks, byte for byte,
//! so that every other word keeps its place.

use std::ops::Range;

use super::hidden::Hidden;

/// How a comment is hidden.
const COMMENT: &str = "a comment";
/// How a link's title is hidden.
const TITLE: &str = "a link's title";

/// The text with blanks in the place of what is hidden. Only files that are named as Markdown have any.
pub(super) fn shown(file_name: &str, text: String, hidden: &mut Hidden) -> String {
    let markdown = file_name
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ["md", "markdown"].iter().any(|known| known.eq_ignore_ascii_case(ending)));
    if !markdown {
        return text;
    }
    let mut stretches = comments(&text);
    stretches.extend(titles(&text));
    if stretches.is_empty() {
        return text;
    }
    stretches.sort_by_key(|(place, _)| place.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (place, how) in stretches {
        // A title inside a comment has gone already.
        if place.start < at {
            continue;
        }
        out.push_str(text.get(at..place.start).unwrap_or_default());
        let gone = text.get(place.clone()).unwrap_or_default();
        hidden.say(how, gone);
        hidden.end();
        out.extend(gone.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        at = place.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// `<!-- … -->`, also one that never ends, which hides the rest of the page.
fn comments(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("<!--")).map(|start| at + start) {
        let end = text.get(start + 4..).and_then(|rest| rest.find("-->")).map_or(text.len(), |end| start + 4 + end + 3);
        found.push((start..end, COMMENT));
        at = end;
    }
    found
}

/// The quoted part of `[words](address "title")` and of `[name]: address "title"`.
fn titles(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut at = 0;
        while let Some(opened) = line.get(at..).and_then(|rest| rest.find("](")).map(|place| at + place + 2) {
            let (place, end) = title(line, opened);
            found.extend(place.map(|place| (start + place.start..start + place.end, TITLE)));
            at = end;
        }
        if line.trim_start().starts_with('[')
            && let Some(opened) = line.find("]: ").map(|place| place + 3)
        {
            let (place, _) = title(line, opened);
            found.extend(place.map(|place| (start + place.start..start + place.end, TITLE)));
        }
        start += line.len();
    }
    found
}

/// The title after an address that begins at `from`, and where to go on.
fn title(line: &str, from: usize) -> (Option<Range<usize>>, usize) {
    let rest = line.get(from..).unwrap_or_default();
    let address = rest.find([' ', '\t', ')', '\n']).unwrap_or(rest.len());
    let gap = rest.get(address..).unwrap_or_default();
    let quoted = gap.trim_start_matches([' ', '\t']);
    let open = from + address + (gap.len() - quoted.len());
    let close = match quoted.chars().next() {
        Some('"') => '"',
        Some('\'') => '\'',
        Some('(') => ')',
        _ => return (None, from + address),
    };
    match quoted.get(1..).and_then(|rest| rest.find(close)) {
        Some(length) => (Some(open..open + length + 2), open + length + 2),
        None => (None, open + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let mut hidden = Hidden::default();
        let shown = shown("a.md", text.to_owned(), &mut hidden);
        assert_eq!(shown.len(), text.len(), "every word keeps its place");
        let all = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        (all, hidden.into_list().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn comments_and_titles_are_set_apart() {
        let (shown, hidden) = read(
            "The council <!-- never\nvoted “é” --> met at [the hall](http://a.example \"in secret\") today.\n\n[1]: http://b.example 'They lied.'\n",
        );
        assert_eq!(shown, "The council met at [the hall](http://a.example ) today. [1]: http://b.example");
        assert_eq!(
            hidden,
            [
                "a comment: “<!-- never voted “é” -->”",
                "a link's title: “\"in secret\"”",
                "a link's title: “'They lied.'”"
            ]
        );
        assert_eq!(read("Met <!-- and never came back").0, "Met");
    }

    #[test]
    fn what_is_shown_stays() {
        for text in
            ["He said \"yes\" (maybe \"no\").", "[a](b) \"c\"", "a](b", "[a](b \"c", "a -- b -->", "](\u{e9} \"\u{e9}"]
        {
            assert_eq!(read(text), (text.to_owned(), Vec::new()));
        }
        let mut hidden = Hidden::default();
        assert_eq!(super::shown("a.txt", "a <!-- b -->".into(), &mut hidden), "a <!-- b -->");
        // Many openings take no longer than one.
        assert_eq!(read(&"[a](b \"".repeat(100_000)).1.len(), 21);
        assert_eq!(read(&"](".repeat(200_000)).1.len(), 0);
    }
}
