//! The chains that queues form by their links, and how late the end of each may be.

use std::collections::BTreeMap;

use super::Analysis;
use crate::syntax::List;
use crate::units::Duration;

/// The longest way from each contract along its links, by the sum of p95 objectives.
#[derive(Debug, Default)]
pub struct Chains {
    ways: Vec<Way>,
}

/// The longest way from one contract.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    total: Duration,
    next: Option<usize>,
}

/// How far the search has come with a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    No,
    /// It is on the way that is being followed: a link back to it closes a cycle and is not followed.
    OnTheWay,
    Done,
}

impl Chains {
    /// The chains of a workspace. Takes time in proportion to contracts and links, in any shape.
    pub fn of(all: &[Analysis<'_>]) -> Self {
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, analysis) in all.iter().enumerate() {
            if let Some(name) = analysis.contract.queue.get() {
                by_name.entry(name.as_str()).or_insert(at);
            }
        }
        let links = |analysis: &Analysis<'_>| {
            let names = analysis.contract.links.produces.get().into_iter().flat_map(List::iter);
            names.filter_map(|(name, _)| by_name.get(name.as_str()).copied()).collect::<Vec<_>>()
        };
        let links: Vec<Vec<usize>> = all.iter().map(links).collect();
        let own = |at: usize| {
            all.get(at)
                .and_then(|analysis| analysis.latency.objective)
                .map_or(Duration::ZERO, |p95| p95.value)
        };
        Self { ways: longest(&links, own) }
    }

    /// The sum of the objectives on the longest way from contract `at`, itself included.
    pub fn total(&self, at: usize) -> Duration {
        self.ways.get(at).map_or(Duration::ZERO, |way| way.total)
    }

    /// The contract that follows `at` on its longest way, where its links lead to one.
    pub fn next(&self, at: usize) -> Option<usize> {
        self.ways.get(at)?.next
    }

    /// The contracts on the longest way from contract `at`, itself first.
    pub fn path(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(at), |at| self.next(*at))
    }
}

/// Follows links depth first, without recursion: each way is known once those behind it are.
fn longest(links: &[Vec<usize>], own: impl Fn(usize) -> Duration) -> Vec<Way> {
    let mut ways = vec![Way::default(); links.len()];
    let mut seen = vec![Seen::No; links.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for start in 0..links.len() {
        if seen.get(start) == Some(&Seen::No) {
            mark(&mut seen, start, Seen::OnTheWay);
            stack.push((start, 0));
        }
        while let Some((at, tried)) = stack.last_mut() {
            let (at, behind) = (*at, links.get(*at).map_or(&[][..], Vec::as_slice));
            if let Some(link) = behind.get(*tried).copied() {
                *tried += 1;
                if seen.get(link) == Some(&Seen::No) {
                    mark(&mut seen, link, Seen::OnTheWay);
                    stack.push((link, 0));
                }
                continue;
            }
            stack.pop();
            let mut way = Way { total: own(at), next: None };
            for link in behind.iter().filter(|link| seen.get(**link) == Some(&Seen::Done)) {
                let total = own(at) + ways.get(*link).map_or(Duration::ZERO, |way| way.total);
                if way.next.is_none() || total > way.total {
                    way = Way { total, next: Some(*link) };
                }
            }
            if let Some(slot) = ways.get_mut(at) {
                *slot = way;
            }
            mark(&mut seen, at, Seen::Done);
        }
    }
    ways
}

fn mark(seen: &mut [Seen], at: usize, how: Seen) {
    if let Some(slot) = seen.get_mut(at) {
        *slot = how;
    }
}
