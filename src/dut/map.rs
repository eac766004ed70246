//! The map of a design: which of its pins is which signal of the unit (`docs/dut.md`).

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use toml::{Spanned, Value};

/// Which level of the reset pin resets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// 1 resets.
    #[default]
    High,
    /// 0 resets.
    Low,
}

/// What a pin of the design is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// A signal of the unit, or a part of it.
    Signal {
        /// Name, without suffix.
        name: String,
        /// The first index: an element where the signal has several, else a bit or bits.
        first: Option<(usize, usize)>,
        /// Bits of an element.
        second: Option<(usize, usize)>,
        /// Inverted.
        inverted: bool,
    },
    /// A configuration register of the unit, which the adapter keeps for a design with pins in its place.
    Register {
        /// Name.
        name: String,
        /// High and low bit.
        bits: Option<(usize, usize)>,
    },
    /// An input that is always this.
    Tied(u64),
    /// An output that goes nowhere.
    Open,
    /// Several in one pin, highest bits first, as in `{a, b}`.
    Packed(Vec<Use>),
    /// In a list: so many bits that are always this.
    TiedBits(usize, u64),
    /// In a list: so many bits that go nowhere.
    OpenBits(usize),
}

impl Use {
    /// The signals of the unit that it names.
    pub(super) fn signals(&self) -> Vec<&str> {
        match self {
            Use::Signal { name, .. } => vec![name],
            Use::Packed(all) => all.iter().flat_map(Use::signals).collect(),
            _ => Vec::new(),
        }
    }
}

/// What is said in a place of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// `map.toml:7`
    pub place: String,
    /// What.
    pub is: T,
}

/// A value for a parameter of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A number.
    Number(i64),
    /// A parameter of the unit, by name.
    Parameter(String),
}

/// A tolerance of who judges by events: name and cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Where it is set.
    pub place: String,
    /// Name.
    pub name: String,
    /// Value.
    pub value: i64,
}

/// A map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// The clock's pin; `clk_i` without it.
    pub clock: Option<At<String>>,
    /// The reset's pin; `rst_i` without it.
    pub reset: Option<At<String>>,
    /// Its polarity, `high` without it.
    pub reset_active: Option<Level>,
    /// Macros that are defined, NAME or NAME=VALUE.
    pub defines: Vec<String>,
    /// Parameters of the design.
    pub parameters: BTreeMap<String, At<Given>>,
    /// Pins of the design.
    pub pins: BTreeMap<String, At<Use>>,
    /// Inputs of the unit that the design does not have.
    pub lacking_inputs: Vec<At<String>>,
    /// Outputs and state of the unit that it does not have.
    pub lacking_outputs: Vec<At<String>>,
    /// Tolerances.
    pub events: Vec<Tolerance>,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    clock: Option<Spanned<String>>,
    reset: Option<Spanned<String>>,
    reset_active: Option<Level>,
    #[serde(default)]
    defines: Vec<Spanned<String>>,
    #[serde(default)]
    parameters: BTreeMap<Spanned<String>, Spanned<Value>>,
    #[serde(default)]
    pins: BTreeMap<Spanned<String>, Spanned<Value>>,
    #[serde(default)]
    lacks: Lacks,
    #[serde(default)]
    events: BTreeMap<Spanned<String>, Spanned<Value>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lacks {
    #[serde(default)]
    inputs: Vec<Spanned<String>>,
    #[serde(default)]
    outputs: Vec<Spanned<String>>,
}

impl Map {
    /// Reads a map.
    pub fn read(path: &Path) -> Result<Map> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the map {}", path.display()))?;
        Map::parse(&path.display().to_string(), &text)
    }

    /// Parses the text of the map `name`.
    pub fn parse(name: &str, text: &str) -> Result<Map> {
        let place = |at: usize| format!("{name}:{}", 1 + text[..at.min(text.len())].matches('\n').count());
        let document: Document = toml::from_str(text).map_err(|e| {
            let at = e.span().map_or(name.to_string(), |s| place(s.start));
            anyhow!("{at}: {}", e.message().replace('\n', "; "))
        })?;
        let string = |s: &Spanned<String>| At { place: place(s.span().start), is: s.get_ref().clone() };
        let mut map = Map {
            clock: document.clock.as_ref().map(string),
            reset: document.reset.as_ref().map(string),
            reset_active: document.reset_active,
            lacking_inputs: document.lacks.inputs.iter().map(string).collect(),
            lacking_outputs: document.lacks.outputs.iter().map(string).collect(),
            ..Map::default()
        };
        for define in &document.defines {
            let text = define.get_ref();
            let name = text.split('=').next().unwrap_or_default();
            if !is_name(name) || text.contains(char::is_whitespace) {
                bail!("{}: defines: {text:?}: NAME or NAME=VALUE is wanted", place(define.span().start));
            }
            map.defines.push(text.clone());
        }
        for (key, value) in &document.parameters {
            let at = place(key.span().start);
            let is = match value.get_ref() {
                Value::Integer(n) => Given::Number(*n),
                Value::String(s) => Given::Parameter(s.clone()),
                _ => bail!(
                    "{at}: parameters.{}: a number is wanted, or the name of a parameter of the unit",
                    key.get_ref()
                ),
            };
            map.parameters.insert(key.get_ref().clone(), At { place: at, is });
        }
        for (key, value) in &document.pins {
            let at = place(key.span().start);
            let is = used(value.get_ref()).map_err(|e| anyhow!("{at}: pins.{}: {e}", key.get_ref()))?;
            map.pins.insert(key.get_ref().clone(), At { place: at, is });
        }
        for (key, value) in &document.events {
            let at = place(key.span().start);
            let Value::Integer(value) = value.get_ref() else {
                bail!("{at}: events.{}: a number of cycles is wanted", key.get_ref());
            };
            map.events.push(Tolerance { place: at, name: key.get_ref().clone(), value: *value });
        }
        Ok(map)
    }
}

const WANTED: &str = "wanted is a signal of the unit (\"req\", \"~req\", \"req[3]\", \"inj_len[6:4]\", \"grant[2][0:0]\"), a register \
    (\"cfg.CCTI_LIMIT[13:0]\"), a number (an input tied to it), \"open\" (an output that goes nowhere), or a list of these";
const WANTED_IN_LIST: &str = "in a list, highest bits first, wanted is a signal of the unit (\"req\", \"~inj_len[6:4]\"), bits of a register \
    (\"cfg.CCTI_LIMIT[13:0]\"), bits tied to a number (\"4'd9\") or bits that go nowhere (\"open[4]\")";

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What a pin is, as its value says.
fn used(value: &Value) -> Result<Use, String> {
    let text = match value {
        Value::Integer(n) => {
            return u64::try_from(*n).map(Use::Tied).map_err(|_| format!("{n} is less than 0; {WANTED}"));
        }
        Value::String(text) => text.trim(),
        Value::Array(all) if all.is_empty() => return Err(format!("an empty list; {WANTED}")),
        Value::Array(all) => return all.iter().map(part).collect::<Result<_, _>>().map(Use::Packed),
        other => return Err(format!("{other} is no text; {WANTED}")),
    };
    if text == "open" {
        return Ok(Use::Open);
    }
    let (inverted, body) = text.strip_prefix('~').map_or((false, text), |b| (true, b.trim()));
    let (register, body) = body.strip_prefix("cfg.").map_or((false, body), |b| (true, b));
    let (name, mut rest) = body.split_at(body.find('[').unwrap_or(body.len()));
    let bad = || format!("{text:?}: {WANTED}");
    if !is_name(name) {
        return Err(bad());
    }
    let mut indices = Vec::new();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix('[').and_then(|r| r.split_once(']')).ok_or_else(bad)?;
        let (high, low) = inside.split_once(':').unwrap_or((inside, inside));
        let number = |s: &str| s.trim().parse::<usize>().map_err(|_| bad());
        let (high, low) = (number(high)?, number(low)?);
        if low > high {
            return Err(format!("{text:?}: [{high}:{low}]: the higher index comes first"));
        }
        indices.push((high, low));
        rest = after;
    }
    let name = name.to_string();
    match (register, inverted, &indices[..]) {
        (true, false, []) => Ok(Use::Register { name, bits: None }),
        (true, false, &[bits]) => Ok(Use::Register { name, bits: Some(bits) }),
        (false, _, []) => Ok(Use::Signal { name, first: None, second: None, inverted }),
        (false, _, &[a]) => Ok(Use::Signal { name, first: Some(a), second: None, inverted }),
        (false, _, &[a, b]) => Ok(Use::Signal { name, first: Some(a), second: Some(b), inverted }),
        _ => Err(bad()),
    }
}

/// What some bits of a pin are, as an item of its list says.
fn part(value: &Value) -> Result<Use, String> {
    let bad = || format!("{value}: {WANTED_IN_LIST}");
    let text = value.as_str().ok_or_else(bad)?.trim();
    if let Some((bits, number)) = text.split_once("'d") {
        let bits = bits.trim().parse::<usize>().map_err(|_| bad())?;
        let number = number.trim().parse::<u64>().map_err(|_| bad())?;
        if bits == 0 || bits < 64 && number >> bits > 0 {
            return Err(format!("{text:?}: {number} does not fit into {bits} bits"));
        }
        return Ok(Use::TiedBits(bits, number));
    }
    if let Some(bits) = text.strip_prefix("open[").and_then(|t| t.strip_suffix(']')) {
        let bits = bits.trim().parse::<usize>().ok().filter(|b| *b > 0);
        return bits.map(Use::OpenBits).ok_or_else(bad);
    }
    match used(value)? {
        Use::Open | Use::Register { bits: None, .. } => Err(bad()),
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
clock = "clk"
reset = "rst_n"
reset_active = "low"
defines = ["SIM", "WAYS=4"]

[parameters]
N = "FLOWS"
DEPTH = 4

[pins]
want = "req"
hold = "~stop"
len_hi = "inj_len[6:4]"
rx_3 = "grant[3]"
part = "held_line[2][3:0]"
limit = "cfg.CCTI_LIMIT[13:0]"
test_en = 0
debug = "open"
bus = ["cfg_we", "~req[1]", "cfg.CTRL[3:0]", "4'd9", "open[2]"]

[lacks]
inputs = ["cfg_re"]
outputs = ["err"]

[events]
becn = 12
"#;

    #[test]
    fn a_map_is_read_with_its_places() {
        let m = Map::parse("m.toml", WHOLE).unwrap();
        assert_eq!(m.clock, Some(At { place: "m.toml:2".into(), is: "clk".into() }));
        assert_eq!((m.reset_active, m.defines.len()), (Some(Level::Low), 2));
        assert_eq!(m.parameters["N"].is, Given::Parameter("FLOWS".into()));
        assert_eq!(m.parameters["DEPTH"].is, Given::Number(4));
        let signal =
            |name: &str, first, second, inverted| Use::Signal { name: name.into(), first, second, inverted };
        assert_eq!(m.pins["want"].is, signal("req", None, None, false));
        assert_eq!(m.pins["hold"].is, signal("stop", None, None, true));
        assert_eq!(m.pins["len_hi"].is, signal("inj_len", Some((6, 4)), None, false));
        assert_eq!(m.pins["rx_3"].is, signal("grant", Some((3, 3)), None, false));
        assert_eq!(m.pins["part"].is, signal("held_line", Some((2, 2)), Some((3, 0)), false));
        assert_eq!(m.pins["limit"].is, Use::Register { name: "CCTI_LIMIT".into(), bits: Some((13, 0)) });
        assert_eq!((&m.pins["test_en"].is, &m.pins["debug"].is), (&Use::Tied(0), &Use::Open));
        let bus = [
            signal("cfg_we", None, None, false),
            signal("req", Some((1, 1)), None, true),
            Use::Register { name: "CTRL".into(), bits: Some((3, 0)) },
            Use::TiedBits(4, 9),
            Use::OpenBits(2),
        ];
        assert_eq!(m.pins["bus"].is, Use::Packed(bus.to_vec()));
        assert_eq!(m.pins["bus"].is.signals(), ["cfg_we", "req"]);
        assert_eq!(m.lacking_inputs[0].is, "cfg_re");
        assert_eq!(m.lacking_outputs[0].place, "m.toml:24");
        assert_eq!(m.events, [Tolerance { place: "m.toml:27".into(), name: "becn".into(), value: 12 }]);
    }

    #[test]
    fn what_is_wrong_is_told_with_line_field_and_what_is_legal() {
        for (text, says) in [
            ("clok = \"c\"", "m.toml:1: unknown field `clok`, expected one of `clock`, `reset`"),
            ("\nreset_active = \"down\"", "m.toml:2: unknown variant `down`, expected `high` or `low`"),
            ("[lacks]\nstate = []", "m.toml:2: unknown field `state`, expected `inputs` or `outputs`"),
            ("[pins]\na = -1", "m.toml:2: pins.a: -1 is less than 0; wanted is a signal"),
            ("[pins]\na = 1.5", "m.toml:2: pins.a: 1.5 is no text; wanted is"),
            ("[pins]\na = \"req[0:3]\"", "pins.a: \"req[0:3]\": [0:3]: the higher index comes first"),
            ("[pins]\na = \"req[x]\"", "pins.a: \"req[x]\": wanted is"),
            ("[pins]\na = \"~cfg.CTRL\"", "pins.a: \"~cfg.CTRL\": wanted is"),
            ("[pins]\na = \"a[1][2][3]\"", "wanted is"),
            ("[pins]\na = \"\"", "wanted is"),
            ("[pins]\na = []", "m.toml:2: pins.a: an empty list; wanted is"),
            ("[pins]\na = [\"req\", 0]", "m.toml:2: pins.a: 0: in a list, highest bits first, wanted is"),
            ("[pins]\na = [\"open\"]", "pins.a: \"open\": in a list"),
            ("[pins]\na = [\"open[0]\"]", "pins.a: \"open[0]\": in a list"),
            ("[pins]\na = [\"cfg.CTRL\"]", "pins.a: \"cfg.CTRL\": in a list"),
            ("[pins]\na = [[\"req\"]]", "in a list"),
            ("[pins]\na = [\"3'd8\"]", "pins.a: \"3'd8\": 8 does not fit into 3 bits"),
            ("[parameters]\nN = true", "m.toml:2: parameters.N: a number is wanted"),
            ("[events]\nbecn = \"x\"", "m.toml:2: events.becn: a number of cycles is wanted"),
            ("defines = [\"a b\"]", "defines: \"a b\": NAME or NAME=VALUE is wanted"),
            ("clock = ", "m.toml:1: "),
        ] {
            let error = Map::parse("m.toml", text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
