//! Listens for Ctrl-C from the first call on. A Ctrl-C that is typed while something else is being done is not lost, as it would be with a
//! listener for each wait.

use futures_util::FutureExt as _;
#[cfg(unix)]
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Listener, ctrl_c};

/// A listener.
pub struct Interrupt(Option<Listener>);

impl Interrupt {
    /// If the system gives no listener, Ctrl-C ends the program at once, as it ends any other: nothing is lost by that.
    #[must_use]
    pub fn listen() -> Self {
        #[cfg(unix)]
        let listener = signal(SignalKind::interrupt());
        #[cfg(windows)]
        let listener = ctrl_c();
        Self(listener.ok())
    }

    /// Returns once Ctrl-C was typed since the last time. May be given up at any time.
    pub(crate) async fn typed(&mut self) {
        let heard = match &mut self.0 {
            Some(listener) => listener.recv().await,
            None => None,
        };
        if heard.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Whether Ctrl-C was typed since the last time.
    pub fn was_typed(&mut self) -> bool {
        self.typed().now_or_never().is_some()
    }
}
