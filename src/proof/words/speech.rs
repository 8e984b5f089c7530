//! Verbs that give words to someone.

use crate::proof::words::list::{WordList, words};

static SAYING: WordList = words(
    "said says say saying added adds asked asks told tells wrote writes replied answered explained explains \
     noted notes warned warns argued argues recalled cautioned insisted admitted conceded continued remarked \
     stated declared joked called acknowledged announced responded observed commented quipped testified \
     concluded put",
);

/// Verbs that give words to someone right beside a quotation, and mean other things elsewhere.
pub static VOICING: WordList = words(
    "laughed laughs smiled shrugged sighed nodded grumbled confessed agreed disagreed promised promises pleaded urged urges \
     shouted whispered yelled cried exclaimed began continues concludes recalls remembered remembers reported posted tweeted \
     emailed stressed emphasised emphasized suggested maintained claimed claims reiterated predicted joking jokes muttered \
     protested objected countered interjected reads signed",
);

/// Whether a folded word gives words to someone.
pub fn says(word: &str) -> bool {
    SAYING.contains(word)
}
