//! How long a server is waited for. `timeout_seconds` is for silence: a slow answer that goes on is not given up. A total bound remains,
//! so that a server that sends a byte now and then cannot hold a story for ever.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use copydesk_core::ports::WaitedFor;

/// The slowest answer that is waited for: two seconds for a token.
const SLOWEST_TOKEN: Duration = Duration::from_secs(2);
/// The longest answer, whatever `max_tokens` is.
const LONGEST: Duration = Duration::from_hours(6);
/// How long the rest after an answer's end, such as its usage, may take if the server keeps the connection open.
const AFTER_END: Duration = Duration::from_secs(2);

/// Why a server is waited for no longer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Late {
    pub(super) seconds: f64,
    pub(super) wait: WaitedFor,
}

/// How far the answer that is waited for has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyState {
    /// No byte of it came.
    Nothing,
    /// It comes in pieces.
    Pieces,
    /// It comes as a whole.
    Whole,
    /// It is whole.
    Ended,
}

/// The limits of one call. Its time runs from its making: a call that waits for a free slot of its server has not begun.
pub(super) struct Patience {
    silence: Duration,
    began: Instant,
    total: Duration,
    /// None if the whole call has to end within `silence`, as for a search.
    max_tokens: Option<u64>,
}

impl Patience {
    /// `seconds` is the longest silence. Without `max_tokens` it is the longest time of the whole call.
    pub(super) fn new(seconds: f64, max_tokens: Option<u64>) -> Self {
        let silence = Duration::from_secs_f64(seconds);
        let tokens = max_tokens.map_or(0, |tokens| u32::try_from(tokens).unwrap_or(u32::MAX));
        let total = silence.saturating_add(SLOWEST_TOKEN.saturating_mul(tokens)).min(LONGEST.max(silence));
        Self { silence, began: Instant::now(), total, max_tokens }
    }

    /// Waits for what comes next.
    ///
    /// # Errors
    /// [`Late`] if it does not come in time.
    pub(super) async fn wait<T>(&self, state: BodyState, next: impl Future<Output = T>) -> Result<T, Late> {
        let now = Instant::now();
        let end = self.began + self.total;
        let (limit, late) = match state {
            BodyState::Nothing => (now + self.silence, self.late(WaitedFor::FirstByte)),
            BodyState::Pieces => (now + self.silence, self.late(WaitedFor::NextByte)),
            BodyState::Whole => (self.began + self.silence, self.late(WaitedFor::WholeAnswer)),
            BodyState::Ended => (now + AFTER_END.min(self.silence), self.late(WaitedFor::NextByte)),
        };
        let (limit, late) = match self.max_tokens {
            None => (end, self.late(WaitedFor::WholeAnswer)),
            Some(max_tokens) if end < limit => {
                (end, Late { seconds: self.total.as_secs_f64(), wait: WaitedFor::LastByte { max_tokens } })
            }
            Some(_) => (limit, late),
        };
        timeout_at(limit, next).await.map_err(|_| late)
    }

    fn late(&self, wait: WaitedFor) -> Late {
        Late { seconds: self.silence.as_secs_f64(), wait }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wait that ends when nothing comes any more, after packets with pauses of so many seconds.
    async fn late(patience: Patience, state: BodyState, pauses: &[u64]) -> (Late, u64) {
        let began = Instant::now();
        for pause in pauses {
            let came = patience.wait(state, tokio::time::sleep(Duration::from_secs(*pause))).await;
            if let Err(late) = came {
                return (late, began.elapsed().as_secs());
            }
        }
        let late = patience.wait(state, std::future::pending::<()>()).await.unwrap_err();
        (late, began.elapsed().as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_what_ends_a_call_not_the_length_of_its_answer() {
        let patience = || Patience::new(60.0, Some(1000));
        let (nothing, after) = late(patience(), BodyState::Nothing, &[]).await;
        assert_eq!((nothing, after), (Late { seconds: 60.0, wait: WaitedFor::FirstByte }, 60));
        let (stopped, after) = late(patience(), BodyState::Pieces, &[50; 20]).await;
        assert_eq!((stopped, after), (Late { seconds: 60.0, wait: WaitedFor::NextByte }, 1060));
    }

    #[tokio::test(start_paused = true)]
    async fn a_byte_a_minute_for_ever_ends_with_the_time_for_max_tokens() {
        let (drips, after) = late(Patience::new(60.0, Some(100)), BodyState::Pieces, &[50; 100]).await;
        assert_eq!((drips, after), (Late { seconds: 260.0, wait: WaitedFor::LastByte { max_tokens: 100 } }, 260));
        let (hours, after) = late(Patience::new(60.0, Some(10_000_000)), BodyState::Pieces, &[50; 1000]).await;
        assert_eq!((hours.seconds, after), (21_600.0, 21_600));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_comes_as_a_whole_and_a_search_have_the_time_for_all_of_it() {
        let (whole, after) = late(Patience::new(60.0, Some(1000)), BodyState::Whole, &[20; 9]).await;
        assert_eq!((whole, after), (Late { seconds: 60.0, wait: WaitedFor::WholeAnswer }, 60));
        let (search, after) = late(Patience::new(5.0, None), BodyState::Pieces, &[2; 9]).await;
        assert_eq!((search, after), (Late { seconds: 5.0, wait: WaitedFor::WholeAnswer }, 5));
    }

    #[tokio::test(start_paused = true)]
    async fn behind_the_end_of_an_answer_little_is_waited_for() {
        assert_eq!(late(Patience::new(60.0, Some(1000)), BodyState::Ended, &[]).await.1, 2);
    }
}
