//! Waiting for a server on a thread aside.

/// Does `work` on a thread of its own and waits for it: a runtime's thread must not wait for another runtime.
pub(crate) fn wait_aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = std::thread::scope(|scope| scope.spawn(work).join());
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
