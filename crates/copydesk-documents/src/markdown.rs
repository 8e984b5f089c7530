//! Markdown as a reader of the page sees it: links are their words, character references their letters. Comments, titles of links and
//! struck text are set apart, raised figures are kept from melting into words.

use std::ops::Range;

use copydesk_text::words::is_raised;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{hidden::Hidden, raised::raised};

/// How a comment is hidden.
const COMMENT: &str = "a comment";
/// How a link's title is hidden.
const TITLE: &str = "a link's title";
/// How struck text is set apart.
pub(super) const STRUCK: &str = "struck text";

/// The parts of a text that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkdownRead {
    /// The text that a reader of the page sees.
    Shown,
    /// The same, with blanks in the place of what goes, so that every other word keeps its place.
    InPlace,
    /// All that its author wrote, with character references and quotations in HTML as marks.
    Written,
    /// The same, with NUL in place of each byte that goes, so that every other word keeps its place. Cleaning takes the NUL out: the text is
    /// then that of [`Self::Written`].
    Typed,
}

impl MarkdownRead {
    fn is_written(self) -> bool {
        matches!(self, Self::Written | Self::Typed)
    }
}

/// A replacement of a stretch of the text.
struct Change {
    place: Range<usize>,
    instead: String,
    /// In which way the text that is left out was hidden; none if it is only markup.
    hidden: Option<&'static str>,
}

/// Whether a file's name says that it is Markdown.
pub(super) fn is_markdown(file_name: &str) -> bool {
    let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["md", "markdown"].iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The text as it is read.
pub(super) fn read(text: String, how: MarkdownRead, hidden: &mut Hidden) -> String {
    if how.is_written() && !text.contains(['&', '<']) {
        return text;
    }
    let mut walk = Walk { text: &text, how, changes: Vec::new(), links: Vec::new(), open: Vec::new() };
    if !how.is_written() {
        walk.comments();
    }
    walk.events();
    let mut changes = walk.changes;
    if changes.is_empty() {
        return text;
    }
    changes.sort_by_key(|change| (change.place.start, std::cmp::Reverse(change.place.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Change { place, instead, hidden: way } in changes {
        // A title inside a comment has gone already.
        if place.start < at {
            continue;
        }
        let gone = text.get(place.clone()).unwrap_or_default();
        if how == MarkdownRead::Typed && instead.len() > gone.len() {
            continue;
        }
        out.push_str(text.get(at..place.start).unwrap_or_default());
        if let Some(way) = way {
            hidden.say(way, gone);
            hidden.end();
        }
        out.push_str(&instead);
        // Lines are counted in the file.
        let mut breaks = gone.matches('\n').count().saturating_sub(instead.matches('\n').count());
        let blank = match how {
            MarkdownRead::InPlace => Some(' '),
            MarkdownRead::Typed => Some('\0'),
            _ => None,
        };
        out.extend(gone.bytes().skip(blank.map_or(0, |_| instead.len())).filter_map(|byte| {
            let breaks_here = byte == b'\n' && breaks > 0;
            breaks -= usize::from(breaks_here);
            if breaks_here { Some('\n') } else { blank }
        }));
        at = place.end;
        // Two blanks would part columns.
        if how == MarkdownRead::Shown && out.ends_with(' ') && text.get(at..).is_some_and(|rest| rest.starts_with(' '))
        {
            at += 1;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A link whose words are being read.
struct OpenLink {
    title: String,
    first: Option<usize>,
    last: usize,
}

struct Walk<'t> {
    text: &'t str,
    how: MarkdownRead,
    changes: Vec<Change>,
    links: Vec<OpenLink>,
    /// Elements of HTML whose end decides what they are: their names, and where they begin and their content does.
    open: Vec<(String, usize, usize)>,
}

impl Walk<'_> {
    fn change(&mut self, place: Range<usize>, instead: impl Into<String>, hidden: Option<&'static str>) {
        self.changes.push(Change { place, instead: instead.into(), hidden });
    }

    /// `<!-- … -->`, also one that never ends, which hides the rest of the page.
    fn comments(&mut self) {
        let text = self.text;
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find("<!--")).map(|start| at + start) {
            let end = text.get(start + 4..).and_then(|rest| rest.find("-->"));
            at = end.map_or(text.len(), |end| start + 4 + end + 3);
            self.change(start..at, "", Some(COMMENT));
        }
    }

    fn events(&mut self) {
        let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
        let parser = Parser::new_ext(self.text, options);
        let shown = !self.how.is_written();
        if shown {
            for (_, definition) in parser.reference_definitions().iter() {
                let span = definition.span.clone();
                self.address(span, definition.title.as_deref().unwrap_or_default());
            }
        }
        for (event, place) in parser.into_offset_iter() {
            if !matches!(event, Event::End(_))
                && let Some(link) = self.links.last_mut()
            {
                link.first.get_or_insert(place.start);
                link.last = link.last.max(place.end);
            }
            match event {
                Event::Start(Tag::Link { title, .. }) if shown => {
                    self.links.push(OpenLink { title: title.to_string(), first: None, last: place.start });
                }
                Event::End(TagEnd::Link) if shown => {
                    let Some(link) = self.links.pop() else { continue };
                    let words = link.first.unwrap_or(place.end);
                    let last = link.last.max(words);
                    self.change(place.start..words, "", None);
                    self.address(last..place.end, &link.title);
                }
                Event::Start(Tag::Strikethrough) if shown => self.change(place, "", Some(STRUCK)),
                Event::FootnoteReference(_) | Event::Start(Tag::Image { .. }) if shown => self.change(place, "", None),
                // Any other difference from the text is an escape's backslash.
                Event::Text(said)
                    if self
                        .text
                        .get(place.clone())
                        .is_some_and(|written| written != &*said && written.starts_with('&')) =>
                {
                    self.change(place, said.to_string(), None);
                }
                Event::Html(_) | Event::InlineHtml(_) => self.markup(place),
                _ => {}
            }
        }
    }

    /// The address of a link goes, and its title with its marks.
    fn address(&mut self, place: Range<usize>, title: &str) {
        let whole = self.text.get(place.clone()).unwrap_or_default();
        let found = whole.rfind(title).filter(|at| *at > 0 && !title.is_empty());
        let marked = found.map(|at| place.start + at - 1..(place.start + at + title.len() + 1).min(place.end));
        match marked.filter(|title| self.text.get(title.clone()).is_some()) {
            Some(title) => {
                self.change(place.start..title.start, "", None);
                self.change(title.clone(), "", Some(TITLE));
                self.change(title.end..place.end, "", None);
            }
            None => self.change(place, "", None),
        }
    }

    /// Tags of HTML between two bytes.
    fn markup(&mut self, place: Range<usize>) {
        let text = self.text.get(..place.end).unwrap_or_default();
        let mut at = place.start;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find('<')).map(|start| at + start) {
            let Some(end) = text.get(start..).and_then(|rest| rest.find('>')).map(|end| start + end + 1) else {
                return;
            };
            at = end;
            let inner = text.get(start + 1..end - 1).unwrap_or_default();
            let name: String = inner.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            if name.is_empty() {
                continue;
            }
            self.tag(&name.to_ascii_lowercase(), inner.starts_with('/'), start..end);
        }
    }

    fn tag(&mut self, name: &str, ends: bool, tag: Range<usize>) {
        let written = self.how.is_written();
        match name {
            "q" => self.change(tag, if ends { "”" } else { "“" }, None),
            "blockquote" if written && ends => {
                self.open.retain(|(open, ..)| open != name);
                self.change(tag, "\n\n", None);
            }
            "blockquote" if written => {
                let rest = self.text.get(tag.end..).unwrap_or_default();
                let content = tag.end + rest.len() - rest.trim_start().len();
                self.open.push((name.to_owned(), tag.start, content));
                self.change(tag.start..content, "\n\n> ", None);
            }
            // Each paragraph of a block is quoted; the first is so by the block itself.
            "p" if written => {
                let block = self.open.iter().rfind(|(open, ..)| open == "blockquote").map(|(.., content)| *content);
                if let Some(content) = block {
                    self.change(tag.clone(), if ends || content == tag.start { "" } else { "> " }, None);
                }
            }
            _ if written => {}
            "br" => self.change(tag, " ", None),
            "s" | "del" | "strike" | "sup" if !ends => self.open.push((name.to_owned(), tag.start, tag.end)),
            "s" | "del" | "strike" | "sup" => {
                let Some(at) = self.open.iter().rposition(|(open, ..)| open == name) else { return };
                let Some((_, start, content)) = self.open.drain(at..).next() else { return };
                let content = self.text.get(content..tag.start).unwrap_or_default();
                match name {
                    "sup" => {
                        let figure = raised(content);
                        // Raised signs are longer than plain ones.
                        let noted = figure.chars().all(is_raised);
                        let keeps = self.how == MarkdownRead::InPlace && figure.len() > tag.end - start;
                        let instead = if keeps && noted { String::new() } else { figure };
                        self.change(start..tag.end, instead, None);
                    }
                    _ => self.change(start..tag.end, "", Some(STRUCK)),
                }
            }
            _ => self.change(tag, "", None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str, how: MarkdownRead) -> (String, Vec<String>) {
        let mut hidden = Hidden::default();
        let shown = read(text.to_owned(), how, &mut hidden);
        (shown, hidden.into_list().iter().map(ToString::to_string).collect())
    }

    fn shown(text: &str) -> (String, Vec<String>) {
        let (place, _) = read_as(text, MarkdownRead::InPlace);
        assert_eq!(place.len(), text.len(), "every word keeps its place");
        let (shown, hidden) = read_as(text, MarkdownRead::Shown);
        (shown.split_whitespace().collect::<Vec<_>>().join(" "), hidden)
    }

    #[test]
    fn comments_and_titles_are_set_apart() {
        let (text, hidden) = shown(
            "The council <!-- never\nvoted “é” --> met at [the hall](http://a.example \"in secret\") [today][1].\n\n[1]: http://b.example 'They lied.'\n",
        );
        assert_eq!(text, "The council met at the hall today.");
        assert_eq!(hidden.len(), 3);
        for part in [
            "a comment: “<!-- never voted “é” -->”",
            "a link's title: “\"in secret\"”",
            "a link's title: “'They lied.'”",
        ] {
            assert!(hidden.iter().any(|hidden| hidden == part), "{part}: {hidden:?}");
        }
        assert_eq!(shown("Met <!-- and never came back").0, "Met");
    }

    #[test]
    fn what_a_page_shows_is_read() {
        for (text, wanted) in [
            (
                "It has **[1.8 acres](http://a.example/2)** and _[two][x]_ gates.\n\n[x]: http://b.example",
                "It has **1.8 acres** and _two_ gates.",
            ),
            ("Caf&eacute;&nbsp;&#8220;A &amp; B&#x201D;<br>and <b>more</b>", "Café\u{A0}“A & B” and more"),
            (
                "It cost ~~40~~ 45<sup>3</sup> million[^1], on <del>May 1</del> May 2.\n\n[^1]: In euros.",
                "It cost 45³ million, on May 2. [^1]: In euros.",
            ),
            ("It opens ![the plan](b.png \"c\") on May 2.", "It opens on May 2."),
            ("He said <q>never</q>. See <http://c.example>.", "He said “never”. See http://c.example."),
        ] {
            assert_eq!(shown(text).0, wanted.replace('\u{A0}', " "), "{text}");
        }
    }

    #[test]
    fn each_paragraph_of_a_block_is_quoted_where_it_was() {
        let text = "<blockquote>\n<p>It is late.</p>\n<p>No.</p>\n</blockquote>\n\nShe said so.\n";
        let quoted = |how| read_as(text, how).0.lines().filter(|line| line.starts_with("> ")).count();
        assert_eq!(quoted(MarkdownRead::Written), 2);
        assert_eq!(quoted(MarkdownRead::Typed), 2);
        let plain = read_as("<blockquote>\nIt is late.\n</blockquote>", MarkdownRead::Written).0;
        assert!(plain.contains("> It is late."), "{plain:?}");
        assert_eq!(read_as(text, MarkdownRead::Typed).0.len(), text.len());
    }

    #[test]
    fn what_goes_leaves_one_blank() {
        for text in ["It costs ~~28~~ 31 francs.", "It costs <del>28</del> <ins>31</ins> francs."] {
            assert_eq!(read_as(text, MarkdownRead::Shown).0, "It costs 31 francs.");
        }
    }

    #[test]
    fn a_draft_keeps_what_its_author_wrote() {
        let text =
            "It has [two](http://a.example) ~~old~~ gates, &ldquo;both&rdquo; <q>green</q><!-- so --> & <i>new</i>.";
        let wanted = "It has [two](http://a.example) ~~old~~ gates, “both” “green”<!-- so --> & <i>new</i>.";
        assert_eq!(read_as(text, MarkdownRead::Written).0, wanted);
        let (typed, _) = read_as(text, MarkdownRead::Typed);
        assert_eq!((typed.len(), typed.replace('\0', "").as_str()), (text.len(), wanted));
        let longer = "It is &nGt; 4.";
        assert_eq!(read_as(longer, MarkdownRead::Typed).0, longer);
    }

    #[test]
    fn what_is_shown_stays() {
        for text in [
            "He said \"yes\" (maybe \"no\").",
            "a](b",
            "[a](b \"c",
            "a -- b -->",
            "](\u{e9} \"\u{e9}",
            "2 < 3 & 4 > 1, about ~40 or ~50",
        ] {
            assert_eq!(shown(text), (text.to_owned(), Vec::new()));
        }
        // Many openings take no longer than one.
        assert_eq!(shown(&"](".repeat(200_000)).1.len(), 0);
    }
}
