//! Matches sends with receives and refuses traces that could not end.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, bail};

use super::trace::{OpKind, Trace};

/// A trace with its messages matched. Operations are counted through, rank by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// For each send its receive and the other way round; unused for calc.
    pub partner: Vec<u32>,
}

/// The sends and the receives of one (source, destination, tag), in the order of the text.
type Messages = (Vec<u32>, Vec<u32>);

/// Matches the k-th send with the k-th receive of the same (source, destination, tag) and checks that every operation
/// comes to its turn.
pub fn check(trace: &Trace) -> Result<Schedule> {
    let bases = trace.bases();
    let total = bases[bases.len() - 1];
    if total >= u32::MAX as usize / 2 {
        bail!("{total} operations; legal: fewer than 2^31");
    }
    let name = |op: usize| {
        let rank = bases.partition_point(|&b| b <= op) - 1;
        let o = &trace.ranks[rank].ops[op - bases[rank]];
        let label = o.label.as_ref().map(|l| format!("{l} ")).unwrap_or_default();
        format!("{label}of rank {rank} (line {})", o.line)
    };
    let kind = |op: usize| {
        let rank = bases.partition_point(|&b| b <= op) - 1;
        trace.ranks[rank].ops[op - bases[rank]].kind
    };

    let mut messages: BTreeMap<(u32, u32, u32), Messages> = BTreeMap::new();
    for (rank, r) in trace.ranks.iter().enumerate() {
        for (i, op) in r.ops.iter().enumerate() {
            let id = (bases[rank] + i) as u32;
            match op.kind {
                OpKind::Send { to, tag, .. } => {
                    messages.entry((rank as u32, to, tag)).or_default().0.push(id)
                }
                OpKind::Recv { from, tag, .. } => {
                    messages.entry((from, rank as u32, tag)).or_default().1.push(id)
                }
                OpKind::Calc { .. } => {}
            }
        }
    }
    let mut partner = vec![0; total];
    for ((src, dst, tag), (sends, recvs)) in &messages {
        let (s, r) = (sends.len(), recvs.len());
        if s != r {
            let (extra, wrong) =
                if s > r { (sends[r], "send has no recv") } else { (recvs[s], "recv has no send") };
            bail!(
                "rank {src} to rank {dst}, tag {tag}: {s} sends but {r} receives; the {wrong}: {}",
                name(extra as usize)
            );
        }
        for (&a, &b) in sends.iter().zip(recvs) {
            if let (OpKind::Send { bytes, .. }, OpKind::Recv { bytes: room, .. }) =
                (kind(a as usize), kind(b as usize))
                && bytes > room
            {
                let (a, b) = (name(a as usize), name(b as usize));
                bail!("{a} sends {bytes} bytes, but its recv {b} takes {room}");
            }
            partner[a as usize] = b;
            partner[b as usize] = a;
        }
    }

    // Event 2i is the start of operation i, 2i + 1 its end.
    let mut edges: Vec<(u32, u32)> = (0..total as u32).map(|i| (2 * i, 2 * i + 1)).collect();
    for (rank, r) in trace.ranks.iter().enumerate() {
        for d in &r.dependencies {
            let (op, on) = ((bases[rank] + d.op) as u32, (bases[rank] + d.on) as u32);
            edges.push((2 * on + u32::from(!d.start), 2 * op));
        }
    }
    for (sends, _) in messages.values() {
        edges.extend(sends.iter().map(|&s| (2 * s + 1, 2 * partner[s as usize] + 1)));
    }
    let mut waiting = vec![0u32; 2 * total];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); 2 * total];
    for &(a, b) in &edges {
        waiting[b as usize] += 1;
        after[a as usize].push(b);
    }
    let mut ready: Vec<u32> = (0..2 * total as u32).filter(|&e| waiting[e as usize] == 0).collect();
    let mut done = 0;
    while let Some(e) = ready.pop() {
        done += 1;
        for &b in &after[e as usize] {
            waiting[b as usize] -= 1;
            if waiting[b as usize] == 0 {
                ready.push(b);
            }
        }
    }
    if done < 2 * total {
        bail!("the trace can never end: {}", circle(&edges, &waiting, &name));
    }
    Ok(Schedule { partner })
}

/// A circle of events that wait for each other, as text.
fn circle(edges: &[(u32, u32)], waiting: &[u32], name: &dyn Fn(usize) -> String) -> String {
    // Every event that still waits has one before it that waits too: going back ends in a circle.
    let stuck = |e: u32| waiting[e as usize] > 0;
    let before: HashMap<u32, u32> =
        edges.iter().filter(|&&(a, b)| stuck(a) && stuck(b)).map(|&(a, b)| (b, a)).collect();
    let first = (0..waiting.len() as u32).find(|&e| stuck(e)).unwrap_or_default();
    let mut seen = vec![first];
    let mut e = first;
    let from = loop {
        e = before.get(&e).copied().unwrap_or(first);
        if let Some(at) = seen.iter().position(|&s| s == e) {
            break at;
        }
        seen.push(e);
    };
    let mut ops: Vec<u32> = seen[from..].iter().map(|e| e / 2).collect();
    ops.dedup();
    if ops.len() > 1 && ops.first() == ops.last() {
        ops.pop();
    }
    let shown: Vec<String> = ops.iter().take(6).map(|&op| name(op as usize)).collect();
    let more = if ops.len() > 6 { format!(", and {} more", ops.len() - 6) } else { String::new() };
    match ops.len() {
        1 => format!("{} waits for itself", shown[0]),
        _ => format!("each of these waits for the next, the last for the first: {}{more}", shown.join(", ")),
    }
}
