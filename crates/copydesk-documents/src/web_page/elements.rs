//! The effect of a page's elements on its text.

use std::{collections::HashSet, sync::LazyLock};

use html5ever::tokenizer::Tag;

/// Elements whose content is not read.
pub(super) const UNREAD: [&str; 21] = [
    "script", "style", "template", "noscript", "iframe", "object", "svg", "math", "canvas", "audio", "video", "nav",
    "aside", "button", "select", "textarea", "dialog", "menu", "head", "noframes", "footer",
];

/// Elements that have no end.
pub(super) const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements that begin a paragraph and end one.
pub(super) static BLOCKS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure \
     footer form header hgroup hr main ol p pre section summary table tbody tfoot thead ul html"
        .split(' ')
        .collect()
});

/// Elements within a line.
pub(super) const INLINE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "cite", "code", "data", "del", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s",
    "small", "span", "strike", "strong", "sub", "sup", "u",
];

/// Roles of elements that stand beside an article (WAI-ARIA, landmarks and dialogues).
const ROLES_BESIDE: [&str; 7] =
    ["navigation", "complementary", "search", "contentinfo", "dialog", "alertdialog", "menu"];

/// Classes and names of what publishers put around an article.
static NAMED_BESIDE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "ad ads advert advertisement breadcrumb breadcrumbs comment comments consent cookie cookies disqus menu \
     modal nav navbar newsletter outbrain popup promo recommended related share sidebar social taboola"
        .split(' ')
        .collect()
});

/// Whether an element stands beside an article, as its role, class or name says: `sidebar`, `related-stories`, not `has-sidebar`.
pub(super) fn is_beside(tag: &Tag) -> bool {
    if matches!(tag.name.as_ref(), "html" | "body" | "main" | "article") {
        return false;
    }
    tag.attrs.iter().any(|attribute| {
        let value = attribute.value.to_ascii_lowercase();
        match attribute.name.local.as_ref() {
            "role" => ROLES_BESIDE.contains(&value.trim()),
            "class" | "id" => value
                .split_ascii_whitespace()
                .filter_map(|name| name.split(['-', '_']).next())
                .any(|first| NAMED_BESIDE.contains(first)),
            _ => false,
        }
    })
}
