//! Word documents, made here.

use std::io::Cursor;

use super::*;
use crate::MOST_TEXT;
use crate::hidden::Rgb;
use crate::tests::made::docx;

fn read_document(bytes: &[u8]) -> Result<String, Unreadable> {
    read(bytes, &mut Vec::new(), &mut Hidden::default())
}

#[test]
fn what_nobody_sees_is_set_apart() {
    let run = |properties: &str, text: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>");
    for properties in [
        "<w:color w:val=\"FFFFFF\"/><w:sz w:val=\"2\"/>",
        "<w:color w:val=\"FFFFFF\"/>",
        "<w:color w:themeColor=\"background1\"/>",
        "<w:sz w:val=\"2\"/>",
        "<w:vanish/>",
        "<w:color w:val=\"000000\"/><w:shd w:val=\"clear\" w:fill=\"000000\"/>",
    ] {
        let body = format!("<w:p>{}{}{}</w:p>", run("", "They met"), run(properties, " not &amp; so"), run("", "."));
        let mut hidden = Hidden::default();
        assert_eq!(read(&docx(&body), &mut Vec::new(), &mut hidden).as_deref(), Ok("\nThey met.\n"), "{properties}");
        let found = hidden.into_list();
        assert!(found.len() == 1 && found[0].text == "not & so", "{properties}: {found:?}");
    }
    for seen in [
        "<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"003366\"/>",
        "<w:color w:val=\"FFFFFF\"/><w:highlight w:val=\"black\"/>",
        "<w:color w:val=\"auto\"/><w:vanish w:val=\"0\"/><w:sz w:val=\"8\"/>",
    ] {
        let body = format!("<w:p>{}</w:p>", run(seen, "They met."));
        assert_eq!(read_document(&docx(&body)).as_deref(), Ok("\nThey met.\n"), "{seen}");
    }
    let cell = "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill=\"000000\"/></w:tcPr><w:p>";
    let body = format!("{cell}{}</w:p></w:tc></w:tr></w:tbl>", run("<w:color w:val=\"FFFFFF\"/>", "They met."));
    assert_eq!(read_document(&docx(&body)).as_deref(), Ok("\nThey met.\n\n"));
    let styles = Styles::read(
        "<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"2\"/></w:rPr></w:rPrDefault></w:docDefaults>\
         <w:style w:styleId=\"Gone\"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId=\"Too\"><w:basedOn w:val=\"Gone\"/></w:style>\
         <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Plain\"><w:basedOn w:val=\"Plain\"/></w:style></w:styles>",
    );
    let hides = |name| styles.named(name).hides(Some(Rgb::WHITE));
    assert_eq!([hides("Gone"), hides("Too"), hides("Plain")], [Some("hidden letters"), Some("hidden letters"), None]);
    assert_eq!(styles.plain().hides(Some(Rgb::WHITE)), Some("letters too small to see"));
}

#[test]
fn the_text_as_it_stands_is_read() {
    let body = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Park &amp; pond</w:t></w:r></w:p>\
                <w:p><w:r><w:t xml:space=\"preserve\">The council </w:t></w:r><w:del><w:r><w:delText>never </w:delText></w:r></w:del>\
                <w:ins><w:r><w:t>voted</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t> in secret</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>\
                <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>\
                <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Item</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Cost</w:t></w:r></w:p></w:tc></w:tr>\
                <w:tr><w:tc><w:p><w:r><w:t>Ramp</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>$5</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let read = read_document(&docx(body));
    assert_eq!(
        read.as_deref(),
        Ok("\n# Park & pond\n\nThe council voted.\n\n- one\n- two\n\n- Item: Ramp; Cost: $5\n")
    );
}

#[test]
fn a_text_box_follows_its_paragraph() {
    let boxed = |text: &str| format!("<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>");
    let choice = |text: &str| {
        format!(
            "<mc:AlternateContent xmlns:mc=\"y\"><mc:Choice><w:drawing><p><t>no</t></p>{}</w:drawing></mc:Choice>\
             <mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent>",
            boxed(text),
            boxed(text)
        )
    };
    let body = format!(
        "<w:p><w:r><w:t>The council </w:t></w:r><w:r>{}</w:r><w:r><w:t>met.</w:t></w:r></w:p>\
         <w:p><w:r><w:pict>{}</w:pict></w:r></w:p><w:p><w:r><w:drawing/><w:t>It was late.</w:t></w:r></w:p>",
        choice("We will not close it."),
        boxed("Old box.")
    );
    let wanted = "\nThe council met.\n\nWe will not close it.\n\nOld box.\n\nIt was late.\n";
    assert_eq!(read_document(&docx(&body)).as_deref(), Ok(wanted));
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused() {
    let bomb = docx(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "a".repeat(MOST_TEXT + 1)));
    assert!(bomb.len() < 1 << 20);
    assert_eq!(read_document(&bomb), Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT }));
}

#[test]
fn another_archive_and_a_damaged_one_say_so() {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("mimetype", zip::write::SimpleFileOptions::default()).unwrap();
    let other = archive.finish().unwrap().into_inner();
    assert!(read_document(&other).is_err_and(|error| error.to_string().contains("no text of Word's")));
    for (part, text, says) in [
        ("mimetype", "application/vnd.oasis.opendocument.text", "it is an OpenDocument text (ODT): save it as .docx"),
        ("xl/workbook.xml", "", "it is an Excel workbook (XLSX): save it as .csv"),
    ] {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file(part, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
        let error = read_document(&archive.finish().unwrap().into_inner()).unwrap_err();
        assert_eq!(error.to_string(), says);
    }
    let whole = docx("<w:p><w:r><w:t>Text</w:t></w:r></w:p>");
    assert!(matches!(read_document(whole.get(..60).unwrap()), Err(Unreadable::Broken { .. })));
    assert!(matches!(read_document(&docx("<w:p><w:r></w:p>")), Err(Unreadable::Broken { .. })));
}
