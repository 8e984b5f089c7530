//! Sentence boundaries against sentences that a person has divided: newswire, with its usual traps.
//!
//!     cargo test --test cli sentence_gold -- --nocapture
//!
//! prints precision, recall and F1 of the boundaries. `|` marks each boundary.

use copydesk::text::sentences::sentences;

const GOLD: &[&str] = &[
    "Officials in Washington, D.C. said on Monday that the U.S. Senate would vote at 7 p.m. Tuesday.| The U.S. President, who was in \
     St. Louis, Mo., did not comment.| Sen. J. R. Holt (R-Tex.) called it \"a mess.\"|",
    "\"We have no idea what happened,\" said Dr. Anna Roth of St. Mary's Hospital.| \"It was over in 2.5 seconds.\"| She left at 9 \
     a.m.| The inquiry, led by Gen. Paul K. Adler Jr., begins on Oct. 6.|",
    "“Why now?” Reyes asked.| “Because we can!” shouted a man in the gallery.| “Enough!” said the chair.| “Is that all?” Nobody \
     answered.|",
    "The company, Tarn Hollow Brewing Co. Ltd., employs 45 people.| Acme Inc. President Joan Wills resigned.| She joined Acme Inc. \
     in 1998.| Shares of Kessler Corp. fell 3.5 percent.| They had risen since Jan. 4.|",
    "He lived in the U.S. until 2011.| She moved to the U.K.| The following year she returned.| Their case, Smith v. Jones, No. \
     26-114, is pending.| See fig. 3 on p. 12 for details.|",
    "It rained… and then it poured.| Then … nothing.| “I thought… I thought we were lost.”| He paused.| “Go on...” she said.|",
    "The fire began at 418 Tidewater Lane (near Gantry St.) and spread.| (No one was hurt.)| Fire Marshal D. Pruett is \
     investigating.| [The building was empty.]|",
    "The first item was approved 7–2.| The second, a $1.8m loan, failed.| 42 people spoke.| €300 was raised.| $5 million remains.|",
    "Prof. Ellis, Ph.D., and his wife, Mrs. Ellis, were there.| So were the Rev. T. Moss, Lt. Col. Grant, and Capt. Ames.| Gov. Lee \
     sent Adm. Cole.|",
    "The bill passed.[1]| It takes effect in May.[2][3]| Critics disagree.|",
    "Wikinews interviewed the author, e.g. about her books, i.e. the novels.| Among them are Plan B.| It sold well.| Vitamin C. \
     does not matter here.|",
    "## What changes\n|The high school starts at 8:20 a.m., an hour later.| Five schools start at 7:55.|\n\n- Buses run on time\n|- \
     Cafeterias open early\n|- Nobody is late|",
    "1. The city recorded 87 injuries.|\n2. Nineteen were serious.|\n3. No cyclist was killed.|",
    "VOSS: Good evening.| We have a quorum.|\nTULL: Thank you.| I'll be brief.|\n[00:02:10] VOSS: Please.|",
    "The press release was wrapped by hand at eighty columns, which is what such\nreleases do, and it went on.| Nobody \
     minded.|",
    "He said \"no.\"| She said 'yes.'| They said “maybe.”| It ended ‘badly.’| Then they went home.|",
    "Is it true?| Yes!| Really?!| Well... It depends.| No way.|",
    "The council met on Tues. and Thurs. in Dec. and agreed.| By Feb. 2 it was over.| It ended in Sept.| The vote was lost.|",
    "Police in Sacramento, Calif., arrested two men.| Officers from Mass. and Conn. helped.| The trial is in Lansing, Mich.| The \
     judge is new.|",
    "The temperature fell to -3.5 C. overnight.| The road was 3 ft. wide.| Vol. 3 No. 4 has it.|",
    "The U.N. Security Council met.| It was asked by the U.N.| They agreed.| The E.U. said no.| NATO, the U.S., the U.K. and others \
     signed.|",
    "John F. Kennedy spoke.| So did George W. Bush and J.K. Rowling.| C. S. Lewis did not.| A man named Q. was there.|",
    "“It is late,” she said.| “We should go.”| “I know.”| He stood up.| “Now.”|",
    "The study (Lindqvist et al. 2026) was small.| Its authors, Lindqvist et al., agree.| It appeared in Ann. Early Lit. last \
     week.|",
    "Call 555-0100.| Visit www.example.org for more.| Write to desk@example.org.| The file is called notes.txt and is 2.4 MB.|",
    "The minister said: “We will not pay.”| Asked why, he said: “Ask them.”| Then he left for No. 10.| He lives at No. 11, Downing \
     St.|",
    "About 1.2 million people voted, approx. 60 percent.| Turnout in 2019 was 58.3%.| In 2015 it was 61%.|",
    "The ship, H.M.S. Victory, sailed at 6 a.m. GMT.| It arrived at 5 p.m.| Its crew rested.| At 10 p.m. Wednesday it left.|",
    "Mt. Hood erupted.| Ft. Worth was quiet.| The M.D. arrived.| He has a B.A. from Yale.| So does she.|",
    "“Stop!” — the word came late.| No one moved.| Mr. and Mrs. Dale, vs. the state, lost.|",
    "She was born on 3 Mar. 1958 in Oslo.| Her father was a baker.| “He rose at 3 a.m. every day,” she said.|",
    "\"Did you see it?\" he asked.| \"See what?\" I said.| \"The boat!\" cried the boy.| \"What boat?\" Mayor Ann Cole asked.|",
    "The plan has three parts: housing, roads, etc.| The last is the dearest.| Items such as pens, paper, etc. are free.|",
    "The museum (est. 1921) reopens.| Tickets cost £4.50 each.| Children pay £2.| It's open Mon. to Fri. from 9 to 5.|",
    "Sources close to the talks said they broke down at 3:15 a.m. local time.| A spokesman, Maj. R. Stone, declined.| “No comment,” \
     he said.|",
    "The band played “Who's That?” and “Help!” before the break.| The crowd sang.| It was 11 p.m.|",
];

/// Text without the marks, and where the marks were: ends of sentences, white space aside.
fn read(gold: &str) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut ends = Vec::new();
    for piece in gold.split('|') {
        text.push_str(piece);
        ends.push(text.trim_end().len());
    }
    ends.pop();
    ends.dedup();
    (text, ends)
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "a few hundred")]
fn boundaries_stand_where_a_person_puts_them() {
    let (mut right, mut found, mut wanted) = (0usize, 0usize, 0usize);
    for gold in GOLD {
        let (text, ends) = read(gold);
        let own: Vec<usize> = sentences(&text).into_iter().map(|range| range.end).collect();
        right += own.iter().filter(|end| ends.contains(end)).count();
        found += own.len();
        wanted += ends.len();
        for end in own.iter().filter(|end| !ends.contains(end)) {
            println!(
                "too many: {} ‖",
                text[..*end].chars().rev().take(40).collect::<Vec<_>>().iter().rev().collect::<String>()
            );
        }
        for end in ends.iter().filter(|end| !own.contains(end)) {
            println!(
                "missing: {} ‖",
                text[..*end].chars().rev().take(40).collect::<Vec<_>>().iter().rev().collect::<String>()
            );
        }
    }
    let (precision, recall) = (right as f64 / found as f64, right as f64 / wanted as f64);
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("{wanted} sentences: precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}");
    assert!(wanted > 120 && f1 >= 0.95, "{f1}");
}
