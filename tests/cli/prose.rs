//! The program's own prose, read by its own style engine: README, ARCHITECTURE, CONTRIBUTING and docs/ in plain English
//! (`assets/styles/PlainEnglish`).

use std::{
    fs,
    path::{Path, PathBuf},
};

use copydesk::{
    newsroom::ArticleResponse,
    style::{Dictionary, Readability, Style},
};

/// The most words that a file's sentences may have on average.
const AVERAGE: f64 = 18.0;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown files of a folder and of the folders in it.
fn markdown_in(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            markdown_in(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
}

fn plain_english() -> Style {
    let folder = fs::read_dir(root().join("assets/styles/PlainEnglish")).unwrap();
    let files: Vec<(String, String)> = folder
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (format!("PlainEnglish/{name}"), fs::read_to_string(path).unwrap())
        })
        .collect();
    let style = Style::read(&files).unwrap();
    assert_eq!(style.left_out(), [], "every rule is read");
    style
}

/// A text without its tables, code and headings, each item of a list a paragraph that ends with a stop: what has sentences.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut code = false;
    for line in text.lines() {
        let start = line.trim_start();
        code ^= start.starts_with("```");
        if code || start.starts_with(['|', '#', '`', '!']) {
            continue;
        }
        let number = start.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = start.starts_with("- ") || (number.len() < start.len() && number.starts_with(". "));
        if (item || start.is_empty()) && !prose.trim_end().is_empty() && !prose.trim_end().ends_with(['.', '?', '!']) {
            prose.truncate(prose.trim_end().trim_end_matches(':').len());
            prose.push('.');
        }
        if item {
            prose.push('\n');
        }
        prose.push_str(line);
        prose.push('\n');
    }
    prose
}

/// The problems of a text, each with its line.
fn problems(style: &Style, name: &str, text: &str) -> Vec<String> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: text.to_owned(),
        description: String::new(),
    };
    let mut problems: Vec<String> = style
        .judge(&article, &Dictionary::default())
        .into_iter()
        .map(|note| {
            let line = 1 + text[..note.start].matches('\n').count();
            let found: String = note.text.chars().take(60).collect();
            format!("{name}:{line}: {}: {} {found:?}", note.rule, note.message)
        })
        .collect();
    let article = ArticleResponse { articleBody: prose(text), ..article };
    if let Some(Readability { words, sentences, .. }) = Readability::of(&article) {
        let number = |count: usize| f64::from(u32::try_from(count).unwrap());
        let average = number(words) / number(sentences.max(1));
        if average > AVERAGE {
            problems.push(format!("{name}: its sentences have {average:.1} words on average; {AVERAGE} is the most"));
        }
    }
    problems
}

#[test]
fn the_papers_are_in_plain_english() {
    let mut files: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].iter().map(|name| root().join(name)).collect();
    files.retain(|file| file.is_file());
    markdown_in(&root().join("docs"), &mut files);
    files.sort();
    let style = plain_english();
    let mut all = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        all.extend(problems(&style, &name, &fs::read_to_string(&file).unwrap()));
    }
    assert!(all.is_empty(), "{} places to rewrite:\n{}", all.len(), all.join("\n"));
}

/// A text of which only comments that begin with one of `marks` are left, each on its line.
fn comments(text: &str, marks: &[&str]) -> String {
    let mut left = String::new();
    for line in text.lines() {
        let comment = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
        // A comment of another kind ends a paragraph, as a line of code does.
        left.push_str(comment.unwrap_or_default().trim_start());
        left.push('\n');
    }
    left
}

/// A template in which each explained key of a list (`#   key: …`, indented below its sentence) is an item of Markdown. Otherwise the
/// keys of a list, which begin in lower case, are read as one sentence.
fn keys_as_items(template: &str) -> String {
    let is_key = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let item = |line: &str| {
        let (before, rest) = line.split_once("#   ")?;
        let listed = before.trim().is_empty() && rest.split_once(": ").is_some_and(|(key, _)| is_key(key));
        listed.then(|| format!("# - {rest}\n"))
    };
    template.lines().map(|line| item(line).unwrap_or_else(|| format!("{line}\n"))).collect()
}

fn code_in(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            code_in(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn what_the_code_and_the_configuration_say_is_in_plain_english() {
    let style = plain_english();
    let template = fs::read_to_string(root().join("config/config.yaml.template")).unwrap();
    let mut all = problems(&style, "config/config.yaml.template", &comments(&keys_as_items(&template), &["#"]));
    let mut files = Vec::new();
    code_in(&root().join("src"), &mut files);
    code_in(&root().join("crates"), &mut files);
    files.sort();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let text = comments(&fs::read_to_string(&file).unwrap(), &["///", "//!", "//"]);
        all.extend(problems(&style, &name, &text));
    }
    assert!(all.is_empty(), "{} places to rewrite:\n{}", all.len(), all.join("\n"));
}

#[test]
fn a_riddle_is_told_with_its_line() {
    let style = plain_english();
    let text = "# Head\n\nThis is what it reads.\n\nIn order to begin, type a name, where there is one.\n\nThe proof sheet is open.\n";
    let told = problems(&style, "x.md", text);
    for (line, rule) in [(3, "Inverted"), (5, "Wordy"), (5, "WhereIf"), (7, "OneWord")] {
        assert!(
            told.iter().any(|note| note.starts_with(&format!("x.md:{line}: PlainEnglish.{rule}"))),
            "{rule}: {told:#?}"
        );
    }
    assert_eq!(
        problems(&style, "x.md", "The program reads a draft. If it finds a mistake, it says where.\n"),
        [] as [&str; 0]
    );
    let long = "word ".repeat(31);
    assert!(problems(&style, "x.md", &long)[0].contains("SentenceLength"));
    let listed = |words: usize| {
        let item = "word ".repeat(words);
        let template = format!("  # Each has two keys:\n  #   one_key: {item}\n  #   other: {item}\n  other: null\n");
        problems(&style, "x", &comments(&keys_as_items(&template), &["#"]))
    };
    assert_eq!(listed(20), [] as [&str; 0], "an item ends where the next begins");
    assert!(listed(31)[0].contains("SentenceLength"), "a long item is told");
}
