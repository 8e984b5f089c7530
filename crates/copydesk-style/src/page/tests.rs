//! Articles of plain and of strange Markdown.

use proptest::prelude::*;

use super::*;

fn article(body: &str) -> ArticleResponse {
    ArticleResponse {
        headline: "A headline".into(),
        alternativeHeadline: String::new(),
        articleBody: body.into(),
        description: "What it says.".into(),
    }
}

fn body(text: &str) -> Vec<(BlockKind, String)> {
    let article = article(text);
    let blocks = ProsePage::new(&article).blocks;
    blocks
        .into_iter()
        .filter(|block| block.field == "articleBody")
        .map(|block| (block.kind, block.prose.text))
        .collect()
}

#[test]
fn markdown_is_taken_off_and_what_is_nobodys_prose_is_closed() {
    assert_eq!(
        body(
            "## A *new* ramp\n\nShe said “it is\nvery late” at https://example.org/very today.[^1]\nRun `very` & [read](x.md).\n\n\
             - one\n- two\n\n> cited\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nvery\n```\n\n[^1]: A very long note.\n"
        ),
        [
            (BlockKind::Heading(2), "A new ramp".to_owned()),
            (BlockKind::Paragraph, "She said “\u{FFFC}” at \u{FFFC} today. Run \u{FFFC} & read.".to_owned()),
            (BlockKind::Item, "one".to_owned()),
            (BlockKind::Item, "two".to_owned()),
            (BlockKind::Quoted, "cited".to_owned()),
            (BlockKind::Header, "a".to_owned()),
            (BlockKind::Header, "b".to_owned()),
            (BlockKind::Cell, "c".to_owned()),
            (BlockKind::Cell, "d".to_owned()),
        ]
    );
}

#[test]
fn a_stretch_of_prose_knows_its_place_in_the_field() {
    let text = "It is *very* unique &amp; “quite so” he\nsaid.";
    let article = article(text);
    let page = ProsePage::new(&article);
    let block = page.blocks.last().unwrap();
    let at = |words: &str| {
        let start = block.prose.text.find(words).unwrap();
        text.get(block.prose.place(&(start..start + words.len()))).unwrap()
    };
    assert_eq!(at("very unique"), "very* unique");
    assert_eq!(at("& “\u{FFFC}”"), "&amp; “quite so”");
    assert_eq!(at("he said"), "he\nsaid");
    assert_eq!(at("\u{FFFC}"), "quite so");
}

#[test]
fn sentences_end_inside_quotations_too() {
    let article = article("“It is late.” She left. He *stayed*.");
    let page = ProsePage::new(&article);
    let block = page.blocks.last().unwrap();
    let texts: Vec<&str> = block.sentences.iter().map(|range| block.prose.text.get(range.clone()).unwrap()).collect();
    assert_eq!(texts, ["“\u{FFFC}”", "She left.", "He stayed."]);
}

proptest! {
    #[test]
    fn every_place_is_one_of_the_field(text in "\\PC*|([a-z]{1,4}|[*_`“”\"\\[\\]()#>|&;:/.-]| |\n|https://a\\.b|[^1]){0,60}") {
        let article = article(&text);
        let page = ProsePage::new(&article);
        for block in &page.blocks {
            let field = page.text(block.field);
            for (at, c) in block.prose.text.char_indices() {
                let place = block.prose.place(&(at..at + c.len_utf8()));
                prop_assert!(field.get(place).is_some());
            }
            for sentence in &block.sentences {
                prop_assert!(block.prose.text.get(sentence.clone()).is_some());
                prop_assert!(field.get(block.prose.place(sentence)).is_some());
            }
        }
    }
}
