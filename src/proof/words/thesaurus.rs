//! Words that news copy uses for one another.
//!
//! A reporter paraphrases: the source's pupils are the draft's students, what rose went up. Overlap of bare words would
//! call each such sentence unsupported. The groups are general English and deliberately loose: they decide which passage
//! a sentence is about, never whether a quotation or a figure is right.

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::text::words::stem;

const GROUPS: &[&str] = &[
    "rise increase climb grow up jump surge gain raise hike higher lift boost expand growth",
    "fall drop decline decrease reduce reduction lower cut shrink diminish slip dip lessen curb fewer down less loss",
    "begin start open launch commence",
    "end finish conclude complete close final",
    "child kid pupil student youngster schoolchild first-grader teenager teen youth young",
    "parent mother father family mom mum dad",
    "buy purchase acquire",
    "sell vend",
    "cost price expense charge fee bill",
    "approve adopt pass endorse favor favour back accept agree support",
    "reject oppose object refuse against deny",
    "vote ballot elect election",
    "meeting session hearing",
    "plan proposal propose scheme intend aim",
    "decide decision determine choose choice",
    "money fund funding cash finance financial budget pay",
    "job post position employment role",
    "employee worker staff workforce crew employ work",
    "company firm business corporation enterprise",
    "city town municipal council",
    "house home household residence",
    "road street lane avenue",
    "help aid assist assistance",
    "study research survey trial paper investigate investigation examine",
    "researcher scientist author team",
    "doctor physician clinician",
    "police officer constable",
    "kill die death dead fatal",
    "hurt injure injury wound harm",
    "build construct construction erect",
    "repair fix mend renovate renovation renewal restore refurbish",
    "big large major great huge main",
    "small minor little modest slight tiny",
    "quick fast rapid swift",
    "year annual yearly",
    "month monthly",
    "week weekly",
    "day daily",
    "hour hourly",
    "resident inhabitant neighbor neighbour villager citizen local",
    "customer client consumer shopper user",
    "leader head chief director chair boss president manager chairman chairwoman",
    "school campus classroom",
    "car vehicle automobile",
    "fire blaze flame burn",
    "ask request seek",
    "permit allow let authorize authorise",
    "require need must demand",
    "receive get obtain",
    "give provide offer grant deliver",
    "remove scrap delete drop",
    "replace substitute swap",
    "worry concern fear afraid trouble anxious",
    "doubt skeptical sceptical unsure uncertain",
    "attempt try effort",
    "correct correction amend error wrong mistake",
    "error mistake wrong",
    "old former earlier previous before",
    "new recent fresh",
    "opponent critic",
    "talk speak discuss conversation",
    "tell inform explain announce statement report",
    "think believe view opinion",
    "show demonstrate reveal indicate suggest",
    "link associate association correlate connect",
    "cause because reason due",
    "keep retain remain stay continue",
    "empty vacant unused",
    "join unite merge",
    "leave depart quit exit",
    "arrive reach come",
    "win victory",
    "lose defeat",
    "get receive",
    "shop store outlet",
    "film movie",
    "picture photo photograph image",
    "film video footage",
    "evening night tonight",
    "half fifty",
    "twice double two",
    "estimate guess projection forecast expect",
    "sure certain confident",
    "teach teacher instructor educator tutor",
    "method approach technique algorithm procedure",
    "model network",
    "result finding outcome",
    "improve enhance better",
    "use utilize employ apply application",
    "present introduce propose",
    "task problem",
    "different distinct various",
];

static REPRESENTATIVES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut map = HashMap::default();
    for group in GROUPS {
        let first = group.split(' ').next().unwrap_or_default();
        for word in group.split(' ') {
            map.entry(stem(word)).or_insert(first);
        }
    }
    map
});

/// The stem under which `stem` is compared: its group's first word, or itself.
pub fn canonical(stem: String) -> String {
    REPRESENTATIVES.get(&stem).map_or(stem, |word| format!("~{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paraphrase_meets_its_source() {
        let same = |one: &str, other: &str| canonical(stem(one)) == canonical(stem(other));
        assert!(same("pupils", "students") && same("rose", "increased") && same("dropped", "falling"));
        assert!(!same("rose", "fell") && !same("park", "pond"));
    }
}
