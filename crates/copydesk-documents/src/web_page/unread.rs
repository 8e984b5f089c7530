//! Finds the end of an element whose content is not read, with its end tag written or left out.

use super::elements::BLOCKS;

/// An element whose end tag may be left out, and what ends it then.
struct Unended {
    names: &'static [&'static str],
    /// The elements whose start ends it.
    next: &'static [&'static str],
    /// The elements that enclose it and may also be inside it: a list, a table.
    around: &'static [&'static str],
    /// The other elements whose end ends it.
    over: &'static [&'static str],
}

/// The elements whose end tags are left out in the wild (HTML, 13.1.2.4); paragraphs and the head end before any block.
const UNENDED: [Unended; 5] = [
    Unended { names: &["li"], next: &["li"], around: &["ul", "ol", "menu"], over: &[] },
    Unended { names: &["dt", "dd"], next: &["dt", "dd"], around: &["dl"], over: &[] },
    Unended {
        names: &["td", "th"],
        next: &["td", "th", "tr", "tbody", "tfoot"],
        around: &["table"],
        over: &["tr", "thead", "tbody", "tfoot"],
    },
    Unended { names: &["tr"], next: &["tr", "tbody", "tfoot"], around: &["table"], over: &["thead", "tbody", "tfoot"] },
    Unended { names: &["option"], next: &["option", "optgroup"], around: &["datalist"], over: &["optgroup"] },
];

/// An element whose content is not read.
pub(super) struct SkippedElement {
    name: String,
    /// How many of its name are open, itself among them.
    depth: usize,
    /// How many of what it lies in are open inside it.
    inside: usize,
}

impl SkippedElement {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), depth: 1, inside: 0 }
    }

    fn unended(&self) -> Option<&'static Unended> {
        UNENDED.iter().find(|known| known.names.contains(&self.name.as_str()))
    }

    /// Whether it is over when another element begins.
    pub(super) fn ends_before(&mut self, name: &str) -> bool {
        if matches!(self.name.as_str(), "head" | "p") {
            let block = BLOCKS.contains(name) && name != "html";
            return block || matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "li");
        }
        let Some(unended) = self.unended() else {
            self.depth += usize::from(self.name == name);
            return false;
        };
        self.inside += usize::from(unended.around.contains(&name));
        self.inside == 0 && unended.next.contains(&name)
    }

    /// Whether it is over when an element ends, and whether it is another's end that says so.
    pub(super) fn ends_at(&mut self, name: &str) -> (bool, bool) {
        if self.name == "p" && name != "p" {
            return (BLOCKS.contains(name), true);
        }
        let Some(unended) = self.unended() else {
            self.depth -= usize::from(self.name == name);
            return (self.depth == 0, false);
        };
        if self.inside > 0 {
            self.inside -= usize::from(unended.around.contains(&name));
            return (false, false);
        }
        let other = unended.around.contains(&name) || unended.over.contains(&name);
        (other || self.name == name, other)
    }
}

#[cfg(test)]
mod tests {
    use crate::{hidden::Hidden, web_page::read};

    #[test]
    fn what_is_hidden_ends_where_a_browser_ends_it() {
        for page in [
            "<ul><li hidden>secret<ul><li>more</ul><li>shown</ul>",
            "<ul><li hidden>secret</ul>shown",
            "<ul><li hidden>secret</li><li>shown</ul>",
            "<dl><dt hidden>secret<dd>shown</dl>",
            "<table><tr><td hidden>secret<td>shown</table>",
            "<table><tr><td hidden>secret<table><tr><td>more<td>more</table><tr><td>shown</table>",
            "<table><tr><th hidden>secret</tr><tr><td>shown</table>",
            "<table><tr hidden><td>secret</td><tr><td>shown</table>",
            "<table><tr hidden><td>secret</table>shown",
            "<datalist><option hidden>secret<option>shown</datalist>",
            "<div><p hidden>secret</div>shown",
            "<p hidden>secret<h2>shown</h2>",
            "<div hidden>secret<div>more</div>secret</div>shown",
        ] {
            assert_eq!(
                read(page, &mut Hidden::default()).trim().trim_start_matches(['-', '#', ' ']),
                "shown",
                "{page}"
            );
        }
    }
}
