//! Documents of the formats that have no plain text, made byte by byte.

use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
};

/// A PDF of one page for each text, its lines set in Helvetica.
pub fn pdf(pages: &[&str]) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), String::new()];
    objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned());
    let mut kids = String::new();
    for page in pages {
        let number = objects.len() + 1;
        write!(kids, "{number} 0 R ").unwrap();
        let mut content = String::from("BT /F1 12 Tf 14 TL 72 720 Td ");
        for line in page.lines() {
            write!(content, "({}) Tj T* ", line.replace(['(', ')'], "")).unwrap();
        }
        content.push_str("ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            number + 1
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(out.len());
        write!(out, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let xref = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for offset in offsets {
        writeln!(out, "{offset:010} 00000 n ").unwrap();
    }
    write!(out, "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n", objects.len() + 1).unwrap();
    out.into_bytes()
}

/// The same with a password: revision 3 of the standard security handler, with keys that no empty password opens.
#[cfg(feature = "pdf")]
pub fn locked_pdf() -> Vec<u8> {
    let text = String::from_utf8(pdf(&["Secret."])).unwrap();
    let key = "00".repeat(32);
    let lock = format!(
        "/Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <{key}> /U <{key}> >>"
    );
    text.replace("/Root 1 0 R", &lock).into_bytes()
}

/// A zip archive of these parts, in this order.
pub fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A book (EPUB) of these pages.
pub fn epub(title: &str, pages: &[&str]) -> Vec<u8> {
    let title = title.replace('&', "&amp;");
    let (mut parts, mut spine) = (String::new(), String::new());
    for number in 0..pages.len() {
        write!(parts, "<item id=\"p{number}\" href=\"pages/{number}.xhtml\" media-type=\"application/xhtml+xml\"/>")
            .unwrap();
        write!(spine, "<itemref idref=\"p{number}\"/>").unwrap();
    }
    let package = format!(
        "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\"><metadata \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{title}</dc:title></metadata><manifest>{parts}</manifest>\
         <spine>{spine}</spine></package>"
    );
    let container = "<?xml version=\"1.0\"?><container><rootfiles><rootfile full-path=\"OEBPS/book.opf\" \
                     media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    let page = |body: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head><body>{body}</body></html>"
        )
    };
    let pages: Vec<(String, String)> =
        pages.iter().enumerate().map(|(number, body)| (format!("OEBPS/pages/{number}.xhtml"), page(body))).collect();
    let mut all: Vec<(&str, &[u8])> = vec![
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
    ];
    all.extend(pages.iter().map(|(name, page)| (name.as_str(), page.as_bytes())));
    archive(&all)
}

/// A Word document with this markup in its body.
pub fn docx(body: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
    write!(archive, "<?xml version=\"1.0\"?><w:document xmlns:w=\"x\"><w:body>{body}</w:body></w:document>").unwrap();
    archive.finish().unwrap().into_inner()
}
