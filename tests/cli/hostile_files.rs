//! Files that attack whoever reads them: those that end their reader, those that show a reader one thing and the program another, and
//! those that are no files. The real binary, with its real readers.

use std::process::Command;

#[cfg(feature = "pdf")]
use crate::support::documents::pdf;
use crate::support::{documents::docx, newsroom::Newsroom};

const DRAFT: &str = "# Council votes\n\nThe council voted to spend $1.8 million on the park.\n";

fn desk() -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    newsroom.write("draft.md", DRAFT.as_bytes());
    newsroom
}

/// A PDF with more objects, from number 6 on, that its page names as `resource` and uses by `operators`.
#[cfg(feature = "pdf")]
fn with_objects(resource: &str, operators: &str, objects: &[String]) -> Vec<u8> {
    let text = String::from_utf8(pdf(&["The council spent $1.8 million on the park."])).unwrap();
    let body = text
        .split("xref\n")
        .next()
        .unwrap()
        .replace("/Resources << /Font", &format!("/Resources << {resource} /Font"))
        .replace("BT /F1", &format!("{operators} BT /F1"));
    let numbered = (6..).zip(objects).map(|(number, object)| format!("{number} 0 obj\n{object}\nendobj\n"));
    let objects: String = numbered.collect();
    format!("{body}{objects}trailer << /Size 99 /Root 1 0 R >>\n").into_bytes()
}

#[cfg(feature = "pdf")]
fn stream(dictionary: &str, content: &str) -> String {
    format!("<< {dictionary} /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// A PDF whose page needs a function of PostScript that is nested this deep.
#[cfg(feature = "pdf")]
fn nested(depth: usize) -> Vec<u8> {
    let function = format!("{}{}", "{".repeat(depth), "}".repeat(depth));
    let function = stream("/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]", &function);
    with_objects("/ColorSpace << /C [/Separation /Spot /DeviceRGB 6 0 R] >>", "/C cs 1 scn", &[function])
}

/// A PDF whose page needs a function that names the next one twice, `depth` times over.
#[cfg(all(feature = "pdf", target_os = "linux"))]
fn doubling(depth: usize) -> Vec<u8> {
    functions(depth, |next| format!("/Functions [{next} 0 R {next} 0 R] /Bounds [0.5] /Encode [0 1 0 1]"))
}

/// A PDF whose page needs a function that names the next one, `depth` times over.
#[cfg(all(feature = "pdf", target_os = "linux"))]
fn chain(depth: usize) -> Vec<u8> {
    functions(depth, |next| format!("/Functions [{next} 0 R] /Bounds [] /Encode [0 1]"))
}

#[cfg(all(feature = "pdf", target_os = "linux"))]
fn functions(depth: usize, names: impl Fn(usize) -> String) -> Vec<u8> {
    let function = |next| format!("<< /FunctionType 3 /Domain [0 1] {} >>", names(next));
    let mut functions: Vec<String> = (7..7 + depth).map(function).collect();
    functions.push("<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >>".to_owned());
    with_objects("/ColorSpace << /C [/Separation /Spot /DeviceRGB 6 0 R] >>", "/C cs 1 scn", &functions)
}

/// A PDF whose page draws a form that draws the next one twelve times, `depth` times over.
#[cfg(all(feature = "pdf", target_os = "linux"))]
fn forms(depth: usize) -> Vec<u8> {
    let form = |next: usize| {
        let dictionary =
            format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {next} 0 R >> >>");
        stream(&dictionary, &"/X Do ".repeat(12))
    };
    let mut forms: Vec<String> = (7..7 + depth).map(form).collect();
    forms.push(stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 0 1 1 re f"));
    with_objects("/XObject << /X 6 0 R >>", "/X Do", &forms)
}

/// A PDF that says the figure where these operators hide it.
#[cfg(feature = "pdf")]
fn hiding(operators: &str) -> Vec<u8> {
    const LONG: usize = 60;
    let place = "@".repeat(LONG);
    let text = String::from_utf8(pdf(&[&format!("The council voted on the park.\n{place}")])).unwrap();
    let hidden = format!(") Tj {operators} (It is $1.8 million.");
    assert!(hidden.len() <= LONG, "the file's lengths stay true");
    text.replace(&place, &format!("{hidden:<LONG$}")).into_bytes()
}

#[cfg(all(feature = "pdf", target_os = "linux"))]
#[test]
fn a_file_that_stops_its_reader_is_named_and_left_alone_and_the_others_are_read() {
    let newsroom = desk();
    newsroom.write("nested.pdf", &nested(300_000));
    newsroom.write("notes.html", b"<p>The council spent $1.8 million on the park.</p>");
    let checked = newsroom.run(&["check", "draft.md", "--source", "nested.pdf"]);
    assert_eq!(checked.code, 2, "{}{}", checked.out, checked.err);
    assert!(checked.err.contains("nested.pdf: its reader stopped"), "{}", checked.err);
    newsroom.write("data/knowledgebase/nested.pdf", &nested(300_000));
    newsroom.write("data/knowledgebase/notes.html", b"<p>The council spent $1.8 million on the park.</p>");
    let first = newsroom.run(&["kb", "index"]);
    assert!(first.out.starts_with("1 file read"), "{}{}", first.out, first.err);
    assert!(first.err.contains("nested.pdf: its reader stopped"), "{}", first.err);
    let again = newsroom.run(&["kb", "index"]);
    assert!(again.err.contains("It is not read again until it changes"), "{}", again.err);
    let status = newsroom.run(&["kb", "status"]);
    assert!(status.out.contains("nested.pdf stopped its reader and is left alone"), "{}", status.out);
    let asked = newsroom.run(&["kb", "index", "--again"]);
    assert!(!asked.err.contains("not read again"), "{}", asked.err);
}

#[cfg(all(feature = "pdf", target_os = "linux"))]
#[test]
fn a_small_file_that_would_be_read_for_ever_is_given_up_in_its_time() {
    let newsroom = desk();
    newsroom.write("doubling.pdf", &doubling(60));
    newsroom.write("forms.pdf", &forms(14));
    newsroom.write("chain.pdf", &chain(20_000));
    newsroom.write("small.pdf", &forms(1));
    let read = newsroom.run(&["check", "draft.md", "--source", "small.pdf"]);
    assert!(!read.err.contains("small.pdf"), "what is small is read: {}", read.err);
    std::thread::scope(|scope| {
        for (file, says) in [
            ("chain.pdf", "its reader stopped"),
            ("doubling.pdf", "reading it took too long, and was stopped"),
            ("forms.pdf", "reading it took too long, and was stopped"),
        ] {
            let newsroom = &newsroom;
            scope.spawn(move || {
                let checked = newsroom.run(&["check", "draft.md", "--source", file]);
                assert_eq!(checked.code, 2, "{file}: {}{}", checked.out, checked.err);
                assert!(checked.err.contains(&format!("{file}: {says}")), "{}", checked.err);
            });
        }
    });
}

#[test]
fn what_nobody_sees_is_no_witness_and_is_named() {
    let white = "<w:p><w:r><w:rPr><w:color w:val=\"FFFFFF\"/><w:sz w:val=\"2\"/></w:rPr><w:t>It is $1.8 million.</w:t></w:r></w:p>";
    let shown = "<w:p><w:r><w:t>The council voted on the park.</w:t></w:r></w:p>";
    let files = [
        ("a.html", b"<p>The council voted on the park.</p><p style='color:#fff'>It is $1.8 million.</p>".to_vec()),
        ("b.html", b"<p>The council voted on the park.</p><p style='font-size:0'>It is $1.8 million.</p>".to_vec()),
        ("c.md", b"The council voted on the park. <!-- It is $1.8 million. -->".to_vec()),
        ("d.md", b"The council voted on the [park](http://a.example \"It is $1.8 million.\").".to_vec()),
        ("e.docx", docx(&format!("{shown}{white}"))),
        #[cfg(feature = "pdf")]
        ("white.pdf", hiding("1 1 1 rg")),
        #[cfg(feature = "pdf")]
        ("tiny.pdf", hiding("/F1 0.01 Tf")),
        #[cfg(feature = "pdf")]
        ("outside.pdf", hiding("0 -2000 Td")),
        #[cfg(feature = "pdf")]
        ("invisible.pdf", hiding("3 Tr")),
    ];
    for (name, bytes) in files {
        let newsroom = desk();
        newsroom.write(name, &bytes);
        let checked = newsroom.run(&["check", "draft.md", "--source", name, "--all"]);
        assert!(!checked.out.contains("MATCHES number"), "{name}: {}", checked.out);
        assert!(checked.err.contains(&format!("hidden text in {name}")), "{name}: {}", checked.err);
        newsroom.write(&format!("data/knowledgebase/{name}"), &bytes);
        newsroom.ran(&["kb", "index"]);
        let status = newsroom.ran(&["kb", "status"]);
        assert!(status.out.contains(&format!("Hidden text in {name}")), "{name}: {}", status.out);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_by_name() {
    let newsroom = desk();
    newsroom.write("notes.txt", b"The council voted on the park.");
    let pipe = newsroom.path().join("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let source = newsroom.run(&["check", "draft.md", "--source", "pipe.txt"]);
    assert!(source.code == 2 && source.err.contains("it is a pipe"), "{}", source.err);
    let draft = newsroom.run(&["check", "pipe.txt", "--source", "notes.txt"]);
    assert!(draft.code == 2 && draft.err.contains("it is a pipe"), "{}", draft.err);
    for (config, what) in [("pipe.txt", "it is a pipe"), ("/dev/zero", "it is a device")] {
        let refused = newsroom.run(&["list", "--config", config]);
        assert!(refused.code == 2 && refused.err.contains(what), "{}", refused.err);
    }
    // A file that the configuration names is read by the same rule.
    let zero = newsroom.path().join("zero");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    newsroom.write("lists/words.txt", b"murder");
    for (irregular, what) in [(&pipe, "it is a pipe"), (&zero, "it is a device")] {
        let link = |to: &str| {
            let to = newsroom.path().join(to);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            // The file of the pass before.
            let _ = std::fs::remove_file(&to);
            std::os::unix::fs::symlink(irregular, &to).unwrap();
        };
        let named = |from: &str, to: String| {
            let yaml = newsroom.read("config/config.yaml");
            assert!(yaml.contains(from), "{from}");
            let changed = yaml.replacen(from, &to, 1);
            newsroom.write("config/other.yaml", changed.as_bytes());
            newsroom.run(&["doctor", "--config", "config/other.yaml"])
        };
        link("lists/words.txt");
        let words = named("word_list: null", "word_list: ./lists/words.txt".into());
        assert!(words.out.contains(what), "the word list: {}{}", words.out, words.err);
        link("mine/article_editor/writer.md");
        let yaml = newsroom.read("config/config.yaml");
        let root = yaml.lines().find(|line| line.trim_start().starts_with("root_dir:")).unwrap().to_owned();
        let prompt = named(&root, "      root_dir: ./mine/article_editor".into()).out;
        let llm = newsroom.read("config/other.yaml").replace("engine: offline", "engine: llm");
        newsroom.write("config/other.yaml", llm.as_bytes());
        let told = newsroom.run(&["doctor", "--config", "config/other.yaml"]);
        assert!(
            told.out.contains("writer.md") && told.out.contains(what),
            "the prompt: {prompt}{}{}",
            told.out,
            told.err
        );
        link("mine/styles/NATURE_NEWS.md");
        let told = newsroom.run(&["doctor", "--config", "config/other.yaml"]);
        let style = format!("mine/styles/NATURE_NEWS.md: {what}");
        assert!(told.out.contains(&style), "the style: {}{}", told.out, told.err);
    }
    let record = newsroom.run(&["memory", "import", "pipe.txt"]);
    assert!(record.code != 0 && record.err.contains("it is"), "{}", record.err);
}

#[cfg(target_os = "linux")]
#[test]
fn doctor_says_what_limits_the_readers() {
    let newsroom = desk();
    let told = newsroom.run(&["doctor"]);
    let line = told.out.lines().find(|line| line.contains("reading files")).unwrap_or_default();
    assert!(line.contains("in a process of its own: memory at most 512 MB"), "{}{}", told.out, told.err);
}
