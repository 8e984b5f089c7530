//! `copydesk replay`: a story once more from its record, without any model.

use serde_json::json;

use crate::cli::prelude::*;
use crate::desk::{self, Outputs, Replayed};

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// The folder to write the files into. It must be empty or new [default: replays/RUN in the workspace].
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn replay(config: Option<&Path>, arguments: ReplayArgs) -> Result<Exit> {
    let (settings, store) = wiring::open_to_look(config)?;
    let (key, listed) = story::run(&store, &arguments.story).await?;
    let folder = arguments.into.unwrap_or_else(|| settings.workspace.join("replays").join(&listed.run));
    // Files of an earlier replay would be compared with this one's record.
    if std::fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        let message = format!("The folder {} is not empty. Name another with --into", folder.display());
        return Err(wrong_use(message));
    }
    let kept = wiring::outputs(&settings);
    let into = Outputs {
        workspace: folder.clone(),
        articles: folder.join("articles"),
        fact_checks: folder.join("fact_checks"),
        evidence_searches: folder.join("evidence_searches"),
        runs: kept.runs.clone(),
        save_intermediate_results: true,
        group_readable: false,
    };
    let bar = headless::Bar::new("repeating", "steps");
    let replayed = desk::replay(&store, key, &kept, &into, bar.progress()).await?;
    drop(bar);
    if arguments.json {
        let object = json!({
            "run": listed.run, "folder": folder.to_string_lossy(), "done_again": replayed.again, "recorded": replayed.recorded,
            "answers": replayed.answers, "same_files": replayed.same,
            "missing": replayed.missing.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
            "differences": replayed.differences,
        });
        headless::json(&object)?;
    } else {
        headless::data(&summary(&replayed, &folder))?;
    }
    Ok(if replayed.differences.is_empty() { Exit::Fine } else { Exit::Failed })
}

/// The replay, for a person.
fn summary(replayed: &Replayed, folder: &Path) -> String {
    let Replayed { again, recorded, answers, same, missing, differences } = replayed;
    let mut lines = vec![
        format!(
            "Repeated {} ({}); took {recorded} from the record.",
            crate::text::count(*again, "step"),
            crate::text::count(*answers, "recorded model answer")
        ),
        format!("{same} files are identical. The replay's files are in {}.", folder.display()),
    ];
    if !missing.is_empty() {
        lines.push(format!("{} files of the run are missing and were not compared.", missing.len()));
    }
    let differs = |difference: &String| format!("DIFFERENT: {}", sanitise::visible(difference));
    lines.extend(differences.iter().map(differs));
    lines.join("\n")
}
