//! Derived quantities.
/// One contract, resolved, with what follows from it.
#[derive(Debug)]
pub struct Analysis<'a>(std::marker::PhantomData<&'a ()>);
