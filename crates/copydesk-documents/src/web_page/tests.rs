//! Pages as they are met: unclosed, hidden, framed, deep.

use super::*;

fn read_page(html: &str) -> String {
    read(html, &mut Hidden::default())
}

fn article_of(html: &str) -> String {
    article(html, &mut Vec::new(), &mut Hidden::default())
}

#[test]
fn the_main_text_is_read_and_nothing_else() {
    let page = "<!doctype html><html><head><title>Park | Gazette</title><style>p{}</style><script>if (a<b) {\"<p>x\"}</script></head>\
                <body><nav><ul><li>Home</ul></nav><main><h1>Park &amp; pond</h1>\n<p>The council\n  <b>voted</b>.<p hidden>Secret.<p>It\
                \u{a0}cost 5&nbsp;%.<div style='Display : None'><div>x</div>y</div><ul><li>one<li>two</ul>\
                <table><tr><th>Item<th>Cost<tr><td>Ramp<td>$5</table><noscript>no</noscript></main><footer>© Gazette</footer>";
    assert_eq!(
        read_page(page),
        "\n# Park & pond\n\nThe council voted.\n\nIt\u{a0}cost 5\u{a0}%.\n\n- one\n- two\n\n- Item: Ramp; Cost: $5\n"
    );
}

#[test]
fn a_table_that_only_places_things_is_text_and_a_title_stands_in_for_a_heading() {
    let page = "<title>Minutes</title><table><tr><td>Menu<td><p>The council voted.<p>It was late.</table>";
    assert_eq!(read_page(page), "# Minutes\n\nMenu\n\nThe council voted.\n\nIt was late.\n\n");
}

#[test]
fn no_nesting_is_too_deep() {
    let deep = format!("{}deep{}", "<div><table><tr><td>".repeat(50_000), "</div>".repeat(50_000));
    assert_eq!(read_page(&deep).trim(), "deep");
}

#[test]
fn a_page_within_a_form_is_read() {
    let page = "<body><form action='x.aspx'><div><p>The plan costs $5.</div><button>Send</button></form>";
    assert_eq!(read_page(page).trim(), "The plan costs $5.");
}

#[test]
fn a_quotations_footer_says_whose_words_it_has() {
    for credit in [
        "<footer>Inez Calloway</footer>",
        "<footer>— <cite>Inez Calloway</cite></footer>",
        "<cite>Inez Calloway</cite>",
    ] {
        let page = format!(
            "<blockquote><p>We will not close <cite>the</cite> park.{credit}</blockquote><footer>© Gazette</footer>"
        );
        assert_eq!(read_page(&page).trim(), "We will not close the park.\n\n— Inez Calloway");
    }
    let figure = |between: &str| {
        format!(
            "<figure><blockquote>We will not close.</blockquote>{between}<figcaption>Inez Calloway</figcaption></figure>"
        )
    };
    assert_eq!(read_page(&figure("")).trim(), "We will not close.\n\n— Inez Calloway");
    assert_eq!(read_page(&figure("<p>See below.")).trim(), "We will not close.\n\nSee below.\n\nInez Calloway");
}

#[test]
fn a_hidden_cell_keeps_its_column() {
    for hidden in ["hidden", "style='display:none'", "aria-hidden=true"] {
        let page = format!(
            "<table><tr><th>Park<th {hidden}>Code<th>Cost<tr><td>Pond<td {hidden}>77<td>$5<tr><td {hidden}>Ramp</td><td>12</td><td>$7</table>"
        );
        assert_eq!(read_page(&page).trim(), "- Park: Pond; Cost: $5\n- 12; Cost: $7", "{hidden}");
    }
    // A cell on its own is no row, whatever is hidden beside it.
    assert_eq!(read_page("<table><tr><td hidden>77<td>The council voted.</table>").trim(), "The council voted.");
}

#[test]
fn an_article_is_read_without_what_stands_beside_it() {
    let body = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park, and the mayor signed the plan at once. ";
    let page = format!(
        "<body class='has-sidebar'><div role=navigation>Home</div><div class='has-sidebar wrap'><h1><a href=/>Park</a></h1><p>{body}<p>{body}\
         <a href=/plan>The plan</a></p><p><a href=/m>Minutes</a></p><p>Last words.</p></div><div class='related-stories big'>Other story</div>\
         <div id=comments><p>First!</div><ul><li><a href=1>One</a><li><a href=2>Two</a><li><a href=3>Three</a></ul>"
    );
    let read_whole = read_page(&page);
    assert!(["First!", "Other story", "- One", "Home"].iter().all(|words| read_whole.contains(words)), "{read_whole}");
    let body = body.trim();
    assert_eq!(article_of(&page), format!("\n# Park\n\n{body}\n\n{body} The plan\n\nMinutes\n\nLast words.\n"));
}

#[test]
fn a_page_of_which_little_is_left_is_read_whole() {
    let page = "<div class=modal><p>The whole story stands in a box that is called a dialogue.</div><p>Close</p>";
    assert_eq!(article_of(page), read_page(page));
    assert_eq!(article_of("<ul><li><a>One</a><li><a>Two</a><li><a>Three</a></ul>").trim(), "- One\n- Two\n- Three");
}
