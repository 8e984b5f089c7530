//! `copydesk init`: a configuration for what is found on this machine, with the settings that fit the server that was found.

use anyhow::Context;
use url::Url;

use crate::cli::prelude::*;
use crate::cli::wiring::{
    files,
    fitting::{Fit, FittedFile, agents, fitted},
    model_servers::USUAL,
    trust,
};
use crate::config::{self, Endpoint};
use crate::llm::{Probe, choose_writer, measure, probe_loaded};
use crate::{ports::Occasion, text::yaml};

/// The server of the template.
const TEMPLATE_SERVER: &str = "http://127.0.0.1:1234/v1";

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Ask this server instead of the usual local ones (an address that ends in /v1). May be given more than once.
    #[arg(long, value_name = "URL")]
    server: Vec<String>,
    /// Replace an existing configuration. The old one is kept beside it.
    #[arg(long)]
    force: bool,
}

pub(crate) async fn init(given: Option<&Path>, arguments: InitArgs) -> Result<Exit> {
    let file = given.map_or_else(|| PathBuf::from(settings::LOCAL), Path::to_owned);
    if file.exists() && !arguments.force {
        return Err(wrong_use(format!(
            "{} exists. --force replaces it and keeps the old one beside it",
            file.display()
        )));
    }
    let servers: Vec<(String, String)> = if arguments.server.is_empty() {
        USUAL.iter().map(|(name, address)| ((*name).to_owned(), (*address).to_owned())).collect()
    } else {
        arguments.server.iter().map(|address| ("the server".to_owned(), address.clone())).collect()
    };
    let chosen = find(servers).await?;
    let workspace = std::env::current_dir().context("the current folder cannot be read")?;
    let mut yaml = config::TEMPLATE.replacen(
        "workspace: .",
        &format!("workspace: {}", files::yaml_text(&workspace.display().to_string())),
        1,
    );
    if let Some((address, model)) = &chosen {
        yaml = yaml
            .replacen("engine: offline", "engine: llm", 1)
            .replace("your-model-name", &files::yaml_text(model))
            .replace(TEMPLATE_SERVER, address);
        let local = Url::parse(address).is_ok_and(|base| Endpoint { base, setting: String::new() }.is_loopback());
        if !local {
            headless::message(&format!(
                "{address} is not this machine: privacy.local_only is set to false, and texts will go there"
            ));
            yaml = yaml.replacen("local_only: true", "local_only: false", 1);
        }
    }
    let load =
        |yaml: &str| config::load(&file, yaml, &workspace).context("the configuration that init made is not valid");
    let mut made = load(&yaml)?;
    if chosen.is_some()
        && let Some(fitting) = fit(&yaml, &made).await?
    {
        yaml = fitting;
        made = load(&yaml)?;
    }
    if file.exists() {
        let old = files::free_name(&file);
        std::fs::rename(&file, &old)
            .with_context(|| format!("{} cannot be kept as {}", file.display(), old.display()))?;
        headless::message(&format!("The old configuration is kept as {}", old.display()));
    }
    files::write_new(&file, &yaml)?;
    trust::keep(&made)?;
    let written = files::write_prompts(&workspace.join("prompts"))?;
    if !written.is_empty() {
        headless::message(&format!(
            "{} files with prompts, styles and skills were written to {}",
            written.len(),
            workspace.join("prompts").display()
        ));
    }
    match chosen {
        Some((address, model)) => headless::message(&format!(
            "{}: engine: llm with {model} at {address} for every agent. `copydesk doctor` checks it; `copydesk trial` says in some minutes for what work the model will do.",
            file.display()
        )),
        None => headless::message(&format!(
            "{}: engine: offline, because no server with a model was found. Start one and run `copydesk init --force`, or write its address below `models`.",
            file.display()
        )),
    }
    Ok(Exit::Fine)
}

/// The first server that offers a model that can write: its address, and the model.
async fn find(servers: Vec<(String, String)>) -> Result<Option<(String, String)>> {
    let mut chosen: Option<(String, String)> = None;
    for (name, address) in servers {
        let base = Url::parse(&address).map_err(|error| WrongUse(format!("--server {address}: {error}")))?;
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong_use("--server holds a user name or password; write the key below `models` instead"));
        }
        let endpoint = Endpoint { base, setting: "--server".into() };
        let wait = || headless::message(&format!("{name} at {address} is loading its model; waiting for it…"));
        // There is no database yet that could note it.
        match Occasion::of_house("init", None).during(probe_loaded(&endpoint, None, false, wait)).await {
            Probe::Models(models) => {
                headless::message(&format!(
                    "{name} at {address}: {}",
                    if models.is_empty() { "no model loaded".into() } else { models.join(", ") }
                ));
                if chosen.is_none() {
                    let writer = Occasion::of_house("init", None).during(choose_writer(&endpoint, &models)).await;
                    chosen = writer.map(|model| (address, model));
                }
            }
            Probe::Loading => headless::message(&format!("{name} at {address}: still loading its model")),
            Probe::Nothing(why) => headless::message(&format!("{name} at {address}: not found ({why})")),
        }
    }
    Ok(chosen)
}

/// The configuration with the settings that fit its model, which is asked for them; none if it gives no answer.
async fn fit(yaml: &str, settings: &Settings) -> Result<Option<String>> {
    let model = &settings.article_generation.models.writer;
    headless::message(&format!("{}: a few short questions, to learn what it can take", model.model));
    let told = |what: &str| headless::message(&format!("  {what}…"));
    let profile = match Occasion::of_house("init", None).during(measure(model, settings, &told)).await {
        Ok(profile) => profile,
        Err(error) => {
            headless::message(&format!(
                "{} gave no answer ({error}). The file has the usual settings; `copydesk doctor --probe` asks again",
                model.model
            ));
            return Ok(None);
        }
    };
    headless::messages(profile.lines().iter().map(|line| format!("  {line}")));
    let root = config::with_shared(yaml::value(yaml).context("the template cannot be read")?);
    let file = FittedFile::new(&root, agents(&root).collect(), model, Fit::New);
    Ok(Some(config::set_keys(yaml, &fitted(&profile, &file))?))
}
