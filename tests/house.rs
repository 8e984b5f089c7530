//! Keeps what the compiler cannot: circles of files, names of types, types of errors, who may speak SQL or open connections.
//!
//! Every file of `src/` and of `crates/` is parsed, its paths are resolved to the files that define what they name, and code behind `#[cfg(test)]` is
//! left out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets the unexpected should stop there and say so")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use syn::{
    Attribute, Field, GenericArgument, Item, ItemUse, PathArguments, Signature, Type, UseTree, Visibility,
    visit::{self, Visit},
};

#[path = "support/strings.rs"]
mod strings;

/// A module: its path from the root of the crate, such as `["proof", "rules"]`.
type ModulePath = Vec<String>;

/// One file of `src/` or of a crate.
struct Source {
    /// Its path below `src/`, or its room and its path in the crate of that room: `text/words.rs`.
    name: String,
    module: ModulePath,
    text: String,
    /// The modules that it declares for tests alone.
    tests: Vec<ModulePath>,
    /// Its imports and re-exports: the name it has here (none for `*`) and the path as written.
    imports: Vec<(Option<String>, Vec<String>)>,
    /// The paths that its code names.
    paths: Vec<Vec<String>>,
    /// The names that it defines; true for those of types that other files see.
    defined: BTreeMap<String, bool>,
    /// The functions, fields and types that have a `Result` whose error is a `String`.
    text_errors: Vec<String>,
}

static HOUSE: LazyLock<House> = LazyLock::new(House::read);

/// All files, with what their modules re-export.
struct House {
    files: Vec<Source>,
    /// The file of each module.
    modules: BTreeMap<ModulePath, usize>,
    /// The imports of a module, by the name that each has there: the full path that was written, made absolute.
    imports: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
    /// The modules whose contents a module imports with `*`.
    globs: BTreeMap<ModulePath, Vec<ModulePath>>,
    /// The rooms that are crates of their own.
    crates: BTreeSet<String>,
}

impl House {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut crates = BTreeSet::new();
        let mut files = read_below(&root.join("src"), Path::new(""));
        for entry in fs::read_dir(root.join("crates")).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let own = name.strip_prefix("copydesk-").unwrap();
            files.extend(read_below(&entry.path().join("src"), Path::new(own)));
            crates.insert(own.to_owned());
        }
        Self::of(files, crates)
    }

    fn of(mut files: Vec<Source>, crates: BTreeSet<String>) -> Self {
        let tests: BTreeSet<ModulePath> = files.iter().flat_map(|file| file.tests.clone()).collect();
        files.retain(|file| !tests.iter().any(|test| file.module.starts_with(test)));
        let modules: BTreeMap<_, _> = files.iter().enumerate().map(|(at, file)| (file.module.clone(), at)).collect();
        let mut house = Self { files, modules, imports: BTreeMap::new(), globs: BTreeMap::new(), crates };
        for at in 0..house.files.len() {
            let Some(file) = house.files.get(at) else { continue };
            let module = file.module.clone();
            let mut names = BTreeMap::new();
            let mut globs = Vec::new();
            for (name, path) in &file.imports {
                let Some(path) = house.absolute(&module, path) else { continue };
                match name {
                    Some(name) => drop(names.insert(name.clone(), path)),
                    None => globs.push(path),
                }
            }
            house.imports.insert(module.clone(), names);
            house.globs.insert(module, globs);
        }
        house
    }

    /// A path as it is written in `module`, from the root of the house; none if it leads out of the house.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let mut base = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.truncate(usize::from(base.first().is_some_and(|room| self.crates.contains(room))));
                rest = rest.get(1..)?;
            }
            "self" => rest = rest.get(1..)?,
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    base.pop()?;
                    rest = rest.get(1..)?;
                }
            }
            first if first.strip_prefix("copydesk_").is_some_and(|room| self.crates.contains(room)) => {
                base = vec![first.trim_start_matches("copydesk_").to_owned()];
                rest = rest.get(1..)?;
            }
            first => {
                let mut child = base.clone();
                child.push(first.to_owned());
                if !self.modules.contains_key(&child) {
                    return None;
                }
            }
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that defines what an absolute path names, through re-exports.
    fn file_of(&self, path: &[String], depth: usize) -> Option<usize> {
        let mut module = ModulePath::new();
        for (at, segment) in path.iter().enumerate() {
            let mut child = module.clone();
            child.push(segment.clone());
            if self.modules.contains_key(&child) {
                module = child;
                continue;
            }
            if depth < 8 {
                let rest = path.get(at + 1..).unwrap_or_default();
                let beyond = |target: &ModulePath, more: &[String]| {
                    let full = [target.as_slice(), more, rest].concat();
                    self.file_of(&full, depth + 1)
                };
                if let Some(target) = self.imports.get(&module).and_then(|names| names.get(segment)) {
                    return beyond(target, &[]);
                }
                let defined = self.modules.get(&module).and_then(|file| self.files.get(*file));
                if defined.is_some_and(|file| !file.defined.contains_key(segment)) {
                    for target in self.globs.get(&module).into_iter().flatten() {
                        let file =
                            self.file_of(&[target.as_slice(), std::slice::from_ref(segment)].concat(), depth + 1);
                        if file.is_some_and(|file| {
                            self.files.get(file).is_some_and(|file| file.defined.contains_key(segment))
                        }) {
                            return file;
                        }
                    }
                }
            }
            break;
        }
        self.modules.get(&module).copied()
    }

    /// The files that a file uses. A `pub use` only passes on: the file that names the type through it is the one that uses it.
    fn uses(&self, file: &Source) -> BTreeSet<usize> {
        file.paths
            .iter()
            .filter_map(|path| self.absolute(&file.module, path))
            .filter_map(|path| self.file_of(&path, 0))
            .filter(|used| self.files.get(*used).is_some_and(|used| used.name != file.name))
            .collect()
    }
}

/// The files below a folder, as the room `room` if that is a crate of its own.
fn read_below(folder: &Path, room: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let source = |path: &PathBuf| {
        let inside = room.join(path.strip_prefix(folder).unwrap());
        Source::parse(&inside.display().to_string(), fs::read_to_string(path).unwrap())
    };
    paths.iter().map(source).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// `proof/rules/mod.rs` and `proof/rules.rs` are `proof::rules`; `lib.rs` is the root; `main.rs` stands for itself.
fn module_of(inside: &Path) -> ModulePath {
    let mut parts: ModulePath =
        inside.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts
}

fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

impl Source {
    fn parse(name: &str, text: String) -> Self {
        let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let module = module_of(Path::new(name));
        let mut tests = Vec::new();
        let mut imports = Vec::new();
        let mut defined = BTreeMap::new();
        for item in &syntax.items {
            let (name, attributes, is_type) = match item {
                Item::Mod(item) if for_tests(&item.attrs) => {
                    tests.push([module.as_slice(), &[item.ident.to_string()]].concat());
                    continue;
                }
                Item::Use(item) if !for_tests(&item.attrs) => {
                    imports.extend(leaves(&item.tree));
                    continue;
                }
                Item::Const(item) => (&item.ident, &item.attrs, None),
                Item::Fn(item) => (&item.sig.ident, &item.attrs, None),
                Item::Static(item) => (&item.ident, &item.attrs, None),
                Item::Struct(item) => (&item.ident, &item.attrs, Some(&item.vis)),
                Item::Enum(item) => (&item.ident, &item.attrs, Some(&item.vis)),
                Item::Trait(item) => (&item.ident, &item.attrs, Some(&item.vis)),
                Item::Type(item) => (&item.ident, &item.attrs, Some(&item.vis)),
                _ => continue,
            };
            if !for_tests(attributes) {
                let seen = is_type.is_some_and(|visible| !matches!(visible, Visibility::Inherited));
                defined.insert(name.to_string(), seen);
            }
        }
        let mut paths = Paths::default();
        paths.visit_file(&syntax);
        let Paths { found: paths, text_errors, .. } = paths;
        Self { name: name.to_owned(), module, text, tests, imports, paths, defined, text_errors }
    }
}

/// The names of a `use`: the name that each has afterwards (none for `*`) and the path.
fn leaves(tree: &UseTree) -> Vec<(Option<String>, Vec<String>)> {
    match tree {
        UseTree::Path(path) => leaves(&path.tree)
            .into_iter()
            .map(|(name, rest)| (name, [vec![path.ident.to_string()], rest].concat()))
            .map(|(name, path)| match name.as_deref() {
                // `use a::b::{self}` names b.
                Some("self") => {
                    (path.iter().rev().nth(1).cloned(), path.iter().take(path.len() - 1).cloned().collect())
                }
                _ => (name, path),
            })
            .collect(),
        UseTree::Name(name) => vec![(Some(name.ident.to_string()), vec![name.ident.to_string()])],
        UseTree::Rename(rename) => vec![(Some(rename.rename.to_string()), vec![rename.ident.to_string()])],
        UseTree::Glob(_) => vec![(None, Vec::new())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// The paths that a file's code names; re-exports and code for tests are left out.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
    /// The last function, field or type alias that was come to.
    inside: String,
    text_errors: Vec<String>,
}

/// Whether a path is `Result<_, String>`, however it is imported.
fn is_text_error(path: &syn::Path) -> bool {
    let Some(last) = path.segments.last().filter(|last| last.ident == "Result") else { return false };
    let PathArguments::AngleBracketed(its) = &last.arguments else { return false };
    matches!(
        its.args.iter().nth(1),
        Some(GenericArgument::Type(Type::Path(error)))
            if error.path.segments.last().is_some_and(|last| last.ident == "String")
    )
}

impl<'f> Visit<'f> for Paths {
    fn visit_item(&mut self, item: &'f Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => {
                self.inside = item.ident.to_string();
                &item.attrs
            }
            _ => return visit::visit_item(self, item),
        };
        if !for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            self.found.extend(leaves(&item.tree).into_iter().map(|(_, path)| path));
        }
    }

    fn visit_signature(&mut self, signature: &'f Signature) {
        self.inside = signature.ident.to_string();
        visit::visit_signature(self, signature);
    }

    fn visit_field(&mut self, field: &'f Field) {
        self.inside = field.ident.as_ref().map_or_else(|| "a field".to_owned(), ToString::to_string);
        visit::visit_field(self, field);
    }

    fn visit_path(&mut self, path: &'f syn::Path) {
        if is_text_error(path) {
            self.text_errors.push(self.inside.clone());
        }
        if path.segments.len() > 1 {
            self.found.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

#[test]
fn no_files_of_a_crate_form_a_circle() {
    let house = &*HOUSE;
    assert!(house.files.len() > 300, "only {} files were read", house.files.len());
    let uses: Vec<BTreeSet<usize>> = house.files.iter().map(|file| house.uses(file)).collect();
    let circles = circles(&uses);
    let lines: Vec<String> = circles
        .iter()
        .map(|circle| {
            let told = circle.iter().map(|&at| {
                let inside = uses.get(at).into_iter().flatten().filter(|used| circle.contains(used));
                let names: Vec<&str> =
                    inside.filter_map(|&used| house.files.get(used)).map(|file| &*file.name).collect();
                format!("  {} uses {}", house.files.get(at).map_or("", |file| &file.name), names.join(", "))
            });
            format!("a circle of {} files:\n{}", circle.len(), told.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

/// The sets of two and more files that use each other, directly or through others.
fn circles(uses: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let reached = |from: usize| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for &next in uses.get(at).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: Vec<BTreeSet<usize>> = (0..uses.len()).map(reached).collect();
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    for (at, seen) in reach.iter().enumerate() {
        if seen.contains(&at) && !found.iter().any(|circle| circle.contains(&at)) {
            found.push(
                seen.iter().copied().filter(|&other| reach.get(other).is_some_and(|back| back.contains(&at))).collect(),
            );
        }
    }
    found
}

#[test]
fn a_public_type_has_a_name_of_its_own() {
    let house = &*HOUSE;
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in &house.files {
        for (name, _) in file.defined.iter().filter(|(_, is_type)| **is_type) {
            places.entry(name.clone()).or_default().push(&file.name);
        }
    }
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn only_the_store_speaks_sql_and_only_the_egress_makes_requests() {
    for file in &HOUSE.files {
        assert!(file.name.starts_with("store/") || !file.text.contains("rusqlite"), "{} speaks SQL", file.name);
        let requests = file.text.contains("reqwest::Client::") || file.text.contains(".send().await");
        assert!(file.name == "llm/llm/egress.rs" || !requests, "{} makes requests of its own", file.name);
    }
}

#[test]
fn nothing_cites_what_the_repository_does_not_have() {
    for file in &HOUSE.files {
        for paper in ["seed 00", "seed's file", "DESIGN.md"] {
            assert!(!file.text.contains(paper), "{} cites {paper}", file.name);
        }
    }
}

#[test]
fn every_text_of_the_screen_stands_in_the_list_that_a_person_reads() {
    let listed = strings::listed(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let current = include_str!("screen/strings.txt") == listed;
    assert!(current, "write it again: cargo run --example strings > tests/screen/strings.txt");
    for known in ["app/able.rs\n", "  open_story: open a story first\n", "Keys that work here", "possible only {when}"]
    {
        assert!(listed.contains(known), "{known}");
    }
    assert!(!listed.contains("the_page_shows_the_keys_that_work_here"), "texts of tests stand in it");
}

#[test]
fn an_error_is_a_type_and_no_string() {
    let wrong = |files: &[Source]| -> Vec<String> {
        let each = |file: &Source| {
            let name = file.name.clone();
            file.text_errors.clone().into_iter().map(move |place| format!("{name}: {place}"))
        };
        files.iter().flat_map(each).collect()
    };
    let places = wrong(&HOUSE.files);
    assert!(
        places.is_empty(),
        "the error of a `Result` is a `String` here; give it a type with `thiserror`, or `Trouble` if the screen shows it: {places:#?}"
    );
    let planted = Source::parse(
        "a.rs",
        "type Read = Arc<dyn Fn(&str) -> Result<String, String>>;
         struct Page { kept: Option<std::result::Result<u8, String>>, fine: Result<String, PageError> }
         enum News { Found { answer: Result<(), std::string::String> }, Kept(Result<(), String>) }
         trait Reader { fn read(&self) -> Result<Vec<String>, String>; fn fine(&self) -> anyhow::Result<String>; }
         impl Page { async fn turn(self) -> io::Result<Result<u8, String>> { Ok(Ok(1)) } }
         #[cfg(test)] mod tests { fn said() -> Result<u8, String> { Ok(1) } }
         #[cfg(test)] fn said() -> Result<u8, String> { Ok(1) }"
            .into(),
    );
    let found = ["a.rs: Read", "a.rs: kept", "a.rs: answer", "a.rs: a field", "a.rs: read", "a.rs: turn"];
    assert_eq!(wrong(&[planted]), found);
}

#[test]
fn paths_are_resolved_to_the_files_that_define_them() {
    let files = vec![
        Source::parse(
            "a/mod.rs",
            "mod one; mod two; #[cfg(test)] mod tests; pub use one::One; use two::{self, Two as Other};".into(),
        ),
        Source::parse(
            "a/one.rs",
            "pub struct One; use super::two::Two; #[cfg(test)] mod tests { use crate::b; }".into(),
        ),
        Source::parse(
            "a/two.rs",
            "use super::One; pub struct Two; fn f() { crate::b::g(); std::mem::drop(1); }".into(),
        ),
        Source::parse("a/tests.rs", "use crate::b;".into()),
        Source::parse("b.rs", "pub fn g() {}".into()),
        Source::parse("c/lib.rs", "mod inner; pub use inner::Inner;".into()),
        Source::parse("c/inner.rs", "use crate::other::f; pub struct Inner;".into()),
        Source::parse("c/other.rs", "pub fn f() {}".into()),
        Source::parse("d.rs", "use copydesk_c::Inner;".into()),
    ];
    let house = House::of(files, BTreeSet::from(["c".to_owned()]));
    let used = |name: &str| {
        let file = house.files.iter().find(|file| file.name == name).unwrap();
        house.uses(file).into_iter().map(|used| house.files.get(used).unwrap().name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(used("a/mod.rs"), ["a/two.rs"]);
    assert_eq!(used("a/one.rs"), ["a/two.rs"]);
    assert_eq!(used("a/two.rs"), ["a/one.rs", "b.rs"]);
    assert_eq!(used("b.rs"), [""; 0]);
    assert_eq!(used("c/inner.rs"), ["c/other.rs"], "`crate` is the crate of the room");
    assert_eq!(used("d.rs"), ["c/inner.rs"], "through what another crate passes on");
    assert_eq!(house.files.len(), 8, "a module for tests alone is left out");
    let graph: Vec<_> = house.files.iter().map(|file| house.uses(file)).collect();
    assert_eq!(circles(&graph).iter().map(BTreeSet::len).collect::<Vec<_>>(), [2]);
}
