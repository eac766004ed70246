//! Stimulus: recorded inputs, and the file format of reproducers and of stimuli written by hand.
//!
//! # File format
//! Plain text, one item a line; blank lines and lines starting with `#` are comments.
//! ```text
//! quell-stimulus 1            format and its version
//! unit hca-throttle           unit ...
//! build tiny                  ... and parameter set (`quell builds` lists them)
//! seed 7                      power-up state of the RTL
//! param FLOWS 5               optional: another value than that of the parameter set
//! start                       now the cycles, from the first one after reset
//! idle 16                     16 idle cycles: all inputs 0, but `link_up` 1 (`idle` = one)
//! cfg_we=1 cfg_addr=0 cfg_data=3         one cycle; what is not named is as in an idle one
//! repeat 3 req=1f sl_ok=ffff             three such cycles
//! end 20 crc32=8f3a0c11       number of cycles; the checksum is optional
//! ```
//! `signal[element]=value`, names and elements as in [`crate::signals`]; the element may be left out if the signal has only one;
//! values are hexadecimal, `0x` allowed. The checksum is the CRC-32 (as in zip) of all bytes before the `end` line.

use std::fmt::Write as _;
use std::path::Path;

use super::source::Source;
use crate::outfile;
use crate::params::{Build, builds};
use crate::signals::{Group, Layout, Signal};

/// A sequence of input vectors, kept compactly: words that change, and how long nothing does.
#[derive(Clone, Debug)]
pub struct Inputs {
    words: usize,
    /// Per entry: number of cycles, mask of the words that differ from the previous entry, those words.
    data: Vec<u32>,
    /// Where the last entry starts.
    last_entry: usize,
    last: Vec<u32>,
    cycles: u64,
}

impl Inputs {
    /// An empty sequence of vectors of `words` words.
    pub fn new(words: usize) -> Inputs {
        Inputs { words, data: Vec::new(), last_entry: 0, last: vec![0; words], cycles: 0 }
    }

    /// From vectors.
    pub fn from_vectors(words: usize, vectors: &[Vec<u32>]) -> Inputs {
        let mut inputs = Inputs::new(words);
        vectors.iter().for_each(|v| inputs.push(v));
        inputs
    }

    /// Appends a cycle.
    ///
    /// # Panics
    /// If the vector has not the right number of words.
    pub fn push(&mut self, input: &[u32]) {
        self.push_times(input, 1);
    }

    /// Appends `n` equal cycles.
    ///
    /// # Panics
    /// If the vector has not the right number of words.
    pub fn push_times(&mut self, input: &[u32], n: u64) {
        assert_eq!(input.len(), self.words);
        self.cycles += n;
        let mut left = n;
        if self.cycles > n && input == self.last {
            let add = left.min(u64::from(u32::MAX - self.data[self.last_entry]));
            self.data[self.last_entry] += add as u32;
            left -= add;
        }
        while left > 0 {
            let add = left.min(u64::from(u32::MAX));
            left -= add;
            self.last_entry = self.data.len();
            self.data.push(add as u32);
            let mask_at = self.data.len();
            self.data.resize(mask_at + self.words.div_ceil(32), 0);
            for (c, (new, old)) in input.chunks(32).zip(self.last.chunks_mut(32)).enumerate() {
                if new == old {
                    continue;
                }
                let mut mask = 0;
                for (i, (n, o)) in new.iter().zip(old.iter_mut()).enumerate() {
                    if n != o {
                        mask |= 1 << i;
                        self.data.push(*n);
                        *o = *n;
                    }
                }
                self.data[mask_at + c] = mask;
            }
        }
    }

    /// Number of cycles.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Words of a vector.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Memory taken.
    pub fn bytes(&self) -> usize {
        4 * self.data.len()
    }

    /// The first `n` cycles.
    pub fn first(&self, n: u64) -> Inputs {
        if n >= self.cycles {
            return self.clone();
        }
        let mut part = Inputs::new(self.words);
        let mut cursor = self.cursor();
        while part.cycles < n
            && let Some(v) = cursor.next(self)
        {
            part.push(v);
        }
        part
    }

    /// A reader at the first cycle.
    pub fn cursor(&self) -> Cursor {
        Cursor { at: 0, left: 0, current: vec![0; self.words] }
    }

    /// All vectors, one after the other.
    pub fn flat(&self) -> Vec<u32> {
        let mut v = Vec::with_capacity(self.cycles as usize * self.words);
        let mut c = self.cursor();
        while let Some(input) = c.next(self) {
            v.extend_from_slice(input);
        }
        v
    }
}

/// A position in [`Inputs`].
#[derive(Clone, Debug)]
pub struct Cursor {
    at: usize,
    left: u32,
    current: Vec<u32>,
}

impl Cursor {
    /// The next cycle's vector; `None` at the end.
    pub fn next(&mut self, inputs: &Inputs) -> Option<&[u32]> {
        if self.left == 0 {
            self.left = *inputs.data.get(self.at)?;
            let mask_at = self.at + 1;
            self.at = mask_at + inputs.words.div_ceil(32);
            for (c, words) in self.current.chunks_mut(32).enumerate() {
                let mut mask = inputs.data[mask_at + c];
                while mask != 0 {
                    words[mask.trailing_zeros() as usize] = inputs.data[self.at];
                    self.at += 1;
                    mask &= mask - 1;
                }
            }
        }
        self.left -= 1;
        Some(&self.current)
    }
}

/// A stimulus: the inputs of a number of cycles, for one model.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// The model it is for.
    pub build: Build,
    /// Seed of the RTL's power-up state.
    pub seed: u64,
    /// Comment lines of the header.
    pub comments: Vec<String>,
    /// The inputs.
    pub inputs: Inputs,
    /// Number of cycles, that of `inputs`.
    pub cycles: u64,
}

/// Plays a stimulus; idle after its end.
pub struct Replay {
    inputs: Inputs,
    cursor: Cursor,
}

impl Replay {
    /// From the first cycle.
    pub fn new(stimulus: Stimulus) -> Self {
        Replay::of(stimulus.inputs)
    }

    pub(crate) fn of(inputs: Inputs) -> Self {
        let cursor = inputs.cursor();
        Replay { inputs, cursor }
    }
}

impl Source for Replay {
    fn drive(&mut self, _seen: &[u32], input: &mut [u32]) {
        if let Some(words) = self.cursor.next(&self.inputs) {
            input.copy_from_slice(words);
        }
    }
}

/// `name[i]=value` of everything that is not idle in an input vector, separated by blanks.
pub fn describe(layout: &Layout, input: &[u32]) -> String {
    let mut text = String::new();
    let idle = layout.idle();
    for s in layout.signals.iter().filter(|s| s.group == Group::Input) {
        for i in 0..s.count {
            let value = element(s, input, i);
            if value != element(s, &idle, i) {
                let gap = if text.is_empty() { "" } else { " " };
                let index = if s.count > 1 { format!("[{i}]") } else { String::new() };
                let _ = write!(text, "{gap}{}{index}={}", s.name, hex(value));
            }
        }
    }
    text
}

/// The words of one element.
pub(crate) fn element<'a>(s: &Signal, vector: &'a [u32], i: usize) -> &'a [u32] {
    let at = s.offset + i * s.stride();
    &vector[at..at + s.stride()]
}

/// Hexadecimal digits without leading zeros.
pub(crate) fn hex(words: &[u32]) -> String {
    let mut text = String::new();
    for w in words.iter().rev() {
        if text.is_empty() {
            if *w != 0 {
                let _ = write!(text, "{w:x}");
            }
        } else {
            let _ = write!(text, "{w:08x}");
        }
    }
    if text.is_empty() { "0".into() } else { text }
}

/// CRC-32 as in zip.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, b| {
        (0..8).fold(crc ^ u32::from(*b), |c, _| if c & 1 == 1 { (c >> 1) ^ 0xedb8_8320 } else { c >> 1 })
    })
}

/// The text of a stimulus file.
pub fn to_text(stimulus: &Stimulus) -> String {
    let b = &stimulus.build;
    let layout = Layout::new(b.unit, &b.params);
    let mut t = String::from("quell-stimulus 1\n");
    for c in stimulus.comments.iter().flat_map(|c| c.lines()) {
        let _ = writeln!(t, "# {c}");
    }
    let _ = writeln!(t, "unit {}\nbuild {}\nseed {}", b.unit.cli_name(), b.name, stimulus.seed);
    for name in b.unit.parameter_names() {
        let _ = writeln!(t, "param {name} {}", b.params.get(name).unwrap_or_default());
    }
    t.push_str("start\n");
    let mut cursor = stimulus.inputs.cursor();
    let mut run: Option<(Vec<u32>, u64)> = None;
    loop {
        let next = cursor.next(&stimulus.inputs);
        if let (Some((words, n)), Some(v)) = (&mut run, next)
            && words == v
        {
            *n += 1;
            continue;
        }
        if let Some((words, n)) = run.take() {
            let text = describe(&layout, &words);
            let _ = match (text.is_empty(), n) {
                (true, _) => writeln!(t, "idle {n}"),
                (false, 1) => writeln!(t, "{text}"),
                (false, _) => writeln!(t, "repeat {n} {text}"),
            };
        }
        match next {
            Some(v) => run = Some((v.to_vec(), 1)),
            None => break,
        }
    }
    let crc = crc32(t.as_bytes());
    let _ = writeln!(t, "end {} crc32={crc:08x}", stimulus.inputs.cycles());
    t
}

/// Writes a stimulus file (beside, then renamed).
pub fn write(path: &Path, stimulus: &Stimulus) -> Result<(), String> {
    outfile::write(path, to_text(stimulus).as_bytes()).map_err(|e| format!("{e:#}"))
}

/// Reads a stimulus file. The message names file, line, field and legal range.
pub fn read(path: &Path) -> Result<Stimulus, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = std::str::from_utf8(&bytes).map_err(|e| {
        let line = 1 + bytes[..e.valid_up_to()].iter().filter(|b| **b == b'\n').count();
        format!("{}:{line}: not a text file (bytes that are not UTF-8)", path.display())
    })?;
    parse(text).map_err(|(line, message)| format!("{}:{line}: {message}", path.display()))
}

/// What a header line must say next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Format,
    Header,
    Cycles,
    Ended,
}

/// Reads the text of a stimulus file; the error is a line number and a message.
pub fn parse(text: &str) -> Result<Stimulus, (usize, String)> {
    let mut stage = Stage::Format;
    let (mut unit, mut build, mut seed) = (None, None, None);
    let mut params: Vec<(usize, String, usize)> = Vec::new();
    let mut comments = Vec::new();
    let mut found: Option<(Build, Layout)> = None;
    let mut inputs = Inputs::new(0);
    let mut at = 0; // byte offset of the line
    let mut number = 0;
    for raw in text.split_inclusive('\n') {
        number += 1;
        let start = at;
        at += raw.len();
        let line = raw.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(c) = line.strip_prefix('#') {
            if stage != Stage::Cycles && stage != Stage::Ended {
                comments.push(c.trim().to_string());
            }
            continue;
        }
        let fail = |m: String| (number, m);
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        match stage {
            Stage::Format => match (word, rest) {
                ("quell-stimulus", "1") => stage = Stage::Header,
                ("quell-stimulus", v) => {
                    return Err(fail(format!("format version `{v}`: this program reads version 1")));
                }
                _ => {
                    return Err(fail(
                        "not a stimulus file: the first line must be `quell-stimulus 1`".into(),
                    ));
                }
            },
            Stage::Header => match word {
                "unit" => {
                    unit = Some(crate::params::UnitKind::named(rest).ok_or_else(|| {
                        let names = crate::params::UnitKind::ALL.map(|u| u.cli_name());
                        fail(format!("unit `{rest}`: legal are {}", names.join(", ")))
                    })?);
                }
                "build" => build = Some((number, rest.to_string())),
                "seed" => {
                    seed = Some(rest.parse::<u64>().map_err(|_| {
                        fail(format!("seed `{rest}`: legal is a decimal number 0..{}", u64::MAX))
                    })?);
                }
                "param" => {
                    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    let value = value.trim().parse().map_err(|_| {
                        fail(format!("param {name} `{}`: must be a decimal number", value.trim()))
                    })?;
                    params.push((number, name.to_string(), value));
                }
                "start" => {
                    let missing = |what| fail(format!("a line `{what}` must come before `start`"));
                    let unit = unit.ok_or_else(|| missing("unit NAME"))?;
                    let (line, name) = build.clone().ok_or_else(|| missing("build NAME"))?;
                    if seed.is_none() {
                        return Err(missing("seed NUMBER"));
                    }
                    let all = builds();
                    let b = all.iter().find(|b| b.unit == unit && b.name == name).ok_or_else(|| {
                        let names: Vec<_> = all.iter().filter(|b| b.unit == unit).map(|b| b.name).collect();
                        (line, format!("build `{name}`: {} has {}", unit.cli_name(), names.join(", ")))
                    })?;
                    let mut b = *b;
                    for (line, name, value) in &params {
                        b.set(&format!("{name}={value}")).map_err(|e| (*line, format!("param {e}")))?;
                    }
                    b.params.check_unit(b.unit).map_err(|e| (number, e))?;
                    let layout = Layout::new(unit, &b.params);
                    inputs = Inputs::new(layout.in_words);
                    found = Some((b, layout));
                    stage = Stage::Cycles;
                }
                _ => {
                    return Err(fail(format!(
                        "unknown header field `{word}`: legal are unit, build, seed, param, start"
                    )));
                }
            },
            Stage::Cycles => {
                let Some((_, layout)) = &found else { break };
                match word {
                    "end" => {
                        end_line(rest, &text.as_bytes()[..start], inputs.cycles()).map_err(fail)?;
                        stage = Stage::Ended;
                    }
                    "idle" => {
                        let n = if rest.is_empty() { 1 } else { count(rest).map_err(fail)? };
                        inputs.push_times(&layout.idle(), n);
                    }
                    "repeat" => {
                        let (n, fields) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                        let n = count(n).map_err(fail)?;
                        inputs.push_times(&cycle_line(layout, fields).map_err(fail)?, n);
                    }
                    _ => inputs.push(&cycle_line(layout, line).map_err(fail)?),
                }
            }
            Stage::Ended => return Err(fail("text after the `end` line".into())),
        }
    }
    match (stage, found, seed) {
        (Stage::Ended, Some((build, _)), Some(seed)) => {
            let cycles = inputs.cycles();
            Ok(Stimulus { build, seed, comments, inputs, cycles })
        }
        (Stage::Format, ..) => Err((1, "empty file: the first line must be `quell-stimulus 1`".into())),
        (Stage::Header, ..) => Err((number, "the file ends in the header: no `start` line".into())),
        _ => Err((
            number,
            format!(
                "the file is cut short: no `end` line after {} cycles (a complete file ends with `end CYCLES`)",
                inputs.cycles()
            ),
        )),
    }
}

/// The most cycles a file may have.
const MAX_CYCLES: u64 = 1_000_000_000_000;

fn count(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(n) if (1..=MAX_CYCLES).contains(&n) => Ok(n),
        _ => Err(format!("number of cycles `{text}`: legal is 1..{MAX_CYCLES}")),
    }
}

fn end_line(rest: &str, before: &[u8], cycles: u64) -> Result<(), String> {
    let mut fields = rest.split_whitespace();
    let n = fields.next().unwrap_or("");
    match n.parse::<u64>() {
        Ok(n) if n == cycles => {}
        Ok(n) => {
            return Err(format!(
                "`end {n}`, but {cycles} cycles come before it: lines are missing or damaged"
            ));
        }
        Err(_) => return Err(format!("`end {n}`: must be `end CYCLES`, here `end {cycles}`")),
    }
    for f in fields {
        let Some(value) = f.strip_prefix("crc32=") else {
            return Err(format!("unknown field `{f}` on the `end` line: legal is crc32=HEX"));
        };
        let crc = crc32(before);
        if u32::from_str_radix(value, 16) != Ok(crc) {
            return Err(format!(
                "the checksum is {crc:08x}, not {value}: the file is damaged (or edited: then remove `{f}`)"
            ));
        }
    }
    Ok(())
}

/// One line of `signal[element]=value` fields.
fn cycle_line(layout: &Layout, line: &str) -> Result<Vec<u32>, String> {
    let mut input = layout.idle();
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for field in line.split_whitespace() {
        let (left, value) = field.split_once('=').ok_or_else(|| {
            format!("`{field}`: must be signal=value, signal[element]=value, idle, repeat or end")
        })?;
        let (name, index) = match left.split_once('[') {
            None => (left, None),
            Some((n, i)) => (n, Some(i.strip_suffix(']').ok_or_else(|| format!("`{field}`: no `]`"))?)),
        };
        let (k, s) = layout
            .signals
            .iter()
            .enumerate()
            .find(|(_, s)| s.group == Group::Input && s.name == name)
            .ok_or_else(|| {
                let names: Vec<_> =
                    layout.signals.iter().filter(|s| s.group == Group::Input).map(|s| s.name).collect();
                format!("`{name}` is not an input of this unit: legal are {}", names.join(", "))
            })?;
        let i = match index {
            None if s.count == 1 => 0,
            None => return Err(format!("{name} has elements: write {name}[0]..{name}[{}]", s.count - 1)),
            Some(t) => match t.parse::<usize>() {
                Ok(i) if i < s.count => i,
                _ => return Err(format!("element `{t}` of {name}: legal is 0..{}", s.count - 1)),
            },
        };
        if seen.contains(&(k, i)) {
            return Err(format!("{left} is given twice"));
        }
        seen.push((k, i));
        let at = s.offset + i * s.stride();
        input[at..at + s.stride()].fill(0);
        hex_value(value, s.width, &mut input[at..at + s.stride()]).map_err(|()| {
            let top = if s.width.is_multiple_of(4) { "" } else { ["", "1", "3", "7"][s.width % 4] };
            format!(
                "{left}=`{value}`: legal is hexadecimal 0..{top}{} ({} bits)",
                "f".repeat(s.width / 4),
                s.width
            )
        })?;
    }
    if seen.is_empty() {
        return Err("no signal=value on the line".into());
    }
    Ok(input)
}

fn hex_value(text: &str, width: usize, words: &mut [u32]) -> Result<(), ()> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if digits.is_empty() {
        return Err(());
    }
    for (n, d) in digits.chars().rev().enumerate() {
        let d = d.to_digit(16).ok_or(())?;
        if d == 0 {
            continue;
        }
        if 4 * n + (32 - d.leading_zeros() as usize) > width {
            return Err(());
        }
        words[n / 8] |= d << (4 * (n % 8));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::UnitKind;

    fn build(unit: UnitKind, name: &str) -> Build {
        builds().into_iter().find(|b| b.unit == unit && b.name == name).unwrap()
    }

    fn random_vectors(words: usize, n: usize) -> Vec<Vec<u32>> {
        let mut x = 12345u32;
        let mut next = move || {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x
        };
        let mut v = vec![vec![0; words]];
        for _ in 1..n {
            let mut w = v[v.len() - 1].clone();
            match next() % 4 {
                0 => w.fill(0),
                1 => {}
                _ => w[next() as usize % words] = next(),
            }
            v.push(w);
        }
        v
    }

    #[test]
    fn inputs_come_back_as_pushed() {
        for words in [1, 31, 32, 33, 110] {
            let vectors = random_vectors(words, 500);
            let inputs = Inputs::from_vectors(words, &vectors);
            assert_eq!(inputs.cycles(), 500);
            assert_eq!(inputs.flat(), vectors.concat());
        }
    }

    #[test]
    fn equal_cycles_take_no_memory() {
        let mut inputs = Inputs::new(40);
        inputs.push_times(&[0; 40], 5_000_000_000);
        inputs.push(&[7; 40]);
        assert_eq!(inputs.cycles(), 5_000_000_001);
        assert!(inputs.bytes() < 1000);
    }

    #[test]
    fn a_file_comes_back_as_written() {
        let build = build(UnitKind::InputPort, "tiny");
        let l = Layout::new(build.unit, &build.params);
        let mut inputs = Inputs::new(l.in_words);
        let mut v = vec![0; l.in_words];
        inputs.push_times(&v, 17);
        v[l.input("cfg_we")] = 1;
        v[l.input("cfg_data")] = 0xdead_beef;
        inputs.push(&v);
        let data = l.input("rx_data");
        v[data + 7] = 0x8000_0001;
        v[l.input("prop_root") + 2] = 0xff_ffff;
        inputs.push_times(&v, 3);
        let cycles = inputs.cycles();
        let s = Stimulus { build, seed: 99, comments: vec!["a test".into()], inputs, cycles };
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.stim");
        write(&path, &s).unwrap();
        let r = read(&path).unwrap();
        assert_eq!((r.build.name, r.build.unit, r.seed), ("tiny", UnitKind::InputPort, 99));
        assert_eq!(r.comments, s.comments);
        assert_eq!(r.inputs.flat(), s.inputs.flat());
    }

    const GOOD: &str = "quell-stimulus 1\nunit hca-throttle\nbuild tiny\nseed 7\nparam FLOWS 5\nstart\nidle 3\nreq=1f sl_ok=0xffff\nrepeat 2 becn_valid=1\n";

    fn error(text: &str) -> String {
        let (line, message) = parse(text).unwrap_err();
        format!("{line}: {message}")
    }

    #[test]
    fn a_file_written_by_hand_needs_no_checksum() {
        let s = parse(&format!("# mine\n{GOOD}end 6\n")).unwrap();
        let l = Layout::new(s.build.unit, &s.build.params);
        let flat = s.inputs.flat();
        assert_eq!(s.inputs.cycles(), 6);
        assert_eq!(flat[3 * l.in_words + l.input("req")], 0x1f);
        assert_eq!(flat[5 * l.in_words + l.input("becn_valid")], 1);
    }

    #[test]
    fn bad_files_are_told_with_line_field_and_range() {
        for (text, expected) in [
            (String::new(), "1: empty file"),
            ("hello\n".into(), "1: not a stimulus file"),
            ("quell-stimulus 2\n".into(), "1: format version `2`"),
            (GOOD.into(), "9: the file is cut short: no `end` line after 6 cycles"),
            (format!("{GOOD}end 7\n"), "10: `end 7`, but 6 cycles"),
            (format!("{GOOD}end\n"), "10: `end `: must be `end CYCLES`"),
            (format!("{GOOD}end 6 crc32=12345678\n"), "10: the checksum is"),
            (format!("{GOOD}end 6\nidle\n"), "11: text after"),
            (GOOD.replace("req=1f", "req=3f"), "8: req=`3f`: legal is hexadecimal 0..1f (5 bits)"),
            (GOOD.replace("req=1f", "req[1]=1"), "8: element `1` of req: legal is 0..0"),
            (GOOD.replace("req=1f", "reg=1"), "8: `reg` is not an input of this unit: legal are cfg_we,"),
            (GOOD.replace("req=1f", "req=1 req=1"), "8: req is given twice"),
            (GOOD.replace("req=1f", "req=xyz"), "8: req=`xyz`: legal is hexadecimal"),
            (GOOD.replace("idle 3", "idle 0"), "7: number of cycles `0`: legal is 1.."),
            (GOOD.replace("seed 7", "seed -1"), "4: seed `-1`: legal is"),
            (GOOD.replace("tiny", "huge"), "3: build `huge`: hca-throttle has f64, f1024, tiny"),
            (
                GOOD.replace("hca-throttle", "nic"),
                "2: unit `nic`: legal are input-port, output-port, hca-throttle, switch, hca",
            ),
            (GOOD.replace("FLOWS 5", "FLOWS 1"), "6: parameter FLOWS = 1 is out of range: legal is 2..4096"),
            (
                GOOD.replace("FLOWS 5", "PORTS 5"),
                "5: param PORTS=5: hca-throttle has no parameter PORTS: there are VLS",
            ),
            (GOOD.replace("seed 7\n", ""), "5: a line `seed NUMBER` must come before"),
        ] {
            let e = error(&text);
            assert!(e.starts_with(expected), "{e}\nexpected: {expected}");
        }
    }

    #[test]
    fn every_damage_of_one_byte_is_noticed() {
        let s = parse(&format!("{GOOD}end 6\n")).unwrap();
        let text = to_text(&s);
        for i in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[i] ^= 1;
            if let Ok(t) = String::from_utf8(bytes) {
                assert!(parse(&t).is_err(), "byte {i} damaged, file accepted:\n{t}");
            }
            // Only the checksum may be missing as a whole.
            let complete = text[..i].trim_end().ends_with("end 6");
            assert_eq!(parse(&text[..i]).is_ok(), complete, "cut at {i}");
        }
    }

    #[test]
    fn the_corpus_is_of_todays_units() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
        let folders = std::fs::read_dir(home).unwrap().map(|folder| folder.unwrap().path());
        let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let faults: Vec<String> = files.filter_map(|file| read(&file.unwrap().path()).err()).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn checksum_is_the_usual_crc32() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
