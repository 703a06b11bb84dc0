//! `ackord man [DIR]`.

use clap::CommandFactory;
use clap_mangen::Man as Page;

use super::CLEAN;
use super::args::{Args, Man};
use super::output::{Streams, below, shown};
use super::stop::Stop;

/// Runs the command.
pub(super) fn run(args: &Man, streams: &mut Streams) -> Result<u8, Stop> {
    let mut main = Args::command();
    main.build();
    let Some(folder) = &args.dir else {
        streams.result(&page(main)?)?;
        return Ok(CLEAN);
    };
    let mut pages = vec![("ackord.1".to_owned(), main.clone())];
    for command in main.get_subcommands() {
        pages.push((format!("ackord-{}.1", command.get_name()), command.clone()));
    }
    for (file, command) in pages {
        below(folder, &file, page(command)?.as_bytes())?;
        streams.tell(&format!("wrote    {}", shown(&folder.join(file))));
    }
    Ok(CLEAN)
}

fn page(command: clap::Command) -> Result<String, Stop> {
    let mut text = Vec::new();
    // A subcommand has no version of its own.
    let page = Page::new(command).source(concat!("ackord ", env!("CARGO_PKG_VERSION")));
    let rendered = page.render(&mut text);
    rendered.map_err(|error| Stop::io(std::path::Path::new("the manual page"), "cannot be drawn", error))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
