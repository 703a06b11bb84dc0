//! What the fuzzers found, kept.

use super::texts::caught;
use crate::judge::none_of;
use crate::patch::root;
use crate::withstand;

#[test]
fn none_comes_back() {
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(root().join("fuzz/finds")).expect("the finds") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a find");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        failures.extend(caught(&format!("{name}, judged"), || withstand::check(&bytes)));
        failures.extend(caught(&format!("{name}, fixed"), || withstand::fix(&bytes)));
    }
    none_of(&failures, "the finds");
}
