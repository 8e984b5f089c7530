//! Addresses (URLs and DOIs) in a text: where they stand, how they are compared, how they are taken out.

use linkify::{LinkFinder, LinkKind};

use super::patterns::{DOI, LINK, LINK_DEFINITION, group, replace};

/// Takes out each address that `may_stand` refuses: a Markdown link keeps its text, a link definition goes whole.
pub(super) fn addresses(text: &str, stripped: &mut Vec<String>, may_stand: impl Fn(&str) -> bool) -> String {
    let refused = |address: &str| keys(address).any(|key| !may_stand(&key));
    let linked = replace(&LINK, text, |found| {
        let address = group(found, 2);
        // A link always points to an address, even if it does not look like one (`made-up.org`, `javascript:`).
        (!may_stand(&key(address))).then(|| {
            stripped.push(address.to_owned());
            group(found, 1).to_owned()
        })
    });
    let defined = replace(&LINK_DEFINITION, &linked, |found| {
        let whole = group(found, 0);
        let target = whole.split_once("]:").map_or("", |(_, target)| target.trim_start());
        let target = target.split_whitespace().next().unwrap_or_default();
        (!whole.trim_start().starts_with("[^") && !may_stand(&key(target))).then(|| {
            stripped.push(whole.trim().to_owned());
            String::new()
        })
    });
    let mut out = String::new();
    let mut last = 0;
    for (start, end) in address_spans(&defined) {
        let Some(address) = defined.get(start..end) else { continue };
        if start < last || !refused(address) {
            continue;
        }
        stripped.push(address.to_owned());
        out.push_str(defined.get(last..start).unwrap_or_default());
        last = end;
    }
    if last == 0 {
        return defined;
    }
    out.push_str(defined.get(last..).unwrap_or_default());
    tidy(&out)
}

/// Removes the traces of a deleted address: empty brackets, doubled spaces, a space before a stop.
fn tidy(text: &str) -> String {
    let mut out = text.to_owned();
    for (from, to) in [("<>", ""), ("()", ""), ("[]", ""), ("  ", " "), (" .", "."), (" ,", ","), (" )", ")")] {
        out = out.replace(from, to);
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Byte spans of URLs and DOIs, in order.
fn address_spans(text: &str) -> Vec<(usize, usize)> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]).url_must_have_scheme(false);
    let mut spans: Vec<(usize, usize)> = finder
        .links(text)
        .filter(|link| {
            // "St.Louis" is no address; one without a scheme needs a path or www.
            let found = link.as_str();
            found.contains("://") || found.contains('/') || found.to_lowercase().starts_with("www.")
        })
        .map(|link| (link.start(), link.end()))
        .collect();
    if let Some(doi) = DOI.as_ref() {
        spans.extend(doi.find_iter(text).map(|found| (found.start(), found.end())));
    }
    spans.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    let mut last = 0;
    spans.retain(|(start, end)| {
        let apart = *start >= last;
        if apart {
            last = *end;
        }
        apart
    });
    spans
}

/// The addresses of a text in the form in which they are compared: lower case, no scheme, no `www.`, no closing slash
/// or stop. A DOI is compared by itself, whichever resolver it is behind.
pub(super) fn keys(text: &str) -> impl Iterator<Item = String> {
    let spans = address_spans(text);
    spans.into_iter().filter_map(|(start, end)| text.get(start..end).map(key)).collect::<Vec<_>>().into_iter()
}

fn key(address: &str) -> String {
    let lower = address.to_lowercase();
    if let Some(found) = DOI.as_ref().and_then(|doi| doi.find(&lower)) {
        return found.as_str().trim_start_matches("doi:").trim().to_owned();
    }
    let bare = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches(['/', '.', ',', ';', ':']).to_owned()
}
