//! Asks model servers for their models and a model for what it can take, has models tried, and has settings written. Each runs in a task of
//! its own that nothing waits for at the end: a server may take long, and a file is written whole or not at all.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::{
    app::{news::News, trouble::Trouble, under_way::WorkKind},
    screens::settings::model::{AskedModel, NewSettings, ServerAt},
    worker::{
        context::WorkerContext,
        errands::{Reply, Working},
    },
};
use copydesk_core::editorial::trial::TrialFitness;

pub(crate) fn list(context: &WorkerContext, named: Option<ServerAt>) {
    let (settings, news) = (Arc::clone(&context.tools.settings), context.news.clone());
    tokio::spawn(async move {
        let told = match settings.servers(named.as_ref()).await {
            Ok(servers) => News::Servers(servers),
            Err(trouble) => News::NoServer(trouble),
        };
        // If the screen has ended, the news is not needed.
        let _ = news.send(told);
    });
}

/// The model that is being asked, if one is. Dropping it stops that.
#[derive(Default)]
pub(crate) struct Measurement(JoinSet<()>);

impl Measurement {
    /// Asks another model; an earlier one is asked no longer.
    pub(crate) fn begin(&mut self, context: &WorkerContext, asked: AskedModel) {
        self.stop();
        let (settings, news) = (Arc::clone(&context.tools.settings), context.news.clone());
        let working = Working::begin(context, WorkKind::Settings);
        self.0.spawn(async move {
            let _working = working;
            let told = |what: &str| {
                // If the screen has ended, the news is not needed.
                let _ = news.send(News::Measuring(asked.at.clone(), what.to_owned()));
            };
            let measured = match settings.measure(&asked, &told).await {
                Ok(measured) => News::MeasuredModel(Box::new(measured)),
                Err(trouble) => News::NotMeasured(asked.at.clone(), trouble),
            };
            let _ = news.send(measured);
        });
    }

    pub(crate) fn stop(&mut self) {
        self.0.abort_all();
        self.0 = JoinSet::new();
    }
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
