//! Asks model servers for their models and a model for what it can take, has models tried, and has settings written. Each runs in a task of
//! its own that nothing waits for at the end: a server may take long, and a file is written whole or not at all.

use crate::app::{News, Trouble, WorkKind};
use crate::screens::settings::{ChoosableModel, NewSettings, ServerAt};
use crate::worker::{RequestResult, WorkerContext, Working};
use copydesk_core::editorial::trial::TrialFitness;

pub(crate) async fn list(context: WorkerContext, named: Option<ServerAt>) -> RequestResult {
    context.say(News::Servers(context.tools.settings.servers(named.as_ref()).await));
    Ok(())
}

/// Asks a model what it can take.
pub(crate) async fn measure(context: WorkerContext, asked: Box<ChoosableModel>) {
    let _working = Working::begin(&context, WorkKind::Settings);
    let told = |what: &str| context.say(News::Measuring(asked.at.clone(), what.to_owned()));
    let measured = context.tools.settings.measure(&asked, &told).await.map(Box::new);
    context.say(News::Measured(asked.at.clone(), measured));
}

pub(crate) async fn save(context: WorkerContext, new: Box<NewSettings>) -> RequestResult {
    let _working = Working::begin(&context, WorkKind::Settings);
    let now = context.tools.settings.save(&new).await?;
    context.say(News::SettingsSaved(Box::new(now)));
    Ok(())
}

/// Tries the models and tells the figures, then a sentence for each role.
pub(crate) async fn try_models(context: WorkerContext, style: String) -> RequestResult {
    let working = Working::begin(&context, WorkKind::Trial);
    let report = context.tools.desk.try_models(&style, &working.progress()).await?;
    for judged in report.judgements() {
        context.say(match judged.fitness {
            TrialFitness::Fit => News::Done(judged.sentence),
            TrialFitness::Doubtful | TrialFitness::Unfit => News::Trouble(Trouble::new(judged.sentence)),
        });
    }
    context.say(News::Done(report.line()));
    Ok(())
}
