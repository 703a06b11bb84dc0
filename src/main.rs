//! Arguments -> `cli` -> exit code.

use std::process::ExitCode;

/// Nested input is bounded by a depth limit; this much stack is far more than that depth needs.
const STACK: usize = 16 * 1024 * 1024;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| ackord::cli::output::own_bug(panic.location())));
    // Fails only where somebody has set up the pool before, and nobody has.
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    let work = || std::panic::catch_unwind(|| ackord::cli::run(std::env::args_os()));
    let thread = std::thread::Builder::new().name("ackord".to_owned()).stack_size(STACK).spawn(work);
    // A panic was reported by the hook, and is a failure of ours: never 101.
    let code = match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        _ => ackord::cli::FAILURE,
    };
    ExitCode::from(code)
}
