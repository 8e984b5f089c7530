//! `copydesk-eval ablation`: what each part of the desk adds: it is turned off, and the same topics are run again.

use clap::ValueEnum;
use copydesk::newsroom::Workflow;

use crate::prelude::*;
use crate::{
    basis,
    evaluation::{StoryUnit, story_tables},
    kept::{EvalDone, option_name},
    pipeline,
    stories::{self, EvalWay, StoryRunArgs},
};

#[derive(Debug, Args)]
pub(crate) struct AblationEvalArgs {
    #[command(flatten)]
    runs: StoryRunArgs,
    /// What is turned off, each alone.
    #[arg(
        long,
        value_name = "PART,...",
        value_delimiter = ',',
        value_enum,
        default_value = "listener,skills,memory,proof,triage"
    )]
    off: Vec<Part>,
}

/// What can be turned off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Part {
    /// Prompts that are shaped for who reads them.
    Listener,
    /// Skills in prompts.
    Skills,
    /// What an earlier run left in the memory: with it, the story is run twice in one desk, under two names, and measured the second time.
    Memory,
    /// The proof beside a model's review.
    Proof,
    /// Verdicts that send a story to the Reporter.
    Triage,
}

impl Part {
    /// Why it cannot be measured with these settings; none if it can.
    fn is_out_of_reach(self, settings: &Settings) -> Option<&'static str> {
        let models = settings.article_generation.engine.has_models();
        match self {
            Self::Listener | Self::Skills if !models => Some("only prompts of models have it, and no model is asked"),
            Self::Proof if !models => Some("without models the proof is the review, and is always on"),
            Self::Memory | Self::Triage if !models => {
                Some("the offline writer takes its sentences from the source, so no verdict is remembered or sent on")
            }
            Self::Listener | Self::Skills | Self::Memory | Self::Proof | Self::Triage => None,
        }
    }

    /// Turns it on or off. The memory is no setting: it is empty, or has what a first run left there.
    fn set(self, settings: &mut Settings, on: bool) {
        match self {
            Self::Listener => settings.article_generation.listener_aware = on,
            Self::Skills => settings.skills.enabled = on,
            Self::Memory => {}
            Self::Proof => settings.proof.enabled = on,
            Self::Triage => settings.research.triage = on,
        }
    }
}

pub(crate) async fn measure(
    settings: &Settings,
    arguments: &AblationEvalArgs,
    interrupt: &mut Interrupt,
) -> Result<EvalDone> {
    let AblationEvalArgs { runs: StoryRunArgs { topics, repeat, keeping }, off } = arguments;
    pipeline::claims_are_checked(settings)?;
    let mut on = settings.clone();
    for part in Part::value_variants().iter().filter(|part| part.is_out_of_reach(settings).is_none()) {
        part.set(&mut on, true);
    }
    let way = |key: &str, settings: Settings, remembers| EvalWay {
        key: key.to_owned(),
        settings,
        workflow: Workflow::Full,
        remembers,
    };
    let asked = Part::value_variants().iter().copied().filter(|part| off.contains(part));
    let (can, cannot): (Vec<Part>, Vec<Part>) = asked.partition(|part| part.is_out_of_reach(settings).is_none());
    let why =
        |part: &Part| Some(format!("Not measured: {} off; {}.", option_name(part), part.is_out_of_reach(settings)?));
    let left_out: Vec<String> = cannot.iter().filter_map(why).collect();
    if can.is_empty() {
        return Err(wrong_use(format!("none of these parts can be turned off here\n{}", left_out.join("\n"))));
    }
    // The memory of an empty desk is empty: it is on if a run before has filled it.
    let remembers = can.contains(&Part::Memory);
    let mut ways = vec![way("all-on", on.clone(), remembers)];
    for part in can {
        let mut without = on.clone();
        part.set(&mut without, false);
        ways.push(way(&format!("no-{}", option_name(&part)), without, remembers && part != Part::Memory));
    }
    let keys: Vec<&str> = ways.iter().map(|way| way.key.as_str()).collect();
    let (topics, problems) = stories::read(settings, topics)?;
    let basis = basis::of_desk(&on)?;
    let mut kept = keeping.open("ablation", &basis)?;
    let measured = stories::measure(&mut kept, &topics, &ways, *repeat, interrupt).await?;
    let pairs: Vec<(usize, usize)> = (1..keys.len()).map(|second| (0, second)).collect();
    let mut evaluation = basis::begun("ablation", "Parts of the desk turned off", basis);
    evaluation.notes.extend(left_out);
    evaluation.notes.extend(remembers.then(|| {
        "All but “no memory” are the second run of a story in its desk, under another name, after a first one has filled the memory."
            .to_owned()
    }));
    let tables = |units: &[StoryUnit]| story_tables("Each part turned off alone", units, &keys, &pairs);
    stories::publish(&kept, evaluation, measured, problems, &tables)
}
