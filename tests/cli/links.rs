//! The links of the papers: each leads to a file of the repository and, if it names one, to a heading of that file. The pages of docs/ are
//! a book by themselves, so they link to nothing outside it, and its table of contents has each of them. The files and folders that the
//! papers for engineers name exist.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn root() -> PathBuf {
    fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap()
}

/// The folders and files below a folder, but for what is built.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            all.extend(all_in(&path));
        }
        all.push(path);
    }
    all
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    all_in(folder).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// The files and folders that a page names in its text; those with a place for a name, such as `<name>.md`, are left out.
fn named_paths(page: &str) -> BTreeSet<String> {
    let code = Parser::new_ext(page, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Code(text) => Some(text.trim_end_matches('/').to_owned()),
        _ => None,
    });
    let is_path = |text: &String| {
        let ending = Path::new(text)
            .extension()
            .is_some_and(|ending| ["rs", "md", "sql", "template"].map(Some).contains(&ending.to_str()));
        (text.contains('/') || ending) && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    code.filter(is_path).collect()
}

/// The named paths that are not there. A crate's own path may stand for it (`core/desk/driver.rs`), and so may a path's end (`driver.rs`).
fn not_there(page: &str) -> Vec<String> {
    /// A made-up rule, and what a build makes.
    const OTHERS: [&str; 2] = ["share.rs", "target/debug/copydesk"];
    let root = root();
    let all: Vec<String> = all_in(&root)
        .iter()
        .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"))
        .map(|path| path.replacen("crates/copydesk-", "crates/", 1).replacen("/src/", "/", 1))
        .collect();
    let is_there = |named: &str| {
        let own = named.replacen("crates/copydesk-", "crates/", 1).replacen("/src/", "/", 1);
        all.iter().any(|path| *path == own || path.ends_with(&format!("/{own}")))
    };
    named_paths(page).into_iter().filter(|named| !OTHERS.contains(&&**named) && !is_there(named)).collect()
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
fn each_path_that_the_papers_for_engineers_name_exists() {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let named = fs::read_to_string(root().join(page)).unwrap();
        assert_eq!(not_there(&named), Vec::<String>::new(), "{page}");
    }
    let told =
        not_there("`core/desk/driver.rs`, `driver.rs`, `src/main.rs`, `core/desk/shift/`, `gone.rs`, `<name>.md`");
    assert_eq!(told, ["core/desk/shift", "gone.rs"]);
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
