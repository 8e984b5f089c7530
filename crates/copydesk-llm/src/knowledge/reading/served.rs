//! The process that reads: it limits itself, then takes one file after the other from its standard input and gives back their texts.

use std::{
    io::{self, Read, Write},
    thread,
};

use super::{job::Job, sandbox, wire};

/// The stack of the thread that reads.
const STACK: usize = 32 << 20;

/// Serves files until there are no more. Returns whether it could.
#[must_use]
pub fn serve() -> bool {
    // The message of a panic would not be read.
    std::panic::set_hook(Box::new(|_| {}));
    let limited = sandbox::limit_process();
    // The thread inherits these limits. The last ones forbid threads, so it must be there before.
    let reader = thread::Builder::new().name("reading".into()).stack_size(STACK).spawn(move || {
        let confinement = sandbox::limit_calls(limited);
        let (mut from, mut to) = (io::stdin().lock(), io::stdout().lock());
        wire::put(&mut to, &confinement, &[])?;
        answer(&mut from, &mut to, sandbox::allow_time)
    });
    reader.is_ok_and(|reader| reader.join().is_ok_and(|served| served.is_ok()))
}

/// Answers one job after the other; `begin` is called before each.
fn answer(from: &mut impl Read, to: &mut impl Write, begin: fn()) -> io::Result<()> {
    while let Some((job, bytes)) = wire::take::<Job>(from, usize::MAX)? {
        begin();
        let done = job.work(&bytes);
        // Its memory is free before the next file comes.
        drop(bytes);
        wire::put_answer(to, done)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::job::Done;
    use super::*;
    use copydesk_documents::ReadingPurpose;

    #[test]
    fn files_are_answered_in_their_order() {
        let mut asked = Vec::new();
        for (name, bytes) in [("a.csv", "Item,Cost\nRamp,$5\n"), ("b.html", ""), ("c.html", "<p>They met.</p>")] {
            let job = Job::Read { name: name.into(), purpose: ReadingPurpose::Source };
            wire::put(&mut asked, &job, bytes.as_bytes()).unwrap();
        }
        let mut answered = Vec::new();
        // The limits are for a process of its own, and not for that of the tests.
        answer(&mut asked.as_slice(), &mut answered, || {}).unwrap();
        let mut from = answered.as_slice();
        let mut texts = Vec::new();
        while let Some(read) = wire::take_answer(&mut from).unwrap() {
            texts.push(read.map_or_else(
                |error| error.to_string(),
                |done| match done {
                    Done::Read(document) => document.text,
                    Done::Commented(_) | Done::Returned(_) => "something else".to_owned(),
                },
            ));
        }
        assert_eq!(texts, ["- Item: Ramp; Cost: $5\n", "it is empty; a source needs text", "They met.\n"]);
    }
}
