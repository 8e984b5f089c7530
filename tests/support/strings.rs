//! Every text in the code of the screen, with its file and function, for tests/screen/strings.txt.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use syn::{
    LitStr,
    buffer::{Cursor, TokenBuffer},
};

/// The code that shows texts on the screen: its pages, and the refusals, remarks and notes of the rooms below it.
const PLACES: &[&str] = &[
    "crates/copydesk-tui/src",
    "crates/copydesk-core/src/editorial/choices",
    "crates/copydesk-core/src/editorial/consent.rs",
    "crates/copydesk-core/src/editorial/gate.rs",
    "crates/copydesk-core/src/editorial/next_steps.rs",
    "crates/copydesk-core/src/editorial/remarks.rs",
    "crates/copydesk-core/src/editorial/reopening.rs",
    "crates/copydesk-core/src/editorial/silence.rs",
    "crates/copydesk-core/src/editorial/topic_file.rs",
    "crates/copydesk-core/src/editorial/vouching.rs",
    "crates/copydesk-newsroom/src/claim.rs",
    "crates/copydesk-newsroom/src/listed_run.rs",
    PROOF,
    "src/cli/intake",
];

/// The notes of the proof stand between lists of words.
const PROOF: &str = "crates/copydesk-proof/src/rules";

/// The list: a heading for each file, below it a line for each text, after the name of its function.
pub fn listed(root: &Path) -> io::Result<String> {
    let mut page = String::from(
        "Every text of the screen that has two words or more, by file and function. docs/KEYS.md has the titles and sentences of the actions.\n\
         Made by a command: cargo run --example strings > tests/screen/strings.txt\n",
    );
    for place in PLACES {
        let mut files = Vec::new();
        collect(&root.join(place), &mut files)?;
        files.sort();
        for file in files {
            let mut texts = Vec::new();
            let code = fs::read_to_string(&file)?;
            let tokens = TokenBuffer::new2(code.parse().map_err(|error| io::Error::other(format!("{error}")))?);
            read(tokens.begin(), "", &mut texts);
            if *place == PROOF {
                texts.retain(|(_, text)| text.ends_with('.'));
            }
            texts.dedup();
            if texts.is_empty() {
                continue;
            }
            let name = file.strip_prefix(root).unwrap_or(&file).display().to_string().replace('\\', "/");
            let _ = writeln!(page, "\n{name}");
            for (function, text) in texts {
                let _ = writeln!(page, "  {function}: {text}");
            }
        }
    }
    Ok(page)
}

/// The files of a folder, without those of tests and of the made-up stories that tests show.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if path.is_dir() && !matches!(name, "tests" | "testing") {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|ending| ending == "rs")
        && !matches!(name, "tests.rs" | "actions.rs")
        && path.is_file()
    {
        files.push(path.to_owned());
    }
    Ok(())
}

/// How many words a text has beside what is put into it.
fn words(text: &str) -> usize {
    let pieces = text.split(['{', '}']).step_by(2);
    let has_letter = |word: &&str| word.chars().any(char::is_alphabetic);
    pieces.flat_map(str::split_whitespace).filter(has_letter).count()
}

/// Adds the texts of the tokens. What a `#[cfg(test)]` stands before is left out, up to its end.
fn read(mut at: Cursor<'_>, function: &str, texts: &mut Vec<(String, String)>) {
    let mut function = function.to_owned();
    let (mut skips, mut is_name, mut is_attribute) = (false, false, false);
    while !at.eof() {
        if let Some((inside, delimiter, _, next)) = at.any_group() {
            let holds = inside.token_stream().to_string().replace(' ', "");
            if is_attribute {
                // A message of an error type stands in an attribute.
                if holds.starts_with("error(") {
                    read(inside, &function, texts);
                }
                skips |= holds.starts_with("cfg(") && holds.contains("test");
            } else if skips {
                skips = format!("{delimiter:?}") != "Brace";
            } else {
                read(inside, &function, texts);
            }
            (is_attribute, at) = (false, next);
        } else if let Some((literal, next)) = at.literal() {
            if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string())
                && !skips
                && words(&text.value()) > 1
            {
                texts.push((function.clone(), text.value().replace('\n', "↵")));
            }
            at = next;
        } else if let Some((ident, next)) = at.ident() {
            if is_name {
                function = ident.to_string();
            }
            is_name = ["fn", "const", "enum", "struct"].iter().any(|keyword| ident == keyword);
            at = next;
        } else if let Some((punct, next)) = at.punct() {
            skips &= punct.as_char() != ';';
            is_attribute = punct.as_char() == '#' || (is_attribute && punct.as_char() == '!');
            at = next;
        } else if let Some((_, next)) = at.lifetime() {
            at = next;
        } else {
            break;
        }
    }
}
