//! Confines the reading process before it sees the first byte of a file: it gives up memory beyond a limit, time, files, network, other
//! processes.
//!
//! Limits of resources exist on every Unix; the rest is Linux. Landlock takes files and network away. A filter (seccomp) refuses every call
//! to the kernel that reading from one pipe and writing to another does not need.

use super::job::Confinement;

/// The memory that it may address, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// The seconds that it may compute for one file.
#[cfg(unix)]
const SECONDS: u64 = 20;

/// Limits the process: memory, files that it writes, core files; on Linux, files and network. For threads that begin after it.
pub(super) fn limit_process() -> Confinement {
    let mut confinement = Confinement::default();
    confinement.whole = resources(&mut confinement);
    files_and_network(&mut confinement);
    confinement
}

/// Refuses all other calls to the kernel, for the whole process, and says what stands. Only Linux has that: elsewhere the limits of
/// resources are all there is.
pub(super) fn limit_calls(mut confinement: Confinement) -> Confinement {
    let filtered = filter(&mut confinement);
    confinement.whole &= filtered || !cfg!(target_os = "linux");
    confinement
}

/// Returns whether what this system can limit is limited.
#[cfg(unix)]
fn resources(confinement: &mut Confinement) -> bool {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limited = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).is_ok();
    // Darwin takes this limit and does not hold it.
    let memory = limited(Resource::As, MEMORY) && cfg!(not(target_vendor = "apple"));
    let list = if memory { &mut confinement.stands } else { &mut confinement.missing };
    list.push(format!("memory at most {} MB", MEMORY >> 20));
    confinement.stands.push(format!("{SECONDS} seconds of computing a file"));
    let files = [Resource::Fsize, Resource::Core].into_iter().all(|resource| limited(resource, 0));
    files && (memory || cfg!(target_vendor = "apple"))
}

#[cfg(not(unix))]
fn resources(confinement: &mut Confinement) -> bool {
    confinement.missing.push("limits of memory and time".into());
    false
}

/// Gives the process its seconds for the next file. If it cannot, its parent's clock ends it.
#[cfg(unix)]
pub(super) fn allow_time() {
    use rustix::{
        process::{Resource, Rlimit, getrlimit, setrlimit},
        time::{ClockId, clock_gettime},
    };
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0) + 1;
    let Rlimit { maximum, .. } = getrlimit(Resource::Cpu);
    // The parent's clock is there for a system that refuses this.
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(used + SECONDS), maximum });
}

#[cfg(not(unix))]
pub(super) fn allow_time() {}

#[cfg(target_os = "linux")]
fn files_and_network(confinement: &mut Confinement) {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetStatus, Scope};
    const WHAT: &str = "no files, by Landlock";
    let abi = ABI::V6;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
        .and_then(|rules| rules.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    match status.map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) => confinement.stands.push("no files and no network, by Landlock".into()),
        Ok(RulesetStatus::PartiallyEnforced) => confinement.stands.push(WHAT.into()),
        Ok(RulesetStatus::NotEnforced) | Err(_) => confinement.missing.push(WHAT.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn files_and_network(confinement: &mut Confinement) {
    confinement.missing.push("no files and no network".into());
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
fn filter(confinement: &mut Confinement) -> bool {
    const WHAT: &str = "no other call to the kernel (seccomp)";
    let applied = calls::filter().and_then(|filter| seccompiler::apply_filter_all_threads(&filter).ok());
    let list = if applied.is_some() { &mut confinement.stands } else { &mut confinement.missing };
    list.push(WHAT.into());
    applied.is_some()
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
fn filter(confinement: &mut Confinement) -> bool {
    confinement.missing.push("no other call to the kernel (seccomp)".into());
    false
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod calls {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    /// The calls to the kernel for reading, writing, memory, time and ending.
    const ALLOWED: [i64; 33] = [
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_fstat,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_getrusage,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_restart_syscall,
        libc::SYS_rseq,
        libc::SYS_set_robust_list,
        libc::SYS_membarrier,
    ];

    /// All calls but those are refused as not permitted. Signals and limits are for this process alone.
    pub(super) fn filter() -> Option<BpfProgram> {
        let only = |value: u64| {
            let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).ok()?;
            SeccompRule::new(vec![condition]).ok()
        };
        let mut rules: Vec<(i64, Vec<SeccompRule>)> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        rules.push((libc::SYS_tgkill, vec![only(std::process::id().into())?]));
        rules.push((libc::SYS_prlimit64, vec![only(0)?]));
        let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
        let arch = std::env::consts::ARCH.try_into().ok()?;
        SeccompFilter::new(rules.into_iter().collect(), refuse, SeccompAction::Allow, arch).ok()?.try_into().ok()
    }
}
