//! Quantities with a unit: how they are written, printed and added up.
//!
//! Arithmetic saturates instead of wrapping; a saturated value is far beyond every limit that a
//! contract may state, so a comparison with it stays true.

mod duration;
mod quantity;
mod rate;
mod ratio;
mod size;

pub use duration::Duration;
pub(crate) use quantity::trim;
pub use rate::Rate;
pub use ratio::Ratio;
pub use size::Size;
