//! What the benches measure with: times, CPU and memory of children, the disk.

use std::{
    fs::File,
    io::{Seek, Write},
    path::Path,
    process::Child,
    time::{Duration, Instant},
};

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};

pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// User and system time of every child that has ended.
pub fn cpu_ms() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("resource usage");
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    milliseconds(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}

/// Watches a child's memory until it ends: the high-water mark of its own pages, program text included.
///
/// Not `ru_maxrss`, which a child inherits from the pages that its parent had when it started it.
pub fn peak_mib(child: &mut Child) -> f64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0;
    while child.try_wait().expect("the child's state").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = kib.and_then(|kib| kib.parse().ok()).map_or(peak, |kib: f64| kib / 1024.0);
        std::thread::sleep(Duration::from_millis(5));
    }
    if peak == 0.0 {
        // No /proc here. macOS says bytes.
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("resource usage");
        peak = f64::from(u32::try_from(usage.max_rss() >> 10).unwrap_or(u32::MAX)) / 1024.0;
    }
    peak
}

/// What it costs to have 8 KiB on the disk for certain.
pub fn sync_ms(folder: &Path) -> f64 {
    let path = folder.join(format!("sync-{}", std::process::id()));
    let mut file = File::create(&path).expect("a file");
    let times = (0..40).map(|turn| {
        file.seek(std::io::SeekFrom::Start(turn * 8192)).expect("a place");
        file.write_all(&[7; 8192]).expect("8 KiB");
        let began = Instant::now();
        file.sync_data().expect("a sync");
        milliseconds(began.elapsed())
    });
    let sync = median(times.collect());
    std::fs::remove_file(path).expect("the probe goes");
    sync
}
