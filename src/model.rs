//! What a contract says.
/// All contracts of a run.
#[derive(Debug)]
pub struct Workspace<'a>(std::marker::PhantomData<&'a ()>);
