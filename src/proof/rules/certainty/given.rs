//! One source for the tests of the rules of certainty, and how they ask it.

use crate::proof::trial::check_texts;

pub const SOURCE: &str = "A preliminary computer model suggests the basin could reduce the depth of flooding on Canal Road by about \
                      one third in a ten-year storm. The library is believed to be the oldest in Tamarack County. Tutoring in \
                  small groups was associated with better word reading. The town laid new pipes in 2019.";

pub fn rules(draft: &str) -> Vec<String> {
    check_texts(draft, SOURCE).into_iter().map(|f| f.rule).collect()
}
