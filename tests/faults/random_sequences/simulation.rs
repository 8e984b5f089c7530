//! A simulation of the desk: several programs, a queue, a model server and a clock, all of them led by one seed. Programs are killed, die
//! between two commits, or hang until their stories are taken over, and wake again. An editor decides on the stories that wait, in any way
//! that is possible. The desk and its store are the real ones.
//!
//! On a PostgreSQL server each program is on a machine of its own: its sessions and locks are its own, and only the server is shared.
//!
//! A seed that fails says so; `COPYDESK_SEED=… cargo test --test faults -- simulation` plays it alone, `COPYDESK_SEEDS=…` plays so many.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard},
};

use copydesk::{
    desk::StoryLocks,
    editorial::decisions::waits,
    newsroom::{CallKey, Event, Priority, Wait},
    ports::{
        Archive as _, Failing, InStep, Leased, MessageState, Outlook, Queue, QueuedMessage, ServerDown, Start, Taken,
    },
};
use sha2::{Digest as _, Sha256};
use tokio::{runtime::Runtime, time::Instant as Moment};

use super::*;

/// Virtual milliseconds in which programs are killed and hang.
const BAD_TIMES: i64 = 9_000;

/// Virtual milliseconds in which everything must be over.
const LONGEST: i64 = 300_000;

const LEASE: Duration = Duration::from_secs(1);

/// Opens a desk, as each program does that works there.
type Opens = Box<dyn Fn() -> Store>;

/// A database with all tables and no rows.
static EMPTY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = in_memory();
    let file = folder.path().join("copydesk.db");
    drop(Store::open(&file).unwrap());
    std::fs::read(&file).unwrap()
});

/// An empty desk in a file of the house. Its programs share one connection.
fn in_file(house: &House) -> Opens {
    // An empty database is made once.
    std::fs::write(house.folder.path().join("copydesk.db"), &*EMPTY).unwrap();
    let store = house.store();
    Box::new(move || store.clone())
}

/// The fate that a seed decides.
struct Fate(u64);

impl Fate {
    fn up_to(&mut self, most: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % most
    }
}

/// Everything that was committed, by whichever program.
#[derive(Default)]
struct Ledger {
    done: HashSet<(RunKey, Step)>,
    answered: HashSet<(RunKey, Step)>,
    /// Commits, each with its program, run and steps.
    trace: Vec<String>,
    refused: usize,
    faults: Vec<String>,
}

impl Ledger {
    fn note(&mut self, program: usize, run: RunKey, commit: &Commit) {
        let steps: Vec<String> = commit.entries.iter().map(|entry| entry.step.to_string()).collect();
        self.trace.push(format!("{program} {} {}", run.0, steps.join(" ")));
        for entry in &commit.entries {
            if !self.done.insert((run, entry.step)) {
                self.faults.push(format!("{} of run {} is done twice", entry.step, run.0));
            }
        }
        let asked = commit.queue.put.iter().filter_map(|put| match &put.start {
            Some(Start::Call(intent, _)) => Some(&intent.key),
            Some(Start::Repeat(key, _)) => Some(key),
            Some(Start::Act(_)) | None => None,
        });
        for CallKey { step, .. } in asked.chain(&commit.repeats) {
            if self.answered.contains(&(run, *step)) {
                self.faults.push(format!("{step} of run {} is asked again", run.0));
            }
        }
        self.answered.extend(commit.answers.iter().map(|(key, _)| (run, key.step)));
    }
}

/// The records of one program.
struct Noting {
    store: Store,
    program: usize,
    ledger: Arc<Mutex<Ledger>>,
    /// Commits until it dies.
    left: Arc<AtomicUsize>,
    dead: Arc<Notify>,
}

impl Noting {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap()
    }

    async fn lives(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 0 {
            self.dead.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl Records for Noting {
    async fn open_run(
        &self,
        run: NewRun,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError> {
        self.lives().await;
        let first = run.first.clone();
        let opened = self.store.open_run(run, slots).await?;
        if let Some((run, _)) = &opened {
            self.ledger().note(self.program, *run, &first);
        }
        Ok(opened)
    }
    async fn commit(
        &self,
        run: RunKey,
        commit: Commit,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Committed, StoreError> {
        self.lives().await;
        let committed = self.store.commit(run, commit.clone(), slots).await;
        match &committed {
            Ok(_) => self.ledger().note(self.program, run, &commit),
            Err(StoreError::TakenOver { .. }) => self.ledger().refused += 1,
            Err(error) => self.ledger().faults.push(format!("a commit of run {} failed: {error}", run.0)),
        }
        committed
    }
    async fn load(&self, run: RunKey) -> Result<StoredRun, StoreError> {
        self.store.load(run).await
    }
    async fn answer_for(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError> {
        self.store.answer_for(run, digest).await
    }
    async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError> {
        self.store.unfinished().await
    }
    async fn files_written(&self, run: RunKey) -> Result<(), StoreError> {
        self.lives().await;
        self.store.files_written(run).await
    }
}

/// The queue of one program: whatever it takes, nothing more urgent may be left.
struct InOrder {
    store: Store,
    ledger: Arc<Mutex<Ledger>>,
    priorities: Arc<HashMap<String, Priority>>,
}

impl InOrder {
    async fn check(&self, taken: &[Taken]) -> Result<(), StoreError> {
        let runs: Vec<RunKey> = taken.iter().map(|taken| taken.run).collect();
        let listed = self.store.listed(&runs).await?;
        let least = listed.iter().filter_map(|(_, run)| self.priorities.get(&run.story)).min();
        let waiting = self.store.messages(Some(MessageState::Waiting)).await?;
        // A story that another program works on is that program's.
        let at_work = self.store.messages(Some(MessageState::Leased)).await?;
        let is_free = |message: &&QueuedMessage| !at_work.iter().any(|leased| leased.run == message.run);
        let mut free = waiting.iter().filter(is_free);
        let urgent = free.find(|message| least.is_some_and(|least| message.priority > *least));
        if let Some(urgent) = urgent {
            let fault = format!("{} waits although less urgent stories were taken: {taken:?}", urgent.story);
            self.ledger.lock().unwrap().faults.push(fault);
        }
        Ok(())
    }
}

macro_rules! as_the_store {
    ($(fn $name:ident($($argument:ident: $of:ty),*) -> $out:ty;)*) => {
        #[async_trait]
        impl Queue for InOrder {
            async fn take(&self, slots: Arc<dyn Slots>, now: i64) -> Result<Vec<Taken>, StoreError> {
                let taken = self.store.take(slots, now).await?;
                self.check(&taken).await?;
                Ok(taken)
            }
            $(async fn $name(&self, $($argument: $of),*) -> Result<$out, StoreError> {
                Queue::$name(&self.store, $($argument),*).await
            })*
        }
    };
}

as_the_store! {
    fn wake(now: i64) -> ();
    fn outlook(worker: &str, pins: &str, only: Option<&str>) -> Outlook;
    fn put_back(worker: &str, run: RunKey, not_before: Option<i64>, now: i64) -> ();
    fn put_all_back(worker: &str, now: i64) -> ();
    fn take_out(worker: &str, run: RunKey) -> ();
    fn renew(worker: &str, until: i64) -> ();
    fn leases() -> Vec<Leased>;
    fn pass_on(story: &StoryKey) -> ();
    fn release(worker: &str, run: RunKey, now: i64) -> ();
    fn mend(pins: &str, now: i64) -> ();
    fn hold(run: RunKey, now: i64) -> ();
    fn resume(run: RunKey, pins: &str, now: i64) -> ();
    fn unfinished_run(run: RunKey) -> Option<Unfinished>;
    fn messages(state: Option<MessageState>) -> Vec<QueuedMessage>;
    fn drop_dead(run: RunKey, step: Step, by: &str, reason: &str, at: &str) -> bool;
    fn failing(server: &str, now: i64) -> Failing;
    fn servers_down(now: i64) -> Vec<ServerDown>;
}

/// The clock of one program: virtual time, in which it may have been stopped for a while.
struct Sliced(Mutex<(i64, Moment)>);

impl Clock for Sliced {
    fn now(&self) -> Timestamp {
        let (at, since) = *self.0.lock().unwrap();
        let passed = at + i64::try_from(since.elapsed().as_millis()).unwrap();
        "2026-10-06T12:00:00Z".parse::<Timestamp>().unwrap().checked_add(passed.milliseconds()).unwrap()
    }
}

/// A model server that takes its time, is away now and then, and says the same to the same question.
struct Server {
    seed: u64,
    asked: Mutex<HashMap<u64, u64>>,
}

#[async_trait]
impl ModelClient for Server {
    fn card(&self, _: Agent) -> ModelProfile {
        ModelProfile {
            model: "simulated".into(),
            host: HOST.into(),
            max_retries: 2,
            retry_delay: Duration::from_millis(40),
            max_tokens: 1000,
            shape: String::new(),
        }
    }

    async fn ask(&self, ask: &Ask, _: Heard<'_>) -> Result<Answer, CallError> {
        let user = ask.prompt.messages[1].text();
        let digest = Sha256::digest(format!("{} {:?} {user}", self.seed, ask.agent));
        let question = digest.iter().take(8).fold(0, |all, byte| (all << 8) | u64::from(*byte));
        let before = {
            let mut asked = self.asked.lock().unwrap();
            let count = asked.entry(question).or_insert(0);
            *count += 1;
            *count
        };
        let mut fate = Fate(question ^ before);
        let takes = if fate.up_to(8) == 0 { 2_000 + fate.up_to(4_000) } else { 1 + fate.up_to(300) };
        let goes = fate.up_to(100);
        tokio::time::sleep(Duration::from_millis(takes)).await;
        let text = match ask.agent {
            _ if goes < 5 => {
                return Err(CallError::Unreachable { host: HOST.into(), detail: "it is away".into() });
            }
            Agent::Specialist(_) if goes < 10 => "no verdict at all".into(),
            Agent::Writer => {
                let before = user.rsplit_once("(draft ").map_or(0, |(_, rest)| u32::from(rest.as_bytes()[0] - b'0'));
                serde_json::to_string(&article(before + 1)).unwrap()
            }
            Agent::ArticleReview => {
                let bullet = |excerpt| format!("- “{excerpt}” unsupported_fact: the source does not say so.");
                let count = usize::try_from(fate.up_to(3)).unwrap();
                let bullets = EXCERPTS[..count].iter().map(bullet).collect::<Vec<_>>();
                if bullets.is_empty() { "No concerns.".to_owned() } else { bullets.join("\n") }
            }
            Agent::ConcernMapping => {
                let count = u32::try_from(user.matches("\"concern_id\"").count()).unwrap();
                let mapping = |id: u32| {
                    serde_json::json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": "opinion",
                        "confidence": "high", "reason": "fits"})
                };
                serde_json::json!({ "mappings": (1..=count).map(mapping).collect::<Vec<_>>() }).to_string()
            }
            _ => {
                let concern = user.split_once("CONCERN_ID: ").unwrap().1.split_whitespace().next().unwrap();
                let (concern, keeps) = (concern.parse::<u32>().unwrap(), fate.up_to(3) > 0);
                serde_json::json!({"concern_id": concern, "misleading": !keeps, "status": if keeps { "KEEP" } else { "REWRITE" },
                    "rationale": "So it is.", "suggested_fix": (!keeps).then_some("Mend it."), "evidence": null, "citations": null})
                .to_string()
            }
        };
        let usage = Usage { prompt_tokens: Some(100), completion_tokens: Some(10), ..Usage::default() };
        Ok(Answer { text, usage, ..Answer::default() })
    }
}

/// A program at work.
struct Program {
    runtime: Runtime,
    clock: Arc<Sliced>,
    left: Arc<AtomicUsize>,
    dead: Arc<Notify>,
    shift: Arc<QueueWorker>,
    /// It hangs until then.
    hangs_until: i64,
    locks: StoryLocks,
    store: Store,
}

impl Program {
    /// Waits until it has its locks again, after its server was away. Nothing else of it goes on meanwhile.
    fn comes_back(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(self.store.shared().unwrap().holders(&[])).unwrap();
    }

    /// Runs it for a while from `now` on. Returns whether it lives.
    fn goes_on(&self, now: i64, slice: Duration) -> bool {
        self.runtime.block_on(async {
            *self.clock.0.lock().unwrap() = (now, Moment::now());
            tokio::select! {
                biased;
                () = self.dead.notified() => false,
                () = tokio::time::sleep(slice) => true,
            }
        })
    }
}

/// All that a seed leads.
struct World {
    seed: u64,
    fate: Fate,
    house: House,
    /// The desk that the checks read.
    store: Store,
    opens: Opens,
    ledger: Arc<Mutex<Ledger>>,
    priorities: Arc<HashMap<String, Priority>>,
    server: Arc<Server>,
    now: i64,
    started: usize,
    /// The server of the desk is killed then.
    crash: Option<(i64, fn())>,
}

impl World {
    fn new(seed: u64, place: fn(&House) -> Opens) -> Self {
        let mut fate = Fate(seed);
        let house = House { folder: in_memory(), ..House::new(Settings { specialists: 2, ..FIRST }) };
        let opens = place(&house);
        let store = opens();
        let count = 2 + fate.up_to(2);
        let priority = |fate: &mut Fate| match fate.up_to(3) {
            0 => Priority::Low,
            1 => Priority::Normal,
            _ => Priority::High,
        };
        let priorities = (0..count).map(|number| (format!("desk/park-{number}"), priority(&mut fate))).collect();
        let server = Arc::new(Server { seed, asked: Mutex::default() });
        Self {
            seed,
            house,
            store,
            opens,
            ledger: Arc::default(),
            priorities: Arc::new(priorities),
            server,
            now: 0,
            started: 0,
            crash: None,
            fate,
        }
    }

    fn start(&mut self) -> Program {
        let program = self.started;
        self.started += 1;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let dead = Arc::<Notify>::default();
        let store = (self.opens)();
        let entered = runtime.enter();
        let clock = Arc::new(Sliced(Mutex::new((self.now, Moment::now()))));
        let mut desk = Arc::into_inner(self.house.desk_on(&store, usize::MAX, &dead)).unwrap();
        if let Some(server) = store.shared() {
            let folder = self.house.folder.path().join(format!("locks of machine {program}"));
            desk.locks = StoryLocks::new(folder, Some(server));
        }
        let locks = desk.locks.clone();
        let mut rules = (*desk.queue_rules).clone();
        rules.lease = LEASE;
        rules.max_redeliveries = 3;
        (rules.backoff, rules.longest_backoff) = (Duration::from_millis(50), Duration::from_millis(400));
        rules.pools = Pool::ALL.into_iter().map(|pool| (pool, 64)).collect();
        for limits in rules.servers.values_mut() {
            limits.at_once = 64;
        }
        desk.queue_rules = Arc::new(rules);
        desk.model = Arc::clone(&self.server) as Arc<dyn ModelClient>;
        desk.clock = Arc::clone(&clock) as Arc<dyn Clock>;
        desk.records = Arc::new(Noting {
            store: store.clone(),
            program,
            ledger: Arc::clone(&self.ledger),
            left: Arc::clone(&left),
            dead: Arc::clone(&dead),
        });
        desk.queue = Arc::new(InOrder {
            store: store.clone(),
            ledger: Arc::clone(&self.ledger),
            priorities: Arc::clone(&self.priorities),
        });
        let shift = QueueWorker::start(Arc::new(desk), &format!("program {program}"), 2, WorkScope::Everything);
        drop(entered);
        Program { runtime, clock, left, dead, shift: Arc::new(shift), hangs_until: 0, locks, store }
    }

    /// The topics are handed in, by a program that does nothing else until they are. An editor decides on the first.
    fn hand_in(&self, program: &Program) {
        let mut stories: Vec<_> = self.priorities.iter().collect();
        stories.sort();
        let assignments: Vec<_> = stories
            .into_iter()
            .enumerate()
            .map(|(number, (story, priority))| {
                let slug = story.trim_start_matches("desk/");
                let mut assignment = assignment(false, if number == 0 { Gates::Editor } else { Gates::Auto });
                assignment.topic.source_metadata.topic_slug = PathName::new(slug).unwrap();
                assignment.topic.source_text += " These are the minutes of ";
                assignment.topic.source_text += slug;
                Assignment { priority: Some(*priority), ..assignment }
            })
            .collect();
        let shift = Arc::clone(&program.shift);
        program.runtime.block_on(async {
            for assignment in assignments {
                shift.begin(assignment).await.unwrap();
            }
        });
    }

    /// An editor decides on a story that waits, if any does: in the bad times whatever comes to mind, then so that it ends. A run that was
    /// left and that no program has is resumed. Returns whether the editor's program lives.
    fn editor_decides(&mut self, program: &Program, bad: bool) -> bool {
        let unfinished = self.read(async |store| store.unfinished().await);
        let with_editor = unfinished.into_iter().find(|run| run.story.to_string() == "desk/park-0");
        let Some(run) = with_editor else { return true };
        let journal = self.read(async |store| store.load(run.key).await).journal;
        let (shift, (key, story)) = (Arc::clone(&program.shift), (run.key, run.story.clone()));
        let decided = run.waits.then(|| {
            let at_sign_off = matches!(waits(&journal), Some(Wait::SignOff { .. }));
            match self.fate.up_to(3) {
                _ if bad => choice(u8::try_from(self.fate.up_to(256)).unwrap(), &journal),
                _ if at_sign_off => Choice::SignOff { chain: String::new(), as_notes: false },
                0 => Choice::Stet { reason: "It may stand.".into() },
                _ => Choice::Continue,
            }
        });
        if decided.is_none() && bad {
            return true;
        }
        let mut desk = Arc::into_inner(self.house.desk_on(&program.store, usize::MAX, &program.dead)).unwrap();
        desk.locks = program.locks.clone();
        desk.clock = Arc::clone(&program.clock) as Arc<dyn Clock>;
        desk.records = Arc::new(Noting {
            store: program.store.clone(),
            program: usize::MAX,
            ledger: Arc::clone(&self.ledger),
            left: Arc::clone(&program.left),
            dead: Arc::clone(&program.dead),
        });
        let desk = Arc::new(desk);
        let turn = async move {
            if let Some(choice) = decided {
                match desk.decide(key, &story, choice, None).await {
                    Ok(made) if made.waits.is_none() => {}
                    Ok(_) | Err(DeskError::Refused { .. }) => return,
                    Err(error) => return assert!(error.is_elsewhere(), "{error}"),
                }
            }
            shift.resume(key).await.unwrap();
        };
        program.runtime.block_on(async {
            *program.clock.0.lock().unwrap() = (self.now, Moment::now());
            tokio::select! {
                biased;
                () = program.dead.notified() => false,
                () = turn => true,
            }
        })
    }

    /// Lets everything happen, and says what was wrong.
    fn plays(mut self) -> (Vec<String>, Vec<String>, usize) {
        let first = self.start();
        self.hand_in(&first);
        let mut programs = vec![Some(first), None, None];
        let mut looks = 0;
        while self.now < LONGEST {
            let bad = self.now < BAD_TIMES;
            if let Some((_, crash)) = self.crash.take_if(|(at, _)| *at <= self.now) {
                crash();
                programs.iter().flatten().for_each(Program::comes_back);
            }
            for slot in &mut programs {
                let slice = Duration::from_millis(1 + self.fate.up_to(120));
                let what = self.fate.up_to(if bad { 40 } else { u64::MAX });
                let program = match slot {
                    None if what < 8 || !bad => slot.insert(self.start()),
                    None => continue,
                    Some(program) => program,
                };
                match what {
                    0 => {
                        *slot = None;
                        continue;
                    }
                    1 => program.left.store(usize::try_from(self.fate.up_to(4)).unwrap(), Ordering::SeqCst),
                    2 => program.hangs_until = self.now + 1_000 + i64::try_from(self.fate.up_to(8_000)).unwrap(),
                    _ => {}
                }
                let decides = self.fate.up_to(8) == 0;
                let at_work = program.hangs_until <= self.now;
                let Some(program) = slot.take() else { continue };
                if !at_work || ((!decides || self.editor_decides(&program, bad)) && program.goes_on(self.now, slice)) {
                    *slot = Some(program);
                }
            }
            self.now += 60;
            looks += 1;
            if !bad && looks % 8 == 0 && self.is_over() {
                break;
            }
        }
        drop(programs);
        self.judged()
    }

    fn read<T>(&self, work: impl AsyncFnOnce(&Store) -> Result<T, StoreError>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(work(&self.store)).unwrap()
    }

    fn is_over(&self) -> bool {
        self.read(async |store| store.unfinished().await).is_empty()
    }

    fn judged(self) -> (Vec<String>, Vec<String>, usize) {
        let mut faults = std::mem::take(&mut self.ledger.lock().unwrap().faults);
        for story in self.priorities.keys() {
            let runs = self.read(async |store| store.runs_of(story).await);
            let [(run, listed)] = runs.as_slice() else {
                faults.push(format!("{story} has {} runs", runs.len()));
                continue;
            };
            if listed.state.as_str() == "open" {
                let left = self.read(async |store| store.messages(None).await);
                faults.push(format!("{story} did not come to its end in {LONGEST} ms: {left:?}"));
                continue;
            }
            let stored = self.read(async |store| store.load(*run).await).journal;
            if stored.opening.gates == Gates::Editor {
                every_gate_was_decided(&stored, 0);
            }
            let closed = self.read(async |store| store.events(*run).await);
            let closed = closed.iter().filter(|record| matches!(record.event, Event::RunClosed { .. })).count();
            let canonical = House::outputs(self.house.folder.path()).articles.join(format!("{story}.json"));
            if closed != 1 || stored.publication().is_none() || !canonical.exists() {
                faults.push(format!("{story} ended {closed} times, its file is there: {}", canonical.exists()));
            }
        }
        if !self.read(async |store| store.messages(Some(MessageState::Leased)).await).is_empty() {
            faults.push("a step is leased for ever".into());
        }
        let ledger = self.ledger.lock().unwrap();
        let faults = faults.into_iter().map(|fault| format!("seed {}: {fault}", self.seed)).collect();
        (faults, ledger.trace.clone(), ledger.refused)
    }
}

/// A folder without a disk, if there is such a thing.
fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "it says how much is tried, and is no setting of the program")]
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

#[test]
fn whatever_becomes_of_its_programs_the_desk_does_each_step_once_and_loses_no_story() {
    go_well(30, 2, |seed| World::new(seed, in_file));
}

/// Plays the worlds of the seeds from 0 on, so many at once. They are `usual` in number unless a person says otherwise.
fn go_well(usual: u64, at_once: usize, world: fn(u64) -> World) {
    let seeds: Vec<u64> = match variable("COPYDESK_SEED") {
        Some(seed) => vec![seed],
        None => (0..variable("COPYDESK_SEEDS").unwrap_or(usual)).collect(),
    };
    let began = Instant::now();
    let next = AtomicUsize::new(0);
    let (faults, refused, alike) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
    let twice = variable("COPYDESK_TWICE").is_some();
    std::thread::scope(|threads| {
        for _ in 0..at_once {
            threads.spawn(|| {
                let _alone = InStep::begin();
                while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let (wrong, trace, late) = world(*seed).plays();
                    refused.fetch_add(late, Ordering::SeqCst);
                    faults.lock().unwrap().extend(wrong);
                    if twice && world(*seed).plays().1 == trace {
                        alike.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    let (count, took) = (seeds.len(), began.elapsed().as_secs_f64());
    println!(
        "{count} runs in {took:.1} s, {:.0} a minute; {refused:?} late commits refused",
        f64::from(u32::try_from(count).unwrap()) * 60.0 / took
    );
    if twice {
        println!("{alike:?} of {count} went the same way when played again");
    }
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[cfg(feature = "postgres")]
mod on_a_server {
    use std::process::Command;

    use super::*;
    use crate::support::newsroom::{named, psql_at};

    /// The variable that names the server.
    const SERVER: &str = "COPYDESK_TEST_POSTGRES";
    /// That of the program which kills it and starts it again.
    const RESTART: &str = "COPYDESK_TEST_POSTGRES_RESTART";

    /// A schema of the server.
    struct Schema(String);

    impl Drop for Schema {
        fn drop(&mut self) {
            psql_at(&named(SERVER).unwrap(), &format!("DROP SCHEMA {} CASCADE", self.0));
        }
    }

    /// An empty desk in a schema of its own, which is there as long as it may be opened.
    fn in_a_schema(_: &House) -> Opens {
        static DESKS: AtomicUsize = AtomicUsize::new(0);
        let schema = Schema(format!("simulated_{}_{}", std::process::id(), DESKS.fetch_add(1, Ordering::SeqCst)));
        let server = named(SERVER).unwrap();
        Box::new(move || Store::connect(&format!("{server}?schema={}", schema.0)).unwrap())
    }

    #[test]
    fn whatever_becomes_of_its_machines_the_desk_does_each_step_once_and_loses_no_story() {
        if named(SERVER).is_some() {
            go_well(6, 2, |seed| World::new(seed, in_a_schema));
        }
    }

    #[test]
    #[ignore = "it kills the server"]
    fn whatever_becomes_of_its_server_the_desk_does_each_step_once_and_loses_no_story() {
        if named(RESTART).is_some() {
            // One at a time: the kill must not come while another world is in step.
            go_well(3, 1, |seed| {
                let at = i64::try_from(Fate(!seed).up_to(BAD_TIMES.cast_unsigned())).unwrap();
                World { crash: Some((at, kill)), ..World::new(seed, in_a_schema) }
            });
        }
    }

    /// Kills the server and starts it again.
    fn kill() {
        assert!(Command::new(named(RESTART).unwrap()).status().unwrap().success());
    }
}
