//! The parser of GOAL text.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};

use super::trace::{Dependency, Op, OpKind, Rank, Trace};

/// Most ranks that a trace may have.
const MAX_RANKS: u32 = 65_535;

/// The words of one line.
struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    fn next(&mut self, legal: &str) -> Result<&'a str> {
        let Some(word) = self.peek() else { bail!("the line ends where {legal} was expected") };
        self.at += 1;
        Ok(word)
    }

    fn keyword(&mut self, word: &str) -> Result<()> {
        match self.next(word)? {
            w if w == word => Ok(()),
            w => bail!("found {w:?}; legal: {word}"),
        }
    }

    fn number(&mut self, what: &str, max: u64) -> Result<u64> {
        let word = self.next(what)?;
        if word == "-1" {
            bail!("{what} -1 (any) is not supported: which message it gets would depend on the network");
        }
        match word.parse::<u64>() {
            Ok(n) if n <= max => Ok(n),
            _ => bail!("found {word:?} as {what}; legal: a whole number from 0 to {max}"),
        }
    }

    fn end(&self, legal: &str) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(w) => bail!("found {w:?}; legal: {legal}end of line"),
        }
    }
}

/// A label: a letter, then letters, digits and underscores.
fn is_label(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Lines without comments, each cut into words; `:`, `{` and `}` are words of their own.
fn lines(text: &str) -> Result<Vec<(usize, Vec<&str>)>> {
    let mut found = Vec::new();
    let mut comment = None;
    for (i, line) in text.lines().enumerate() {
        let mut words = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            if comment.is_some() {
                match rest.find("*/") {
                    None => break,
                    Some(end) => {
                        comment = None;
                        rest = &rest[end + 2..];
                        continue;
                    }
                }
            }
            rest = rest.trim_start();
            if rest.starts_with("//") {
                break;
            }
            if let Some(after) = rest.strip_prefix("/*") {
                comment = Some(i + 1);
                rest = after;
                continue;
            }
            let symbol = rest.starts_with([':', '{', '}']);
            let end = rest.find(|c: char| c.is_whitespace() || [':', '{', '}', '/'].contains(&c));
            let end = if symbol { 1 } else { end.unwrap_or(rest.len()).max(1) };
            let end = if rest.is_char_boundary(end) { end } else { rest.len() };
            if !rest.is_empty() {
                words.push(&rest[..end]);
                rest = &rest[end..];
            }
        }
        if !words.is_empty() {
            found.push((i + 1, words));
        }
    }
    if let Some(line) = comment {
        bail!("line {line}: the comment that starts here has no \"*/\"");
    }
    Ok(found)
}

/// The rank that is being read.
struct Open {
    rank: usize,
    line: usize,
    labels: HashMap<String, usize>,
    /// (line, waiting, awaited, start).
    waits: Vec<(usize, String, String, bool)>,
}

/// Reads a trace.
pub fn parse(text: &str) -> Result<Trace> {
    let mut ranks: Option<Vec<Option<Rank>>> = None;
    let mut open: Option<Open> = None;
    for (line, words) in lines(text)? {
        let mut w = Words { words, at: 0 };
        while w.peek().is_some() {
            statement(&mut w, line, &mut ranks, &mut open).with_context(|| format!("line {line}"))?;
        }
    }
    if let Some(o) = open {
        bail!("line {}: rank {} has no closing \"}}\"", o.line, o.rank);
    }
    let Some(ranks) = ranks else { bail!("no \"num_ranks N\"") };
    Ok(Trace { ranks: ranks.into_iter().map(Option::unwrap_or_default).collect() })
}

/// Reads one statement.
fn statement(
    w: &mut Words,
    line: usize,
    ranks: &mut Option<Vec<Option<Rank>>>,
    open: &mut Option<Open>,
) -> Result<()> {
    let Some(o) = open else {
        return match (w.next("num_ranks or rank")?, ranks) {
            ("num_ranks", Some(_)) => bail!("num_ranks is given twice"),
            ("num_ranks", ranks) => {
                let n = w.number("the number of ranks", u64::from(MAX_RANKS))?;
                if n == 0 {
                    bail!("num_ranks 0; legal: 1 to {MAX_RANKS}");
                }
                *ranks = Some(vec![None; n as usize]);
                w.end("")
            }
            ("rank", None) => bail!("\"rank\" before \"num_ranks\""),
            ("rank", Some(ranks)) => {
                let rank = w.number("the rank", ranks.len() as u64 - 1)? as usize;
                w.keyword("{")?;
                if ranks[rank].is_some() {
                    bail!("rank {rank} is described twice");
                }
                ranks[rank] = Some(Rank::default());
                *open = Some(Open { rank, line, labels: HashMap::new(), waits: Vec::new() });
                Ok(())
            }
            (word, _) => bail!("found {word:?}; legal: num_ranks, rank"),
        };
    };
    let ranks = ranks.as_mut().expect("a rank is open only after num_ranks");
    let count = ranks.len() as u64;
    let rank = ranks[o.rank].as_mut().expect("the open rank exists");
    let first = w.next("an operation")?;
    if first == "}" {
        for (line, op, on, start) in &o.waits {
            let find = |l: &String| match o.labels.get(l) {
                Some(&i) => Ok(i),
                None => bail!("line {line}: label {l:?} is not in rank {}", o.rank),
            };
            let (op, on) = (find(op)?, find(on)?);
            rank.dependencies.push(Dependency { op, on, start: *start });
        }
        *open = None;
        return Ok(());
    }
    let (label, word) = match first {
        "send" | "recv" | "calc" => (None, first),
        l if is_label(l) => match w.next("\":\", requires or irequires")? {
            ":" => (Some(l.to_string()), w.next("send, recv or calc")?),
            wait @ ("requires" | "irequires") => {
                let on = w.next("a label")?;
                o.waits.push((line, l.into(), on.into(), wait == "irequires"));
                return w.end("");
            }
            other => bail!("found {other:?} after {l:?}; legal: \":\", requires, irequires"),
        },
        other => bail!("found {other:?}; legal: a label, send, recv, calc, \"}}\""),
    };
    let kind = match word {
        "calc" => {
            let time = w.number("the duration", u64::MAX >> 20)?;
            options(w, &["cpu"])?;
            OpKind::Calc { time }
        }
        "send" | "recv" => {
            let size = w.next("a size such as 100b")?;
            let digits = match size.strip_suffix('b') {
                Some(d) => d,
                None => {
                    w.keyword("b")?;
                    size
                }
            };
            let bytes = match digits.parse::<u64>() {
                Ok(b) if b <= 1 << 40 => b,
                _ => bail!("found {size:?} as the size; legal: 0b to {}b", 1u64 << 40),
            };
            w.keyword(if word == "send" { "to" } else { "from" })?;
            let peer = w.number("the other rank", count - 1)? as u32;
            let tag = options(w, &["tag", "cpu", "nic"])?;
            match word {
                "send" => OpKind::Send { bytes, to: peer, tag },
                _ => OpKind::Recv { bytes, from: peer, tag },
            }
        }
        other => bail!("found {other:?}; legal: send, recv, calc"),
    };
    if let Some(l) = &label
        && o.labels.insert(l.clone(), rank.ops.len()).is_some()
    {
        bail!("label {l:?} is used twice in rank {}", o.rank);
    }
    rank.ops.push(Op { label, line, kind });
    Ok(())
}

/// The options at the end of an operation; returns the tag. `cpu` and `nic` have no effect.
fn options(w: &mut Words, legal: &[&str]) -> Result<u32> {
    let mut tag = 0;
    while let Some(word) = w.peek() {
        if word == "}" {
            break;
        }
        if !legal.contains(&word) {
            bail!("found {word:?}; legal: {}, end of line", legal.join(", "));
        }
        w.at += 1;
        let value = w.number(word, u64::from(u32::MAX - 1))? as u32;
        if word == "tag" {
            tag = value;
        }
    }
    Ok(tag)
}
