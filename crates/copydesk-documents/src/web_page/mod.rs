//! Web pages: the main text, as a reader sees it.
//!
//! The page is read as a row of tags and words, never built as a tree, so that no nesting is too deep. Scripts, hidden
//! text, menus and footers go. The footer of a quotation stays, because it says whose words it has. Headings and list
//! items are marked as in Markdown, and a table's rows become lines. If an `article` or `main` element holds most of
//! the words, only those are read.

mod elements;
pub(super) mod facts;
mod look;
mod tokens;
mod unread;

use html5ever::tokenizer::Tag;

use super::{bounds::MOST_TEXT, hidden::Hidden, raised::raised, records};
use elements::{BLOCKS, INLINE, UNREAD, VOID, is_beside};
use look::Looks;
use tokens::TagReader;
use unread::SkippedElement;

/// Fewer bytes than this are no article.
const SHORTEST_ARTICLE: usize = 200;
/// Fewer words than this are a label.
const SHORTEST_SENTENCE: usize = 5;
/// As many paragraphs that are links and follow each other are a list of links.
const LINKS: usize = 3;

/// The page's text, as that of a draft: a quotation that is set off as a block is marked with `>`.
pub(super) fn draft(html: &str, hidden: &mut Hidden) -> String {
    read_with(html, Page { marks_blocks: true, ..Page::default() }, hidden)
}

/// The page's text; if it hardly shows any, with the text of the article that its data for programs has. A page that shows no sentence at
/// all is read from any text in that data, at last from its description.
pub(super) fn source(html: &str, notes: &mut Vec<String>, hidden: &mut Hidden) -> String {
    let text = read(html, hidden);
    if text.len() >= SHORTEST_ARTICLE {
        return text;
    }
    let has_own = text.lines().any(is_sentence);
    let body = facts::body(html).filter(|body| if has_own { body.of_article } else { body.text.len() > text.len() });
    if let Some(facts::Body { text: body, .. }) = body {
        notes.push("the page shows hardly any text: it was read from the data that it has for programs".into());
        // Markup that is escaped once more, and letters that are.
        let escaped = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
        let body = escaped.iter().fold(body, |body, (from, to)| body.replace(from, to));
        let shown = |text: &str| read(text, &mut Hidden::default());
        let plain = |line: &str| if line.contains('&') { shown(line) } else { line.to_owned() };
        let body = if body.contains("</") {
            shown(&body)
        } else {
            body.lines().map(|line| plain(line).trim().to_owned()).collect::<Vec<String>>().join("\n")
        };
        let is_own = |line: &&str| line.starts_with("# ") || (is_sentence(line) && !body.contains(line.trim()));
        let own: Vec<&str> = text.lines().filter(is_own).collect();
        return format!("{}\n\n{}\n", own.join("\n\n"), body.trim());
    }
    let without_scripts = html.replace("<noscript", "<div").replace("</noscript", "</div");
    let shown = read(&without_scripts, &mut Hidden::default());
    if shown.len() > text.len() && !shown.to_lowercase().contains("javascript") {
        return shown;
    }
    if html.contains("<script") {
        notes
            .push("it shows hardly any text without its scripts: save what the browser shows, or copy its text".into());
    }
    text
}

/// Whether a line of a page tells something: no heading, no label, and no word on the scripts that the page needs.
fn is_sentence(line: &str) -> bool {
    !line.starts_with('#')
        && line.split_whitespace().count() >= SHORTEST_SENTENCE
        && !line.to_lowercase().contains("javascript")
}

/// The page's text; blank if it shows none.
pub(super) fn read(html: &str, hidden: &mut Hidden) -> String {
    read_with(html, Page::default(), hidden)
}

/// The text of the page's article: what stands beside it (comments, related stories, lists of links) is left out. If little is left,
/// the whole text.
pub(super) fn article(html: &str, notes: &mut Vec<String>, hidden: &mut Hidden) -> String {
    let mut found = Hidden::default();
    let article = read_with(html, Page { article_only: true, ..Page::default() }, &mut found);
    if article.len() < SHORTEST_ARTICLE {
        return source(html, notes, hidden);
    }
    *hidden = found;
    article
}

fn read_with(html: &str, page: Page, hidden: &mut Hidden) -> String {
    let mut page = tokens::walk(html, page);
    *hidden = std::mem::take(&mut page.hidden);
    page.close()
}

/// Whether an element has no end.
pub(super) fn is_void(name: &str) -> bool {
    VOID.iter().any(|void| void.eq_ignore_ascii_case(name))
}

/// The last marks of a quotation before the name of its speaker.
const ENDS: [char; 6] = ['.', '!', '?', '”', '"', '…'];

/// The page that is being read.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "the state of a tokenizer's walk through a page")]
struct Page {
    out: String,
    /// The stretches of `out` inside `article` and `main`.
    main: Vec<(usize, usize)>,
    /// How many of those are open, and where the outermost began.
    in_main: usize,
    main_start: usize,
    paragraph: String,
    mark: String,
    pre: usize,
    /// The open element whose content is not read, and how it is hidden, if it is.
    unread: Option<(SkippedElement, Option<&'static str>)>,
    /// How what comes next looks, and what nobody sees.
    looks: Looks,
    hidden: Hidden,
    in_style: bool,
    /// How many quotations are open, and whether their paragraphs are marked.
    quotes: usize,
    marks_blocks: bool,
    /// Whether the paragraph says whose words the quotation has.
    credit: bool,
    /// The length of the text after the last quotation in a block: a caption right behind says whose words it has.
    quoted: Option<usize>,
    /// Where raised text begins in the paragraph.
    raised: Option<usize>,
    title: Option<String>,
    in_title: bool,
    headed: bool,
    tables: usize,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: Option<String>,
    /// Whether the table is only there to place things.
    frame: bool,
    /// Whether what stands beside the article is left out.
    article_only: bool,
    /// Whether a link is open, and how many bytes of the paragraph are in links.
    in_link: bool,
    linked: usize,
    /// Paragraphs that are links, until it is known whether they are a list.
    links: Vec<String>,
}

impl TagReader for Page {
    fn open(&mut self, tag: &Tag) {
        let name = tag.name.as_ref();
        if name == "title" && self.title.is_none() {
            self.in_title = true;
            self.title = Some(String::new());
            return;
        }
        self.in_style = name == "style";
        if let Some((unread, _)) = &mut self.unread {
            if !unread.ends_before(name) {
                return;
            }
            self.end_unread();
        }
        let unread =
            UNREAD.contains(&name) && !(name == "footer" && self.quotes > 0) || (self.article_only && is_beside(tag));
        let how = self.looks.hides(tag);
        if !VOID.contains(&name) && (unread || how.is_some()) {
            if matches!(name, "td" | "th") && self.tables == 1 {
                // Its place stays, so that what follows keeps its column.
                self.end_cell();
                self.row.push(String::new());
            }
            // An element that is never read, such as a menu, does not count as hidden.
            self.unread = Some((SkippedElement::new(name), how.filter(|_| !unread)));
            return;
        }
        self.looks.open(tag);
        match name {
            "a" => self.in_link = true,
            "blockquote" => {
                self.end_paragraph();
                self.quotes += 1;
            }
            "q" => self.say("“"),
            "cite" | "footer" if self.credits(name) => {
                self.end_paragraph();
                self.credit = true;
            }
            "figcaption" => {
                self.end_paragraph();
                self.credit = self.quoted == Some(self.out.len());
            }
            "sup" => self.raised = Some(self.paragraph.len()),
            "br" => self.paragraph.push('\n'),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_paragraph();
                let level = name.as_bytes().get(1).map_or(1, |digit| usize::from(digit.saturating_sub(b'0')));
                self.mark = format!("{} ", "#".repeat(level));
            }
            "li" => {
                self.end_paragraph();
                self.mark = "- ".into();
            }
            "table" => {
                self.end_paragraph();
                self.end_links();
                self.tables += 1;
                self.frame |= self.tables > 1;
            }
            "tr" if self.tables == 1 => self.end_row(),
            "td" | "th" if self.tables == 1 => {
                self.end_cell();
                self.cell = Some(String::new());
            }
            "tr" | "td" | "th" => self.end_paragraph(),
            "article" | "main" => {
                self.end_paragraph();
                self.end_links();
                if self.in_main == 0 {
                    self.main_start = self.out.len();
                }
                self.in_main += 1;
            }
            "pre" => {
                self.end_paragraph();
                self.pre += 1;
            }
            name if BLOCKS.contains(name) => self.end_paragraph(),
            _ => {}
        }
    }

    fn shut(&mut self, name: &str) {
        if name == "title" {
            self.in_title = false;
        }
        if std::mem::take(&mut self.in_style) {
            self.looks.end_sheet();
        }
        if let Some((unread, _)) = &mut self.unread {
            let (over, others) = unread.ends_at(name);
            if !over {
                return;
            }
            self.end_unread();
            if !INLINE.contains(&name) {
                self.end_paragraph();
            }
            if !others {
                return;
            }
        }
        self.looks.shut(name);
        match name {
            "a" => self.in_link = false,
            "blockquote" => {
                self.end_paragraph();
                self.quotes = self.quotes.saturating_sub(1);
                self.quoted = Some(self.out.len());
            }
            "q" => self.say("”"),
            "sup" => {
                if let Some(start) = self.raised.take().filter(|start| *start < self.paragraph.len()) {
                    let noted = self.paragraph.get(start..).map(raised).unwrap_or_default();
                    self.paragraph.truncate(start);
                    self.paragraph.push_str(&noted);
                }
            }
            // An item that shows nothing leaves its mark to nobody.
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "li" | "ul" | "ol" => {
                self.end_paragraph();
                self.mark.clear();
            }
            "td" | "th" if self.tables == 1 => self.end_cell(),
            "tr" if self.tables == 1 => self.end_row(),
            "table" if self.tables == 1 => self.end_table(),
            "table" => {
                self.end_paragraph();
                self.tables = self.tables.saturating_sub(1);
            }
            "article" | "main" if self.in_main > 0 => {
                self.end_paragraph();
                self.end_links();
                self.in_main -= 1;
                if self.in_main == 0 {
                    self.main.push((self.main_start, self.out.len()));
                }
            }
            "pre" => {
                self.end_paragraph();
                self.pre = self.pre.saturating_sub(1);
            }
            name if BLOCKS.contains(name) => self.end_paragraph(),
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if self.in_title {
            self.title.get_or_insert_default().push_str(text);
            return;
        }
        if self.in_style {
            self.looks.sheet(text);
            return;
        }
        if let Some((_, how)) = self.unread {
            if let Some(how) = how {
                self.hidden.say(how, text);
            }
            return;
        }
        if self.out.len() > MOST_TEXT {
            return;
        }
        if let Some(how) = self.looks.now() {
            self.hidden.say(how, text);
            return;
        }
        if !text.trim().is_empty() {
            self.hidden.end();
        }
        if self.in_link {
            self.linked += text.trim().len();
        }
        if self.pre > 0 {
            self.paragraph.push_str(text);
            return;
        }
        for c in text.chars() {
            // A no-break space is seen, other white space is one blank.
            if c.is_ascii_whitespace() {
                if !self.paragraph.is_empty() && !self.paragraph.ends_with([' ', '\n']) {
                    self.paragraph.push(' ');
                }
            } else {
                self.paragraph.push(c);
            }
        }
    }
}

impl Page {
    /// Whether an element of a quotation says whose words it has. Within a sentence, `cite` names a work.
    fn credits(&self, name: &str) -> bool {
        let before = self.paragraph.trim_end();
        self.quotes > 0 && (name == "footer" || before.is_empty() || before.ends_with(ENDS))
    }

    fn end_unread(&mut self) {
        self.unread = None;
        self.hidden.end();
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let linked = std::mem::take(&mut self.linked);
        self.raised = None;
        let text = paragraph.trim();
        if text.is_empty() {
            return;
        }
        if let Some(cell) = &mut self.cell {
            // A cell of several paragraphs is no value.
            self.frame |= !cell.is_empty();
            cell.push_str(text);
            cell.push_str("\n\n");
            return;
        }
        let mut mark = std::mem::take(&mut self.mark);
        if self.marks_blocks && self.quotes > 0 && mark.is_empty() {
            mark.push_str("> ");
        }
        if std::mem::take(&mut self.credit) && !text.starts_with(['—', '–', '-']) {
            mark.push_str("— ");
        }
        let heading = mark.starts_with('#');
        self.headed |= heading;
        let whole = format!("{mark}{text}");
        if self.article_only && !heading && linked * 5 >= text.len() * 4 {
            self.links.push(whole);
            return;
        }
        self.end_links();
        self.put(&whole);
    }

    /// Leaves out the links that stand together if they are a list, and writes them if they are not.
    fn end_links(&mut self) {
        let links = std::mem::take(&mut self.links);
        if links.len() < LINKS {
            for link in &links {
                self.put(link);
            }
        }
    }

    fn put(&mut self, paragraph: &str) {
        let item = paragraph.starts_with("- ");
        if !(item && self.out.lines().next_back().is_some_and(|line| line.starts_with("- "))) {
            self.out.push('\n');
        }
        self.out.push_str(paragraph);
        self.out.push('\n');
    }

    fn end_cell(&mut self) {
        self.end_paragraph();
        self.row.extend(self.cell.take());
    }

    fn end_row(&mut self) {
        self.end_cell();
        if !self.row.is_empty() {
            self.rows.push(std::mem::take(&mut self.row));
        }
    }

    fn end_table(&mut self) {
        self.end_row();
        self.tables = 0;
        let rows = std::mem::take(&mut self.rows);
        let filled = |row: &Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count();
        let frame = std::mem::take(&mut self.frame) || rows.iter().all(|row| filled(row) < 2);
        self.out.push('\n');
        if frame {
            self.out.extend(rows.into_iter().flatten());
            return;
        }
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| records::cell(cell)).collect()).collect();
        // One that its columns' names make too long is over the limit, and the page with it.
        let lines = records::lines(&rows, MOST_TEXT).unwrap_or_else(|| " ".repeat(MOST_TEXT + 1));
        self.out.push_str(&lines);
    }

    fn close(mut self) -> String {
        if self.tables > 0 {
            self.end_table();
        }
        self.end_paragraph();
        self.end_links();
        if self.in_main > 0 {
            self.main.push((self.main_start, self.out.len()));
        }
        let title = self.title.map(|title| records::cell(&title)).filter(|title| !title.is_empty() && !self.headed);
        let main: String = self.main.iter().filter_map(|&(start, end)| self.out.get(start..end)).collect();
        let text = if main.len() * 2 > self.out.len() { main } else { self.out };
        match title {
            Some(title) => format!("# {title}\n{text}"),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests;
