//! Evaluations as one page of HTML, with charts.

use copydesk::editorial::{
    page_bars::{ChartRow, bars},
    page_frame::{code, line, page, section, table, time},
};

use super::{EvalTable, Evaluation, tables::with_unit};

/// One evaluation, or several on a page that lists them first.
pub(crate) fn evaluations_page(title: &str, evaluations: &[&Evaluation]) -> String {
    let mut body = format!("<h1>{}</h1>\n", line(title));
    if evaluations.len() > 1 {
        let links: Vec<String> = evaluations
            .iter()
            .map(|one| {
                format!(
                    "<li><a href=\"#{}\">{}</a> (<a href=\"{0}.html\">alone</a>)</li>\n",
                    one.name,
                    line(&one.title)
                )
            })
            .collect();
        body.extend([format!("<nav aria-label=\"Evaluations\"><ul>\n{}</ul></nav>\n", links.concat())]);
    }
    for one in evaluations {
        body.push_str(&section(one.name, &line(&one.title), &whole(one)));
    }
    page(title, &body)
}

fn whole(evaluation: &Evaluation) -> String {
    let mut body: String = evaluation.tables.iter().map(shown).collect();
    body.push_str(&notes(&evaluation.notes));
    body.push_str("<h3>Measured on</h3>\n<dl>\n");
    for (name, what) in evaluation.measured_on.parts() {
        let what = if name.contains("SHA") { code(&what) } else { line(&what) };
        body.extend([format!("<dt>{}</dt><dd>{what}</dd>\n", line(name))]);
    }
    let (command, made) = (code(&evaluation.command), time(&evaluation.made_at));
    body.extend([format!("<dt>command</dt><dd>{command}</dd>\n<dt>tables made</dt><dd>{made}</dd>\n</dl>\n")]);
    body
}

fn shown(one: &EvalTable) -> String {
    let headings: Vec<String> = one
        .headings()
        .iter()
        .enumerate()
        .map(|(at, heading)| {
            let mark = if at > 0 && one.has_numbers(at - 1) { "#" } else { "" };
            // The name of a model or of data may begin with the mark of numbers.
            format!("{mark}{}", line(heading).replace('#', "&#35;"))
        })
        .collect();
    let rows: Vec<Vec<String>> = one.words().iter().map(|row| row.iter().map(|cell| line(cell)).collect()).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut out = format!("<h3>{}</h3>\n{}", line(&one.title), table(&headings, &rows));
    out.push_str(&notes(&one.notes));
    for key in &one.drawn {
        let Some(row) = one.rows.iter().find(|row| row.key == *key) else { continue };
        let drawn: Vec<ChartRow> =
            row.cells.iter().zip(&one.columns).filter_map(|(cell, column)| cell.bar(column.name.clone())).collect();
        if !drawn.is_empty() {
            let about = with_unit(&row.name, row.unit);
            let (caption, chart) = (line(&about), bars(&about, &drawn));
            out.extend(["<figure>\n<figcaption>", &caption, "</figcaption>\n", &chart, "</figure>\n"]);
        }
    }
    out
}

fn notes(notes: &[String]) -> String {
    let mut out = String::new();
    for note in notes {
        out.extend(["<p class=\"soft\">", &line(note), "</p>\n"]);
    }
    out
}
