//! The kind of publisher of a source, read from its address first and from the name that it gives itself second.

use url::{Host, Url};

use super::listed::is_listed;
use copydesk_newsroom::FoundSource;

/// A kind of publisher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Publisher {
    /// A parliament, a city, a ministry, a court, an office of statistics.
    Authority,
    /// A university, or a journal with review by peers.
    Scholarly,
    News,
    /// An association, a foundation.
    Organisation,
    /// A company or a party to the matter, or a distributor of its releases.
    Company,
    /// An encyclopedia that anybody may edit.
    Reference,
    /// A place where anybody may publish.
    Personal,
    Unknown,
}

/// Second labels under which a country's registry admits authorities alone.
const AUTHORITIES: &str = "gc go gob gouv gov govt gub gv mil";

/// Publishers by their addresses (` at: `) and by words in their names (` named: `).
const PUBLISHERS: &str = include_str!("../../../../assets/words/publishers.txt");

/// The kinds with what is listed of each, in order.
fn listed(mark: &'static str) -> impl Iterator<Item = (Publisher, &'static str)> {
    PUBLISHERS.lines().filter_map(move |line| {
        let (kind, known) = line.split_once(mark)?;
        Some((kind.parse().ok()?, known))
    })
}

/// The kind of a source's publisher, its value from 0 to 1, and a sentence that says how it is known. A source that calls itself an
/// authority or a university without an address that shows it is of no known kind: the other rules must not trust it as one.
pub fn publisher(source: &FoundSource) -> (Publisher, f64, String) {
    let host = host_of(&source.address);
    let name = source.publisher.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let by_host = host.as_deref().and_then(of_host);
    // The page says so of itself; its address does not show it.
    let by_name = name.and_then(of_name).filter(|_| matches!(by_host, None | Some(Publisher::Organisation)));
    let kind = by_name.or(by_host).unwrap_or(Publisher::Unknown);
    let (value, words) = match kind {
        Publisher::Authority => (1.0, "Published by an authority"),
        Publisher::Scholarly => (0.9, "Published by a university or a scholarly journal"),
        Publisher::News => (0.8, "Published by a news organisation"),
        Publisher::Organisation => (0.6, "Published by an association or a foundation"),
        Publisher::Company => (0.5, "Published in a company's own interest"),
        Publisher::Reference => (0.4, "Published in a work that anybody may edit"),
        Publisher::Unknown => (0.4, "The kind of publisher is not known"),
        Publisher::Personal => (0.2, "Published where anybody may publish"),
    };
    match by_name {
        None => (kind, value, format!("{words}: {}.", host.as_deref().unwrap_or(&source.address))),
        // A name proves nothing: it counts for no more than an association's address.
        Some(_) => (
            if matches!(kind, Publisher::Authority | Publisher::Scholarly) { Publisher::Unknown } else { kind },
            f64::min(value, 0.6),
            format!("{words}, by its own account: {}. Its address does not show it.", name.unwrap_or_default()),
        ),
    }
}

/// The site of an address: its host without `www.`; for an address of numbers, and for a file, the whole of it.
pub fn site(address: &str) -> String {
    host_of(address).map_or_else(|| address.to_owned(), |host| host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

/// The host of a page's address in lower case, without a last dot; none for a file's name or a bare number.
fn host_of(address: &str) -> Option<String> {
    match Url::parse(address).ok()?.host()? {
        Host::Domain(host) => Some(host.trim_end_matches('.').to_lowercase()),
        Host::Ipv4(_) | Host::Ipv6(_) => None,
    }
}

fn of_host(host: &str) -> Option<Publisher> {
    let is_part = |known: &str| host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let mut labels = host.rsplit('.');
    let last = labels.next().unwrap_or_default();
    let by_label = match labels.next().filter(|_| last.len() == 2) {
        Some(second) if is_listed(second, AUTHORITIES) => Some(Publisher::Authority),
        Some("ac" | "edu") => Some(Publisher::Scholarly),
        Some("org") => Some(Publisher::Organisation),
        _ => None,
    };
    let fits = |(kind, hosts): &(Publisher, &str)| by_label == Some(*kind) || hosts.split(' ').any(is_part);
    listed(" at: ").find(fits).map(|(kind, _)| kind)
}

/// English only.
fn of_name(name: &str) -> Option<Publisher> {
    let words: Vec<String> = name
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let spaced = format!(" {} ", words.join(" "));
    let fits = |(_, names): &(Publisher, &str)| names.split(", ").any(|known| spaced.contains(&format!(" {known} ")));
    listed(" named: ").find(fits).map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_its_kind_of_publisher_and_a_look_alike_does_not() {
        use Publisher::{Authority, Company, News, Organisation, Personal, Reference, Scholarly};
        let cases = [
            ("https://www.springfield.gov/a", Some(Authority)),
            ("https://data.gov.uk", Some(Authority)),
            ("https://www.stat.go.jp/", Some(Authority)),
            ("https://WWW.Destatis.BUND.de./x", Some(Authority)),
            ("https://www.service-public.gouv.fr", Some(Authority)),
            ("https://gov.example.com/", None),
            ("https://springfield-gov.com/", None),
            ("https://go.com/", None),
            ("https://notbund.de/", None),
            ("https://mit.edu/", Some(Scholarly)),
            ("https://www.ox.ac.uk/", Some(Scholarly)),
            ("https://doi.org/10.1/1", Some(Scholarly)),
            ("https://www.bbc.co.uk/news", Some(News)),
            ("https://apnews.com.example.net/", None),
            ("https://www.prnewswire.com/a", Some(Company)),
            ("https://de.wikipedia.org/wiki/A", Some(Reference)),
            ("https://city.substack.com/p", Some(Personal)),
            ("https://sites.google.com/city", Some(Personal)),
            ("https://www.redcross.org/", Some(Organisation)),
            ("http://127.0.0.1/", None),
            ("notes/miller-park.md", None),
        ];
        for (address, kind) in cases {
            assert_eq!(host_of(address).as_deref().and_then(of_host), kind, "{address}");
        }
    }

    #[test]
    fn a_name_shows_a_kind_by_whole_words() {
        let cases = [
            ("City of Springfield", Some(Publisher::Authority)),
            ("Springfield Daily Courier", Some(Publisher::News)),
            ("State University", Some(Publisher::Scholarly)),
            ("Acme Inc.", Some(Publisher::Company)),
            ("Friends of the Park Foundation", Some(Publisher::Organisation)),
            ("Sunny Days", None),
            ("Incredible", None),
        ];
        for (name, kind) in cases {
            assert_eq!(of_name(name), kind, "{name}");
        }
    }
}
