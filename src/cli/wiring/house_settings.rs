//! Writes what was changed on the settings page to the configuration, and finds model servers for it.

use anyhow::Context;
use async_trait::async_trait;
use serde_yaml::Value;
use url::Url;

use crate::cli::exit::on_screen;
use crate::cli::prelude::*;
use crate::cli::wiring::{
    files,
    fitting::{Fit, FittedFile, agents, fitted},
    mcp,
    model_servers::{self, ProbedServer},
    settings::{self as configuration, MOST_BYTES},
    trust,
};
use crate::config::{self, Endpoint, Engine, EntryChange, KeyChange, PublishTarget, TargetPlace};
use crate::knowledge::regular;
use crate::llm::{Probe, measure};
use crate::tui::{
    app::trouble::Trouble,
    screens::settings::model::{
        ChoosableModel, FoundServer, MeasuredModel, ModelAt, NewSettings, NewTarget, NewTargetAt, SeenSettings,
        SeenTarget, ServerAt, TargetChange,
    },
    worker::context::HouseSettings,
};
use crate::{ports::Heard, text::yaml};

/// The key of the places for signed stories.
const TARGETS: &str = "publisher.targets";

/// The last lines of a file whose settings were chosen on the screen.
const CHOSEN: &str = "\n# The first settings were chosen on the screen.\n";

/// The settings as the screen shows them.
pub(crate) fn seen(settings: &Settings) -> SeenSettings {
    let generation = &settings.article_generation;
    let writer = &generation.models.writer;
    SeenSettings {
        file: settings.file.display().to_string(),
        editor: settings.editor.clone(),
        theme: settings.tui.theme,
        mouse: settings.tui.mouse,
        bell: settings.tui.bell,
        model: generation.engine.has_models().then(|| ModelAt {
            address: writer.endpoint.base.as_str().trim_end_matches('/').to_owned(),
            model: writer.model.clone(),
        }),
        local_only: settings.privacy.local_only,
        length: generation.default_target_length_words.clone(),
        style: generation.default_style_mode.clone(),
        channel: generation.default_channel.to_string(),
        desk: generation.default_desk.clone().unwrap_or_default(),
        spelling: settings.style.spelling,
        disclosure: settings.publisher.disclosure,
        targets: settings.publisher.targets.iter().map(seen_target).collect(),
    }
}

fn seen_target(target: &PublishTarget) -> SeenTarget {
    let place = match &target.at {
        TargetPlace::Folder(folder) => folder.display().to_string(),
        TargetPlace::Email(mail) => mail.to.join(", "),
        TargetPlace::Webhook(webhook) => webhook.endpoint.authority(),
        TargetPlace::Mcp(called) => format!("{} of {}", called.tool, called.server),
        TargetPlace::Bucket(bucket) => bucket.place.to_string(),
    };
    SeenTarget { name: target.name.clone(), said: format!("{place}, {}", target.format.name()) }
}

/// Writes one file.
pub(crate) struct SettingsKeeper {
    pub(crate) file: PathBuf,
}

impl SettingsKeeper {
    /// Returns the settings as they are then.
    fn write(&self, new: &NewSettings) -> Result<SeenSettings> {
        let shown = self.file.display();
        // A link stays a link: what it points to is replaced.
        let file = self.file.canonicalize().with_context(|| format!("{shown} cannot be found; nothing was changed"))?;
        let yaml = regular::read_to_string(&file, MOST_BYTES)
            .with_context(|| format!("{shown} cannot be read; nothing was changed"))?;
        let now = seen(&configuration::parsed(&self.file, &yaml)?);
        let root = config::with_shared(yaml::value(&yaml).context("the configuration cannot be read")?);
        let mut text = config::set_keys(&yaml, &changes(new, &now, &root)?)?;
        if let Some(change) = &new.target {
            if now.targets != new.before.targets {
                return Err(changed_meanwhile(TARGETS, &now));
            }
            text = config::set_entry(&text, TARGETS, &entry_change(change))?;
        }
        if new.first && !text.ends_with(CHOSEN) {
            text.push_str(CHOSEN);
        }
        let settings = configuration::parsed(&self.file, &text)?;
        mcp::built_in(&settings).map_err(|error| WrongUse(error.to_string()))?;
        if new.after.model.is_some() && new.after.model != new.before.model {
            prompts(&settings)?;
        }
        files::replace(&file, &text).with_context(|| format!("{shown} cannot be written; nothing was changed"))?;
        trust::keep(&settings)?;
        Ok(seen(&settings))
    }
}

/// A text of the settings.
type OfSettings = fn(&SeenSettings) -> &str;

/// The keys to set. A key that was changed in the file since the page was opened is not overwritten.
fn changes(new: &NewSettings, now: &SeenSettings, root: &Value) -> Result<Vec<KeyChange>> {
    let NewSettings { before, after, key, .. } = new;
    let mut changes = Vec::new();
    let mut set = |path: &str, differs: bool, as_before: bool, to: Value| -> Result<()> {
        if differs && !as_before {
            return Err(changed_meanwhile(path, now));
        }
        if differs {
            changes.push(KeyChange::new(path, to));
        }
        Ok(())
    };
    set("editor", after.editor != before.editor, now.editor == before.editor, after.editor.as_str().into())?;
    set("tui.theme", after.theme != before.theme, now.theme == before.theme, after.theme.name().into())?;
    set("tui.mouse", after.mouse != before.mouse, now.mouse == before.mouse, after.mouse.into())?;
    set("tui.bell", after.bell != before.bell, now.bell == before.bell, after.bell.into())?;
    let texts: [(&str, OfSettings); 6] = [
        ("article_generation.default_target_length_words", |seen| seen.length.as_str()),
        ("article_generation.default_style_mode", |seen| seen.style.as_str()),
        ("article_generation.default_channel", |seen| seen.channel.as_str()),
        ("article_generation.default_desk", |seen| seen.desk.as_str()),
        ("style.spelling", |seen| seen.spelling.name()),
        ("publisher.disclosure", |seen| seen.disclosure.name()),
    ];
    for (path, text) in texts {
        let to = Some(text(after)).filter(|text| !text.is_empty()).map_or(Value::Null, Value::from);
        set(path, text(after) != text(before), text(now) == text(before), to)?;
    }
    let engine = if after.model.is_some() { Engine::Llm } else { Engine::Offline };
    let other = after.model != before.model;
    set("article_generation.engine", other, now.model == before.model, engine.name().into())?;
    if let Some(model) = after.model.as_ref().filter(|_| other) {
        for agent in agents(root).map(|agent| format!("article_generation.agents.{agent}")) {
            let base = format!("{agent}.api_base");
            let moves = config::value_at(root, &base).as_ref().and_then(Value::as_str) != Some(&model.address);
            changes.push(KeyChange::new(format!("{agent}.model"), model.model.as_str()));
            changes.push(KeyChange::new(base, model.address.as_str()));
            // One server's key is no other's business.
            match key {
                Some(key) => changes.push(KeyChange::new(format!("{agent}.api_key"), key.reveal())),
                None if moves => changes.push(KeyChange::new(format!("{agent}.api_key"), "none")),
                None => {}
            }
        }
        changes.extend(new.learned.iter().cloned());
    }
    if now.local_only && !after.local_only {
        changes.push(KeyChange::new("privacy.local_only", false));
    }
    Ok(changes)
}

fn changed_meanwhile(path: &str, now: &SeenSettings) -> anyhow::Error {
    wrong_use(format!("{path} was changed in {} meanwhile; open the settings again to see it", now.file))
}

fn entry_change(change: &TargetChange) -> EntryChange {
    match change {
        TargetChange::Add(target) => EntryChange::Add(Value::Mapping(entry(target).into_iter().collect())),
        TargetChange::Remove(place) => EntryChange::Remove(*place),
    }
}

/// The keys of a new place, as the configuration has them.
fn entry(target: &NewTarget) -> Vec<(Value, Value)> {
    let text = |text: &str| Value::from(text);
    let mut keys = vec![
        ("name", text(&target.name)),
        ("kind", text(target.at.kind().name())),
        ("format", text(target.format.name())),
    ];
    keys.extend(match &target.at {
        NewTargetAt::Folder(folder) => vec![("folder", text(folder))],
        NewTargetAt::Webhook { url, secret } => {
            vec![("url", text(url)), ("secret", text(secret.reveal())), ("timeout_seconds", 15.into())]
        }
        NewTargetAt::Email { to, from, server, login } => {
            let with_port = server.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
            let (host, port) = with_port.unwrap_or((server.as_str(), MAIL_PORT));
            let security = match target.at.other_machine() {
                _ if port == MAIL_PORT_TLS => "tls",
                Some(_) => "starttls",
                None => "none",
            };
            let login = login.as_ref();
            let (user, password) = (login.map(|(user, _)| text(user)), login.map(|(_, word)| text(word.reveal())));
            let to: Vec<Value> = to.split(',').map(|address| text(address.trim())).collect();
            vec![
                ("server", text(host)),
                ("port", port.into()),
                ("security", text(security)),
                ("user", user.unwrap_or(Value::Null)),
                ("password", password.unwrap_or(Value::Null)),
                ("from", text(from)),
                ("to", Value::Sequence(to)),
                ("timeout_seconds", 30.into()),
            ]
        }
    });
    keys.into_iter().map(|(key, value)| (text(key), value)).collect()
}

/// The usual ports of mail: the second is encrypted from the first byte on.
const MAIL_PORT: u16 = 587;
const MAIL_PORT_TLS: u16 = 465;

/// Models need prompts and styles. Those that the program brings are written where they are missing.
fn prompts(settings: &Settings) -> Result<()> {
    let root = &settings.article_generation.editor.prompts.root_dir;
    if let Some(folder) = root.parent().filter(|_| root.ends_with("article_editor")) {
        files::write_prompts(folder)?;
    }
    files::prompts(settings)?;
    files::styles(settings)?;
    Ok(())
}

impl SettingsKeeper {
    /// The file as it would be with the model of `asked` for every agent, and its settings, so that the model is asked as the stories' calls
    /// will ask it.
    fn with(&self, asked: &ChoosableModel) -> Result<(String, Settings)> {
        let shown = self.file.display();
        let yaml =
            regular::read_to_string(&self.file, MOST_BYTES).with_context(|| format!("{shown} cannot be read"))?;
        let now = seen(&configuration::parsed(&self.file, &yaml)?);
        let after = SeenSettings { model: Some(asked.at.clone()), local_only: false, ..now.clone() };
        let before = now.clone();
        let key = asked.key.clone();
        let new = NewSettings { before, after, key, learned: Vec::new(), target: None, first: false };
        let root = config::with_shared(yaml::value(&yaml).context("the configuration cannot be read")?);
        let yaml = config::set_keys(&yaml, &changes(&new, &now, &root)?)?;
        let settings = configuration::parsed(&self.file, &yaml)?;
        Ok((yaml, settings))
    }

    /// Asks the model, and says which settings of the file fit it. Those that stand there in a way that cannot be set are left to a
    /// person, who is told.
    async fn ask(&self, asked: &ChoosableModel, told: Heard<'_>) -> Result<MeasuredModel> {
        let (yaml, settings) = self.with(asked)?;
        let model = &settings.article_generation.models.writer;
        let measured =
            super::house(&settings, "settings: trial of a model").during(measure(model, &settings, told)).await;
        let profile = measured.map_err(|error| {
            let name = &model.model;
            WrongUse(format!("{name} did not answer: {error}. Nothing was changed; choose another model, or none"))
        })?;
        let root = config::with_shared(yaml::value(&yaml).context("the configuration cannot be read")?);
        let file = FittedFile::new(&root, agents(&root).collect(), model, Fit::New);
        let mut said = profile.lines();
        let mut fitting = fitted(&profile, &file);
        fitting.retain(|change| {
            let is_set = config::set_keys(&yaml, std::slice::from_ref(change)).is_ok();
            if !is_set {
                said.push(format!("set {} to {} in the file yourself", change.path, config::written(&change.to)));
            }
            is_set
        });
        Ok(MeasuredModel { at: asked.at.clone(), said, changes: fitting })
    }
}

/// The address of a server that a person typed.
fn endpoint(address: &str) -> Result<Endpoint> {
    let base = Url::parse(address)
        .ok()
        .filter(|base| ["http", "https"].contains(&base.scheme()) && base.has_host())
        .ok_or_else(|| WrongUse("that is no address; one looks like http://127.0.0.1:1234/v1".into()))?;
    if !base.username().is_empty() || base.password().is_some() || base.query().is_some() {
        return Err(wrong_use("the address holds a key; write it in its own field"));
    }
    Ok(Endpoint { base, setting: "the settings page".into() })
}

fn found(server: &ProbedServer, key: Option<&config::Secret>) -> Option<FoundServer> {
    let Probe::Models(models) = &server.answer else { return None };
    let address = server.endpoint.base.as_str().trim_end_matches('/').to_owned();
    Some(FoundServer {
        name: server.name.to_owned(),
        at: ServerAt { address, key: key.cloned() },
        host: server.endpoint.authority(),
        here: server.endpoint.is_loopback(),
        models: models.clone(),
    })
}

#[async_trait]
impl HouseSettings for SettingsKeeper {
    async fn servers(&self, named: Option<&ServerAt>) -> Result<Vec<FoundServer>, Trouble> {
        let Some(ServerAt { address, key }) = named else {
            return Ok(model_servers::usual().await.iter().filter_map(|server| found(server, None)).collect());
        };
        let endpoint = endpoint(address).map_err(|error| on_screen(&error))?;
        let books = configuration::read(&self.file).ok().and_then(|settings| super::house(&settings, "").books);
        let server = model_servers::named(endpoint, key.as_ref(), books).await;
        match &server.answer {
            Probe::Nothing(why) => Err(Trouble::new(format!(
                "{} does not answer as a model server does: {why}",
                server.endpoint.authority()
            ))),
            Probe::Loading => {
                Err(Trouble::new(format!("{} is loading its model; try again", server.endpoint.authority())))
            }
            Probe::Models(_) => Ok(found(&server, key.as_ref()).into_iter().collect()),
        }
    }

    async fn measure(&self, asked: &ChoosableModel, told: Heard<'_>) -> Result<MeasuredModel, Trouble> {
        self.ask(asked, told).await.map_err(|error| on_screen(&error))
    }

    async fn save(&self, new: &NewSettings) -> Result<SeenSettings, Trouble> {
        self.write(new).map_err(|error| on_screen(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TEMPLATE;
    use crate::editorial::export::ExportFormat;
    use crate::newsroom::Disclosure;
    use crate::text::spelling::HouseSpelling;

    #[test]
    fn what_is_set_on_the_page_is_written_and_the_comments_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.yaml");
        std::fs::write(&file, TEMPLATE).unwrap();
        let keeper = SettingsKeeper { file: file.clone() };
        let before = seen(&configuration::parsed(&file, TEMPLATE).unwrap());
        let after = SeenSettings {
            length: "250-400".into(),
            style: "NATURE_NEWS".into(),
            channel: "metro".into(),
            desk: "city".into(),
            spelling: HouseSpelling::British,
            disclosure: Disclosure::AiAssisted,
            ..before.clone()
        };
        let at = NewTargetAt::Folder("./data/published".into());
        let target = Some(TargetChange::Add(NewTarget { name: "site".into(), format: ExportFormat::Docx, at }));
        let new = NewSettings { before, after, key: None, learned: Vec::new(), target, first: false };
        let now = keeper.write(&new).unwrap();
        let written = std::fs::read_to_string(&file).unwrap();
        assert_eq!(written.lines().count(), TEMPLATE.lines().count());
        let changed: Vec<&str> = written
            .lines()
            .zip(TEMPLATE.lines())
            .filter(|(after, before)| after != before)
            .map(|(after, _)| after.trim())
            .collect();
        assert_eq!(
            changed,
            [
                "default_channel: metro",
                "default_desk: city",
                "default_style_mode: NATURE_NEWS",
                "default_target_length_words: \"250-400\"",
                "disclosure: ai_assisted",
                "targets: [{name: site, kind: folder, format: docx, folder: \"./data/published\"}]",
                "spelling: british",
            ]
        );
        assert_eq!(now, seen(&configuration::parsed(&file, &written).unwrap()));
        assert_eq!(now.targets.len(), 1, "{now:?}");
        assert_eq!(SeenSettings { targets: Vec::new(), ..now.clone() }, new.after);
        // A second program that has not seen this overwrites nothing.
        let error = keeper.write(&new).unwrap_err().to_string();
        assert!(error.contains("was changed in") && error.contains("meanwhile"), "{error}");
        let (before, after) = (now.clone(), SeenSettings { desk: String::new(), ..now });
        let target = Some(TargetChange::Remove(0));
        keeper.write(&NewSettings { before, after, target, ..new }).unwrap();
        let written = std::fs::read_to_string(&file).unwrap();
        assert!(written.contains("  default_desk: null\n") && written.contains("  targets: null\n"), "{written}");
    }
}
