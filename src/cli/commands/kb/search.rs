//! `copydesk kb search`: the passages that bear on a question.

use clap::ValueEnum;
use jiff::civil::Date;

use crate::cli::prelude::*;
use crate::newsroom::Tier;
use crate::ports::{Area, Filter, Index as _, Occasion, Passages as _, Query, Stories as _};

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// The question, or any text.
    #[arg(required = true)]
    query: Vec<String>,
    /// Where to search.
    #[arg(long = "in", value_enum, default_value_t, value_name = "WHERE")]
    within: Where,
    /// Only the texts of this story.
    #[arg(long, conflicts_with = "within")]
    story: Option<String>,
    /// The least credibility, from 0 to 1 [default: `knowledge_base.min_credibility`].
    #[arg(long, value_name = "NUMBER")]
    min_credibility: Option<f64>,
    /// Only what was published on this day or later.
    #[arg(long, value_name = "DAY", value_parser = day)]
    from: Option<Date>,
    /// Only what was published on this day or earlier.
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<Date>,
    /// The most passages to list [default: `knowledge_base.top_k`].
    #[arg(short = 'k', long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=200))]
    top: Option<u16>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Where {
    /// Everywhere.
    #[default]
    All,
    /// In the knowledge base.
    Knowledge,
    /// In the sources of stories.
    Sources,
    /// In the desk's articles.
    Articles,
    /// In the pages that searches outside cited.
    Evidence,
}

pub(crate) async fn search(settings: &Settings, store: &Store, arguments: &SearchArgs) -> Result<Exit> {
    let base = &settings.article_generation.knowledge_base;
    // Who asks for pages that were found outside has said how far they are to be trusted: less than the knowledge base.
    let usual = if arguments.within == Where::Evidence { 0.0 } else { base.min_credibility };
    let min_credibility = arguments.min_credibility.unwrap_or(usual);
    if !(0.0..=1.0).contains(&min_credibility) {
        return Err(wrong_use("--min-credibility: a number from 0 to 1 belongs there"));
    }
    let mut occasion = Occasion::of_house("kb search", Some(wiring::books(store)));
    let areas = match &arguments.story {
        Some(name) => {
            let (_, run) = story::run(store, name).await?;
            let key = story::key(&run)?;
            occasion.secrecy = store.secrecy(&key).await?;
            occasion.story = Some(key.clone());
            vec![Area::Story { story: key, texts: None }]
        }
        None => arguments.within.areas(),
    };
    let query = Query {
        text: arguments.query.join(" "),
        areas,
        filter: Filter {
            min_credibility,
            from: arguments.from.map(|day| day.to_string()),
            until: arguments.until.map(|day| day.to_string()),
        },
        count: arguments.top.map_or(base.top_k, usize::from),
    };
    let bar = headless::Bar::of_time("searching");
    let found = occasion.during(wiring::library(settings, store).search(&query)).await?;
    drop(bar);
    if let Some(why) = &found.words_only {
        headless::message(&sanitise::one_line(why));
    }
    if arguments.json {
        headless::data(&headless::hits_json(&query.text, &found)?)?;
        return Ok(Exit::Fine);
    }
    if found.hits.is_empty() {
        let stock = store.stock().await?;
        headless::message(&if found.words == 0 {
            "The query has no word to search for.".to_owned()
        } else if stock.passages + stock.story_passages == 0 {
            "Nothing is indexed yet. Put files into knowledge_base.data_dir, then type: copydesk kb index".to_owned()
        } else {
            arguments.nothing(min_credibility)
        });
        return Ok(Exit::Fine);
    }
    let mut shown = Vec::with_capacity(found.hits.len());
    for (hit, number) in found.hits.iter().zip(1..) {
        let around = store.around(hit.story.as_ref(), &hit.passage, usize::MAX).await?;
        shown.push(headless::hit_lines(number, hit, around.map(|around| around.before).as_deref()));
    }
    headless::data(&shown.join("\n\n"))?;
    Ok(Exit::Fine)
}

impl SearchArgs {
    /// That nothing was found, and what may find more: only conditions that were set can be left out.
    fn nothing(&self, min_credibility: f64) -> String {
        let conditions: Vec<&str> = [
            (self.within != Where::All, "--in all"),
            (self.story.is_some(), "no --story"),
            (min_credibility > 0.0, "--min-credibility 0"),
            (self.from.is_some() || self.until.is_some(), "no --from and --until"),
        ]
        .into_iter()
        .filter_map(|(set, without)| set.then_some(without))
        .collect();
        if conditions.is_empty() {
            return "No match. Try other words.".to_owned();
        }
        format!("No match. Try fewer conditions ({}) or other words.", conditions.join(", "))
    }
}

/// A day, as `--from` and `--until` take it.
fn day(text: &str) -> Result<Date, WrongUse> {
    text.parse().map_err(|_| WrongUse("a day such as 2026-11-22 belongs there".into()))
}

impl Where {
    fn areas(self) -> Vec<Area> {
        let stories = |tiers: &[Tier]| Area::Stories { tiers: tiers.to_vec() };
        match self {
            Self::All => vec![Area::Knowledge, stories(&[])],
            Self::Knowledge => vec![Area::Knowledge],
            Self::Sources => vec![stories(&[Tier::Source])],
            Self::Articles => vec![stories(&[Tier::Article])],
            Self::Evidence => vec![stories(&[Tier::Evidence])],
        }
    }
}
