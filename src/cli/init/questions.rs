//! The questions of `init` on a terminal: what was not said as a flag, a line each.

use std::io::BufRead;

use super::Wish;
use crate::cli::stop::Stop;
use crate::config::select::suggestion;
use crate::init;
use crate::model::{BrokerKind, Flow, Slug};
use crate::report::text::printable;

/// Asks for what is not known yet. Nothing is written before all is answered, so that an end of input, or
/// an interrupt, leaves nothing behind.
pub(super) fn ask(
    name: Option<Slug>,
    flow: Option<Flow>,
    broker: Option<BrokerKind>,
    input: &mut impl BufRead,
    say: &mut impl FnMut(&str),
) -> Result<Wish, Stop> {
    let mut asker = Asker { input, say };
    let name = match name {
        Some(name) => name,
        None => asker.until("name    ", None, |answer| {
            init::name(answer)
                .map_err(|unfit| format!("`{}` {}; write `{}`", printable(answer), unfit.why, unfit.instead))
        })?,
    };
    let flow = match flow {
        Some(flow) => flow,
        None => asker.choice("flow    ", &super::flows(), "task", super::flow)?,
    };
    let broker = match broker {
        Some(broker) => broker,
        None => asker.choice("broker  ", &super::brokers(), "rabbitmq", super::broker)?,
    };
    Ok(Wish { name, flow, broker })
}

struct Asker<'a, I, S> {
    input: &'a mut I,
    say: &'a mut S,
}

impl<I: BufRead, S: FnMut(&str)> Asker<'_, I, S> {
    fn choice<T>(
        &mut self,
        what: &str,
        words: &[&str],
        default: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Stop> {
        let question = format!("{what}{}", words.join(" | "));
        self.until(&question, Some(default), |answer| {
            read(answer).ok_or_else(|| {
                let all = format!("write one of {}", words.join(", "));
                format!(
                    "`{}` is none of them; {}",
                    printable(answer),
                    suggestion(answer, words.iter().copied(), &all)
                )
            })
        })
    }

    /// Asks until the answer can be read.
    fn until<T>(
        &mut self,
        question: &str,
        default: Option<&str>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Stop> {
        let hint = match default {
            Some(default) => format!(" [{default}]: "),
            None => "of the queue, such as payment-capture: ".to_owned(),
        };
        loop {
            (self.say)(&format!("{question}{hint}"));
            let mut line = String::new();
            let stopped = || {
                Stop::with_help(
                    "`ackord init` was not told what to write; nothing was written",
                    "ackord init --help",
                )
            };
            match self.input.read_line(&mut line) {
                Ok(0) | Err(_) => {
                    // The question still waits on its line.
                    (self.say)("\n");
                    return Err(stopped());
                }
                Ok(_) => {}
            }
            let answer = line.trim();
            match read(if answer.is_empty() { default.unwrap_or_default() } else { answer }) {
                Ok(value) => return Ok(value),
                Err(why) => (self.say)(&format!("        {why}\n")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(lines: &str) -> (Result<Wish, Stop>, String) {
        let mut said = String::new();
        let wish = ask(None, None, None, &mut lines.as_bytes(), &mut |text| said.push_str(text));
        (wish, said)
    }

    #[test]
    fn an_empty_answer_is_the_default() {
        let (wish, _) = answered("refunds\n\n\n");
        let wish = wish.expect("a wish");
        assert_eq!(
            (wish.name.as_str(), wish.flow.word(), wish.broker.word()),
            ("refunds", "task", "rabbitmq")
        );
    }

    #[test]
    fn what_cannot_be_read_is_asked_again() {
        let (wish, said) = answered("My Refunds\n\nmy-refunds\nmonye\nmoney\nsqs\n");
        let wish = wish.expect("a wish");
        assert_eq!(
            (wish.name.as_str(), wish.flow.word(), wish.broker.word()),
            ("my-refunds", "money", "sqs")
        );
        assert!(said.contains("write `my-refunds`\n") && said.contains("write `money`\n"), "{said}");
        assert_eq!(
            said.matches("flow    money | notification | telemetry | audit | task [task]: ").count(),
            2
        );
    }

    #[test]
    fn the_end_of_input_is_an_end() {
        for lines in ["", "refunds\n", "refunds\nmoney\n"] {
            assert!(answered(lines).0.is_err(), "{lines:?}");
        }
    }

    #[test]
    fn only_what_is_unsaid_is_asked() {
        let mut said = String::new();
        let name = init::name("refunds").ok();
        let wish =
            ask(name, Some(Flow::Money), None, &mut "kafka\n".as_bytes(), &mut |text| said.push_str(text));
        assert!(wish.is_ok_and(|wish| wish.broker == BrokerKind::Kafka));
        assert!(
            said.starts_with("broker  kafka | sqs | rabbitmq") && said.ends_with(" [rabbitmq]: "),
            "{said}"
        );
    }
}
