//! The day in numbers on the screen, in a real pseudo-terminal: what one program did is shown in another, call by call.

use crate::support::{
    midnight::wait_past_midnight, newsroom::Newsroom, press, script, server::Server, terminal::Terminal,
};

#[test]
fn what_a_batch_did_is_shown_as_it_goes_on_and_its_slowest_calls_open() {
    wait_past_midnight();
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("Sample story");
    terminal.keys(press::DAY).wait_for("Nothing has happened yet today.");
    // Another program works meanwhile: the page follows it.
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let shot = terminal.wait_for("1 run begun · 1 finished");
    assert!(shot.contains("Hour by hour") && shot.contains("Stories ended"), "{}", shot.text());
    terminal.keys("tab").wait_for("Slowest calls");
    let shot = terminal.wait_for("› ");
    assert!(shot.contains("desk/park"), "{}", shot.text());
    terminal.keys(press::OPEN).wait_for("Sent (system)");
    terminal.keys("esc").wait_for("Slowest calls");
    terminal.keys("esc").keys(press::DAY_BEFORE).wait_for("Nothing happened on this day.");
    terminal.keys("esc").wait_for("1 story");
    terminal.leave();
}
