//! A process of its own for a test that measures what its whole process used.

use std::{any::type_name, process::Command};

/// Set in the process that runs one test alone.
const ALONE: &str = "COPYDESK_TEST_ALONE";

/// Runs `test` in a process of its own and says `true`; inside that process it says `false`, and the test goes on. What its children used
/// (`RUSAGE_CHILDREN`) is then theirs alone. Without this it would be the use of every test of the binary.
pub fn ran_alone<T: Fn()>(_test: T) -> bool {
    #[expect(clippy::disallowed_methods, reason = "the tests tell their own child that it is alone")]
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let (_, name) = type_name::<T>().split_once("::").expect("a test in a module");
    let mut command = Command::new(std::env::current_exe().expect("the tests"));
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(ALONE, "1");
    let output = command.output().expect("the test");
    let said = [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    true
}
