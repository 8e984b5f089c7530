//! Asks model servers for their models, has models tried, and has settings written. Each runs in a task of its own that nothing waits for at the end: a
//! server may take long, and a file is written whole or not at all.

use std::sync::Arc;

use crate::editorial::trial::TrialFitness;
use crate::tui::{
    app::{news::News, trouble::Trouble, under_way::WorkKind},
    screens::settings::model::{NewSettings, ServerAt},
    worker::{
        context::WorkerContext,
        errands::{Reply, Working},
    },
};

pub(crate) fn list(context: &WorkerContext, named: Option<ServerAt>) {
    let (settings, news) = (Arc::clone(&context.tools.settings), context.news.clone());
    tokio::spawn(async move {
        let told = match settings.servers(named.as_ref()).await {
            Ok(servers) => News::Servers(servers),
            Err(trouble) => News::NoServer(trouble),
        };
        // If the screen has ended, nobody needs it.
        let _ = news.send(told);
    });
}

pub(crate) fn save(context: &WorkerContext, new: Box<NewSettings>, reply: Reply) {
    let settings = Arc::clone(&context.tools.settings);
    let working = Working::begin(context, WorkKind::Settings);
    tokio::spawn(async move {
        let _working = working;
        let saved = settings.save(&new).await;
        if saved.is_ok() {
            reply.say(News::SettingsSaved);
        }
        reply.end(saved);
    });
}

/// Tries the models and tells the figures, then a sentence for each role.
pub(crate) fn try_models(context: &WorkerContext, style: String, reply: Reply) {
    let desk = Arc::clone(&context.tools.desk);
    let working = Working::begin(context, WorkKind::Trial);
    tokio::spawn(async move {
        let tried = desk.try_models(&style, &working.progress()).await;
        drop(working);
        let told = tried.map(|report| {
            for judged in report.judgements() {
                reply.say(match judged.fitness {
                    TrialFitness::Fit => News::Done(judged.sentence),
                    TrialFitness::Doubtful | TrialFitness::Unfit => News::Trouble(Trouble::new(judged.sentence)),
                });
            }
            reply.say(News::Done(report.line()));
        });
        reply.end(told.map_err(|error| Trouble::new(error.to_string())));
    });
}
