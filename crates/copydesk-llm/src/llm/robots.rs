//! Reads whether a site's robots.txt allows this program to open a page (RFC 9309).
//!
//! The rules are read here, not by a crate. The crate robotstxt (of 2021) takes minutes for a file that is written to be slow, and cuts
//! characters in two. The crate `texting_robots` builds a regular expression for each rule.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

use reqwest::{
    Response,
    header::{HeaderValue, LOCATION},
};
use tokio::sync::OnceCell;
use url::Url;

use super::{egress::Egress, stream};
use copydesk_config::Endpoint;
use copydesk_core::ports::PageError;

/// The name that sites know this program by.
const NAME: &str = "copydesk";
/// Most bytes of a file that are read: what the standard asks for, at least.
const MOST_BODY: usize = 512 << 10;
/// Most redirections: as many as the standard asks for.
const MOST_SENT_ON: usize = 5;
/// Most rules of a file, and most bytes of a rule. A rule that is longer than every address that is asked for fits none.
const MOST_RULES: usize = 2_000;
const LONGEST_RULE: usize = 2_048;
/// Most sites whose rules are kept.
const MOST_SITES: usize = 10_000;

/// The rules of the sites that were asked so far.
#[derive(Default)]
pub(super) struct Robots {
    sites: Mutex<HashMap<String, Arc<OnceCell<SiteRules>>>>,
}

impl Robots {
    /// Whether the page's site allows it. Its file is read once; a file that could not be read is tried again with the next page.
    ///
    /// # Errors
    /// [`PageError::RobotsUnreachable`] if the site does not answer or fails: then the standard forbids everything.
    pub(super) async fn allow(&self, egress: &Egress, page: &Endpoint) -> Result<bool, PageError> {
        let site = page.base.origin().ascii_serialization();
        let rules = {
            let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
            if sites.len() >= MOST_SITES {
                sites.clear();
            }
            Arc::clone(sites.entry(site).or_default())
        };
        let rules = rules.get_or_try_init(|| read(egress, page)).await?;
        let path = page
            .base
            .query()
            .map_or_else(|| page.base.path().to_owned(), |query| format!("{}?{query}", page.base.path()));
        Ok(rules.allow(&path))
    }
}

async fn read(egress: &Egress, page: &Endpoint) -> Result<SiteRules, PageError> {
    let unreachable = |detail: String| PageError::RobotsUnreachable { host: page.authority(), detail };
    let mut place = Endpoint { base: page.base.clone(), setting: String::new() };
    place.base.set_path("/robots.txt");
    place.base.set_query(None);
    // A page whose own host is refused is refused for that.
    let ask = async |place: &Endpoint| {
        egress.page(place).await.map_err(|error| match error {
            PageError::NotPublic { .. } | PageError::NotLocal { .. } | PageError::Withheld(_)
                if place.authority() == page.authority() =>
            {
                error
            }
            error => unreachable(error.to_string()),
        })
    };
    let mut response = ask(&place).await?;
    for _ in 0..MOST_SENT_ON {
        if !response.status().is_redirection() {
            break;
        }
        let Some(next) = next(&response, &place.base) else { return Ok(SiteRules::default()) };
        place.base = next;
        response = ask(&place).await?;
    }
    match response.status() {
        status if status.is_success() => {
            let body = stream::beginning(response, MOST_BODY).await;
            Ok(SiteRules::read(&String::from_utf8_lossy(&body)))
        }
        status if status.is_server_error() => Err(unreachable(format!("it answered {}", status.as_u16()))),
        // If the file does not exist or may not be read, nothing is forbidden.
        _ => Ok(SiteRules::default()),
    }
}

fn next(response: &Response, from: &Url) -> Option<Url> {
    let place = response.headers().get(LOCATION).map(HeaderValue::to_str)?.ok()?;
    from.join(place).ok().filter(|next| matches!(next.scheme(), "http" | "https"))
}

/// The rules of a site for this program; none if everything is allowed.
#[derive(Debug, Default, PartialEq, Eq)]
struct SiteRules(Vec<SiteRule>);

#[derive(Debug, PartialEq, Eq)]
struct SiteRule {
    allows: bool,
    /// With `*` and `$` as the standard has them; otherwise as [`normal`] writes a path.
    pattern: String,
}

impl SiteRules {
    /// Reads the groups that name this program or, if none does, those for everybody.
    fn read(text: &str) -> Self {
        let (mut own, mut everybodys) = (None, Vec::new());
        let (mut for_us, mut for_all, mut in_rules) = (false, false, false);
        for line in text.trim_start_matches('\u{FEFF}').lines().flat_map(|line| line.split('\r')) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let allows = match key.as_str() {
                "user-agent" => {
                    if std::mem::take(&mut in_rules) {
                        (for_us, for_all) = (false, false);
                    }
                    let name = value.split(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'))).next();
                    for_us |= name.is_some_and(|name| name.eq_ignore_ascii_case(NAME));
                    for_all |= value.starts_with('*');
                    if for_us {
                        own.get_or_insert_default();
                    }
                    continue;
                }
                "allow" => true,
                "disallow" => false,
                _ => continue,
            };
            in_rules = true;
            if value.is_empty() || value.len() > LONGEST_RULE {
                continue;
            }
            let groups = [own.as_mut().filter(|_| for_us), Some(&mut everybodys).filter(|_| for_all)];
            for rules in groups.into_iter().flatten().filter(|rules: &&mut Vec<_>| rules.len() < MOST_RULES) {
                rules.push(SiteRule { allows, pattern: normal(value) });
            }
        }
        Self(own.unwrap_or(everybodys))
    }

    /// Whether a path, with its query, may be asked for: the longest rule that fits it decides; of two equals, the one that allows.
    fn allow(&self, path: &str) -> bool {
        let path = normal(path);
        let fitting = self.0.iter().filter(|rule| fits(&rule.pattern, &path));
        fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
    }
}

/// A path as it is compared: what need not be escaped is not, everything else is, in capitals.
fn normal(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|code| *first == b'%' && code.iter().all(u8::is_ascii_hexdigit));
        let escaped = code.and_then(|code| u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
        let (byte, plain) = match escaped {
            Some(byte) => (byte, byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)),
            None => (*first, first.is_ascii()),
        };
        rest = escaped.map_or(after, |_| after.get(2..).unwrap_or_default());
        if plain {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Whether a pattern fits the beginning of a path, or all of it if it ends with `$`. Each star takes as little as it can.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = pattern.strip_suffix('$').map_or((pattern, false), |start| (start, true));
    let Some((first, behind)) = pattern.split_once('*') else {
        return if whole { path == pattern } else { path.starts_with(pattern) };
    };
    // The last piece of a pattern with an end stands at the end of the path.
    let (between, last) = if whole { behind.rsplit_once('*').unwrap_or(("", behind)) } else { (behind, "") };
    let Some(begun) = path.strip_prefix(first) else { return false };
    let rest = between.split('*').try_fold(begun, |rest, piece| rest.split_once(piece).map(|(_, rest)| rest));
    rest.is_some_and(|rest| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn allows(robots: &str, path: &str) -> bool {
        SiteRules::read(robots).allow(path)
    }

    #[test]
    fn the_standards_own_example_is_read_as_it_says() {
        // RFC 9309, section 5.1, with this program's name in place of an example's.
        let robots = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
                      User-Agent: copydesk\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
                      User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n\nEOF\n";
        for (path, allowed) in
            [("/", false), ("/example/page.html", true), ("/example/allowed.gif", true), ("/publications/", false)]
        {
            assert_eq!(allows(robots, path), allowed, "{path}");
        }
        let others = robots.replace("copydesk", "foobot");
        for (path, allowed) in
            [("/", true), ("/a.gif", false), ("/a.gif?x", true), ("/example/a", false), ("/publications/", true)]
        {
            assert_eq!(allows(&others, path), allowed, "{path}");
        }
        // The longest rule decides (section 5.2), and of two equals the one that allows.
        let longest = "User-Agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
        assert!(allows(longest, "/example/page/x") && !allows(longest, "/example/page/disallowed.gif"));
        assert!(allows("user-agent: *\ndisallow: /a\nallow: /a", "/a"));
    }

    #[test]
    fn a_group_for_this_program_comes_before_that_for_everybody() {
        let robots = "User-agent: *\r\nDisallow: /\r\nUser-agent: other\nUser-agent: CopyDesk/1.0 # us\nDisallow: /private\nSitemap: /s\nDisallow: /old";
        assert!(allows(robots, "/news") && !allows(robots, "/private/x") && !allows(robots, "/old"));
        let nothing = "User-agent: *\nDisallow: /\n\nUser-agent: copydesk\nDisallow:\n";
        assert!(allows(nothing, "/x"), "an empty rule forbids nothing");
        for odd in [
            "",
            "<html>not found</html>",
            "Disallow: /",
            "user-agent\ndisallow: /",
            "\u{FEFF}User-agent: x\nDisallow: /",
        ] {
            assert!(allows(odd, "/x"), "{odd}");
        }
        assert!(!allows("\u{FEFF}User-agent: *\rDisallow: /", "/x"));
    }

    #[test]
    fn stars_ends_and_escapes_fit_as_the_standard_has_them() {
        for (pattern, path, fit) in [
            ("/a*b", "/axxb/c", true),
            ("/a*b$", "/axxb/c", false),
            ("/a*b$", "/ab/b", true),
            ("/*.php$", "/x.php?y.php", true),
            ("/$", "/", true),
            ("/$", "/x", false),
            ("*", "/x", true),
            ("/a%3cd.html", "/a%3Cd.html", true),
            ("/%7Ejoe/", "/~joe/", true),
            ("/é", "/%C3%A9", true),
            ("/a%2fb", "/a/b", false),
            ("/a*******b", "/a", false),
        ] {
            assert_eq!(fits(&normal(pattern), &normal(path)), fit, "{pattern} {path}");
        }
    }

    #[test]
    fn a_file_that_is_written_to_be_slow_takes_no_time() {
        let robots = format!("user-agent: *\n{}", format!("disallow: /{}\n", "a*".repeat(120)).repeat(2_000));
        let path = format!("/{}", "a".repeat(100) + &"b".repeat(1_900));
        let began = std::time::Instant::now();
        assert!(allows(&robots, &path));
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }

    proptest! {
        #[test]
        fn no_file_and_no_path_is_too_strange(robots in "(user-agent: \\*\n)?(disallow: )?\\PC*", path in "/\\PC*") {
            let _ = allows(&robots, &path);
        }
    }
}
