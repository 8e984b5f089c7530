//! A server that is a program: started in a process group of its own, spoken to over its standard input and output, and ended with its
//! connection.

use std::{
    io,
    path::Path,
    pin::Pin,
    process::Stdio,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, ReadBuf},
    process::{ChildStderr, ChildStdin, ChildStdout},
};

use super::mishaps::Mishaps;
use crate::process::{self, Process};
use copydesk_config::Secret;

/// How long a program may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// A program and the lines between it and this one.
pub(super) struct Pipes {
    lines: AsyncRwTransport<RoleClient, Counted, ChildStdin>,
    process: Process,
}

impl Pipes {
    /// Starts `command` in `folder`, against which a relative path is resolved.
    pub(super) fn start<'a>(
        command: &str,
        args: &[String],
        env: impl Iterator<Item = (&'a String, &'a Secret)>,
        folder: &Path,
        mishaps: &Arc<Mishaps>,
    ) -> io::Result<Self> {
        let program = if command.contains(std::path::is_separator) { folder.join(command) } else { command.into() };
        let mut started = process::command(program);
        started.args(args).current_dir(folder).envs(env.map(|(name, value)| (name, value.reveal())));
        started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::of(started.spawn()?);
        let child = &mut process.child;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("it has no standard input or output"));
        };
        tokio::spawn(listen(stderr, Arc::clone(mishaps)));
        let limit = mishaps.limit;
        let counted = Counted { inner: stdout, line: 0, mishaps: Arc::clone(mishaps) };
        let lines = AsyncRwTransport::new_client(counted, stdin).with_max_line_length(limit);
        Ok(Self { lines, process })
    }
}

impl Transport<RoleClient> for Pipes {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.lines.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.lines.receive()
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.lines.close().await?;
        let _ = tokio::time::timeout(GRACE, self.process.child.wait()).await;
        self.process.end();
        Ok(())
    }
}

/// Keeps the end of what a program writes to its standard error.
async fn listen(mut stderr: ChildStderr, mishaps: Arc<Mishaps>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        mishaps.complain(buffer.get(..read).unwrap_or_default());
    }
}

/// Notes each line that is too long, which the transport leaves out without a word.
struct Counted {
    inner: ChildStdout,
    /// Bytes of the line so far.
    line: usize,
    mishaps: Arc<Mishaps>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        for byte in buffer.filled().iter().skip(before) {
            self.line += 1;
            if self.line == self.mishaps.limit + 1 {
                self.mishaps.oversized();
            }
            if *byte == b'\n' {
                self.line = 0;
            }
        }
        polled
    }
}
