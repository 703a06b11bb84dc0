//! The rules that compare one value with a list of bounds: of each list one finding is given.
