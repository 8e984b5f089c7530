//! The source that the tests of these rules share, and a helper to ask them.

use crate::testing::rules_of;

pub const SOURCE: &str = "A preliminary computer model suggests the basin could reduce the depth of flooding on Canal Road by about \
                      one third in a ten-year storm. The library is believed to be the oldest in Tamarack County. Tutoring in \
                  small groups was associated with better word reading. The town laid new pipes in 2019.";

pub fn rules(draft: &str) -> Vec<String> {
    rules_of(draft, SOURCE).into_iter().filter(|rule| rule.starts_with("certainty.")).collect()
}
