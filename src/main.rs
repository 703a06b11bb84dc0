//! probe
fn main() {
    let mut inputs = ackord::lint::Inputs::default();
    for p in std::env::args().skip(1) {
        inputs.sources.add(ackord::source::SourceFile::new(p.clone(), std::fs::read_to_string(&p).expect("x")));
    }
    let r = ackord::lint::run(inputs, &ackord::lint::Settings { pedantic: true, ..Default::default() });
    for f in &r.findings {
        let l = r.sources.locate(f.primary.span.file, f.primary.span.start);
        println!("{}:{}:{} {:?} {} {} | {} | {:?} {:?} {:?}", r.sources.name(f.primary.span), l.line, l.column, f.level, f.code, f.message, f.primary.text, f.labels.iter().map(|l| (r.sources.slice(l.span), l.text.clone())).collect::<Vec<_>>(), f.notes, f.help);
    }
    println!("{} contracts", r.contracts);
}
