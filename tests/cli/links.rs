//! The links of the papers: each leads to a file of the repository and, if it names one, to a heading of that file. The pages of docs/ are
//! a book by themselves, so they link to nothing outside it, and its table of contents has each of them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn root() -> PathBuf {
    fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap()
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(markdown_in(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files
}

/// The destinations of a page's links and pictures.
fn links(page: &str) -> Vec<String> {
    Parser::new_ext(page, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
            _ => None,
        })
        .collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                    heading.extend(text.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }));
                }
            }
            _ => {}
        }
    }
    anchors
}

/// The broken links of the page at `path`, which may lead nowhere outside `within`.
fn wrong(path: &Path, page: &str, within: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for link in links(page) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = if file.is_empty() { path.to_owned() } else { path.parent().unwrap().join(file) };
        let problem = match fs::canonicalize(&target) {
            Err(_) => "there is no such file",
            Ok(target) if !target.starts_with(within) => "it leads out of the book",
            Ok(target) if !anchor.is_empty() && !anchors(&fs::read_to_string(&target).unwrap()).contains(anchor) => {
                "that page has no such heading"
            }
            Ok(_) => continue,
        };
        wrong.push(format!("{}: {link}: {problem}", path.display()));
    }
    wrong
}

#[test]
fn each_link_of_the_papers_leads_somewhere() {
    let docs = root().join("docs");
    let top =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "tests/newsroom/README.md"];
    let mut problems = Vec::new();
    for path in top.map(|name| root().join(name)) {
        problems.extend(wrong(&path, &fs::read_to_string(&path).unwrap(), &root()));
    }
    for path in markdown_in(&docs) {
        problems.extend(wrong(&path, &fs::read_to_string(&path).unwrap(), &docs));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_table_of_contents_has_each_page() {
    let docs = root().join("docs");
    let contents = docs.join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        links(&fs::read_to_string(&contents).unwrap()).iter().map(|link| docs.join(link)).collect();
    let pages: BTreeSet<PathBuf> = markdown_in(&docs).into_iter().filter(|page| *page != contents).collect();
    assert_eq!(listed, pages);
}

#[test]
fn a_link_that_leads_nowhere_is_told() {
    let path = root().join("docs/README.md");
    let page = "[a](nothing.md) [b](../README.md) [c](reference/rules.md#quotations) [d](reference/rules.md#no-such) [e](#here)\n\n# Here\n";
    let told = wrong(&path, page, &root().join("docs"));
    let ends: Vec<&str> = told.iter().map(|line| line.rsplit(": ").next().unwrap()).collect();
    assert_eq!(
        ends,
        [
            "there is no such file",
            "it leads out of the book",
            "that page has no such heading",
            "that page has no such heading"
        ]
    );
}
