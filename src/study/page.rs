//! docs/results.md: made whole from kept figures. `docs/results.json` has the figures, the studies have all else, so nobody types a number.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::claim::{Claim, Count, count};
use super::plan::{Numbers, Scale, Study};
use super::report::{Report, Table};
use crate::outfile;

/// The figures of a study in one form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Seed of the first draw.
    pub seed: u64,
    /// Draws.
    pub draws: usize,
    /// Processor time of its runs, seconds.
    pub seconds: f64,
    /// The sources that the outcomes are of: [`sources`](super::cache::sources).
    pub sources: String,
    /// The figures.
    pub numbers: Numbers,
}

/// The figures of all studies, by form and study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept(pub BTreeMap<String, BTreeMap<String, Entry>>);

/// Where the figures of a page are.
pub fn beside(page: &Path) -> PathBuf {
    page.with_extension("json")
}

impl Kept {
    /// Those beside a page; none if there are none.
    pub fn read(page: &Path) -> Result<Kept> {
        let path = beside(page);
        if !path.exists() {
            return Ok(Kept::default());
        }
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Kept::of_text(&text).with_context(|| path.display().to_string())
    }

    /// Reads them.
    pub fn of_text(text: &str) -> Result<Kept> {
        let kept: Kept = serde_json::from_str(text)?;
        for form in kept.0.keys() {
            Scale::named(form)?;
        }
        Ok(kept)
    }

    /// Keeps what a study has measured.
    pub fn add(&mut self, scale: Scale, id: &str, entry: Entry) {
        self.0.entry(scale.name()).or_default().insert(id.into(), entry);
    }

    /// As text, a figure a line.
    pub fn text(&self) -> Result<String> {
        let string = |s: &str| serde_json::to_string(s);
        let mut forms = Vec::new();
        for (form, studies) in &self.0 {
            let mut all = Vec::new();
            for (id, e) in studies {
                let mut lines = Vec::new();
                for (name, values) in &e.numbers {
                    if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
                        bail!("{id}, {form}: {name} is {bad}");
                    }
                    lines.push(format!("      {}: {}", string(name)?, serde_json::to_string(values)?));
                }
                all.push(format!(
                    "    {}: {{\"seed\": {}, \"draws\": {}, \"seconds\": {:.1}, \"sources\": {}, \"numbers\": {{\n{}\n    }}}}",
                    string(id)?,
                    e.seed,
                    e.draws,
                    e.seconds,
                    string(&e.sources)?,
                    lines.join(",\n")
                ));
            }
            forms.push(format!("  {}: {{\n{}\n  }}", string(form)?, all.join(",\n")));
        }
        Ok(format!("{{\n{}\n}}\n", forms.join(",\n")))
    }

    /// Writes them, and the page that is made of them.
    pub fn write(&self, page: &Path, studies: &[Study]) -> Result<()> {
        let text = text(self, studies)?;
        outfile::write(&beside(page), self.text()?.as_bytes())?;
        outfile::write(page, text.as_bytes())
    }
}

const BEGIN: &str = "# Published results, repeated

Made by `quell paper --page docs/results.md` of the figures in `docs/results.json`; nothing here is typed by hand.

Each study runs on the golden fabric and sets what the paper states beside what was measured. A claim is a *value* (the paper has a number; the table has how far
the worst figure is from it), an *order* of figures, or a *bound*. `quell paper --list` shows the studies, `quell paper ID...` runs some, `--all` the papers' sizes and times, `--all
--quick` a short form, `--size 1024` the largest network of E1 to E3. Where hotspots are drawn a study runs several draws (seeds): a figure is mean ± standard deviation over them, a
claim is judged on the means, and *holds* has in how many draws it holds, too. Figures (SVG) and reports (JSON) go to `quell-paper/` beside the build folder, or to `--out DIR`; finished runs are
kept there and are not done again as long as their settings and the sources that they depend on (`src/study/results-of.txt`, of wormhole networks `worm-results-of.txt`) are the same. With `--page FILE` what was measured is
kept beside the page, and the page is made anew. Exit status: 0 all claims hold, 1 one does not, 2 bad input.
";

const PICTURES: &str = "![Receive rate of nodes that are no hotspot, 648 nodes](figures/g8-receive.svg)
![Receive rate of nodes that are no hotspot and gain, windy forest](figures/g9-windy.svg)
![Throughput of 4-ary trees under 1, 4 and 6 congestion trees](figures/e1-throughput.svg)
![Average gains, published and measured](figures/e2-gain.svg)
";

/// The pictures that the page shows, of the full form.
pub const SHOWN: [&str; 4] = ["g8-receive", "g9-windy", "e1-throughput", "e2-gain"];

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn row(o: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|c| cell(c)).collect();
    let _ = writeln!(o, "| {} |", cells.join(" | "));
}

fn head(o: &mut String, names: &[String]) {
    row(o, names);
    let _ = writeln!(o, "|{}", "---|".repeat(names.len()));
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(String::from).to_vec()
}

fn table(o: &mut String, t: &Table) {
    let _ = writeln!(o, "\n{}:\n", t.title);
    head(o, &t.head);
    t.rows.iter().for_each(|r| row(o, r));
}

/// Hours and minutes.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn title(scale: Scale) -> String {
    match scale {
        Scale::Quick => "Short form".into(),
        Scale::Full => "Full form: the papers' sizes and times".into(),
        Scale::Only(nodes) => format!("{nodes} nodes"),
    }
}

/// "3 of 4".
pub fn of_all(c: Count) -> String {
    format!("{} of {}", c.hold, c.all)
}

/// The header of [`claim_row`].
fn claim_head() -> Vec<String> {
    names(["id", "claim", "kind", "must be", "published", "measured", "deviation", "holds"])
}

fn claim_row(id: &str, c: &Claim) -> Vec<String> {
    vec![
        id.into(),
        c.text.clone(),
        c.kind.name().into(),
        c.must(),
        c.published_text(),
        c.measured_text(),
        c.deviation(),
        c.holds_text(),
    ]
}

/// Claims of studies, a line each.
pub fn claims(reports: &[(&str, &Report)]) -> String {
    let mut o = String::new();
    head(&mut o, &claim_head());
    for (id, report) in reports {
        report.claims.iter().for_each(|c| row(&mut o, &claim_row(id, c)));
    }
    o
}

/// A study with what is kept of it, and what it makes of that.
struct Judged<'a> {
    study: &'a Study,
    entry: &'a Entry,
    report: Report,
}

/// All studies of a form.
type Form<'a> = (Scale, Vec<Judged<'a>>);

/// The page.
pub fn text(kept: &Kept, studies: &[Study]) -> Result<String> {
    let mut forms: Vec<Form> = Vec::new();
    for (form, entries) in &kept.0 {
        let scale = Scale::named(form)?;
        for id in entries.keys() {
            if !studies.iter().any(|s| s.id == id) {
                bail!("form {form}: there is no study {id}");
            }
        }
        let mut all = Vec::new();
        for study in studies {
            if let Some(entry) = entries.get(study.id) {
                let report = study.judge(scale, entry.numbers.clone()).with_context(|| {
                    format!("{}, form {form}; remedy: run it again with --page", study.id)
                })?;
                all.push(Judged { study, entry, report });
            }
        }
        forms.push((scale, all));
    }
    forms.sort_by_key(|(scale, _)| match scale {
        Scale::Quick => 0,
        Scale::Full => 1,
        Scale::Only(nodes) => *nodes,
    });
    let mut o = BEGIN.to_string();
    o.push('\n');
    head(
        &mut o,
        &names(["form", "claims that hold", "values", "orders", "bounds", "processor time", "not run"]),
    );
    for (scale, all) in &forms {
        let counts = count(all.iter().flat_map(|a| &a.report.claims));
        let seconds: f64 = all.iter().map(|a| a.entry.seconds).sum();
        let missing = studies.iter().filter(|s| s.sizes || !matches!(scale, Scale::Only(_)));
        let missing: Vec<&str> =
            missing.map(|s| s.id).filter(|id| !all.iter().any(|a| a.study.id == *id)).collect();
        let mut cells = vec![title(*scale), of_all(counts.into_iter().sum())];
        cells.extend(counts.map(of_all));
        cells.extend([time(seconds), missing.join(", ")]);
        row(&mut o, &cells);
    }
    let _ = writeln!(o, "\nRuns that studies share count in each.\n\n{PICTURES}");
    for (scale, all) in &forms {
        let _ = writeln!(o, "## {}\n", title(*scale));
        let reports: Vec<(&str, &Report)> = all.iter().map(|a| (a.study.id, &a.report)).collect();
        o.push_str(&claims(&reports));
        all.iter().flat_map(|a| &a.report.tables).filter(|t| t.on_page).for_each(|t| table(&mut o, t));
        o.push('\n');
    }
    o.push_str("## Settings and deviations\n\nSettings without a remark are the paper's; all others are the defaults of the scheme (`quell params`).\n\n");
    for s in studies {
        let _ = writeln!(o, "* **{}** {} ({})", s.id, s.title, s.source);
        let all = s.settings_text();
        let first = studies.iter().find(|other| other.settings_text() == all).map_or(s.id, |other| other.id);
        match first == s.id {
            _ if all.is_empty() => (),
            true => _ = writeln!(o, "  * settings: {}", all.join(", ")),
            false => _ = writeln!(o, "  * settings: those of {first}"),
        }
        for d in s.deviations {
            let _ = writeln!(o, "  * {d}");
        }
    }
    o.push_str("\n## Open ends: claims that do not hold, and why\n\n");
    open_ends(&mut o, &forms);
    o.push_str("\n## Runs\n\n");
    head(&mut o, &names(["id", "form", "draws", "seed", "processor time", "sources"]));
    for (scale, all) in &forms {
        for Judged { study: s, entry: e, .. } in all {
            let cells = [s.id.into(), scale.name(), e.draws.to_string(), e.seed.to_string(), time(e.seconds)];
            row(&mut o, &[&cells[..], std::slice::from_ref(&e.sources)].concat());
        }
    }
    Ok(o)
}

/// A reason a line, with the claims that it explains.
fn open_ends(o: &mut String, forms: &[Form]) {
    let mut reasons: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (scale, all) in forms {
        for Judged { study: s, report, .. } in all {
            for c in report.claims.iter().filter(|c| !c.holds()) {
                let claim = format!("{} ({}; {})", c.text, scale.name(), c.measured_text());
                match reasons.iter_mut().find(|r| r.0 == s.id && r.1 == c.reason) {
                    Some(r) => r.2.push(claim),
                    None => reasons.push((s.id, &c.reason, vec![claim])),
                }
            }
        }
    }
    reasons.sort_by_key(|r| forms.iter().flat_map(|f| &f.1).position(|a| a.study.id == r.0));
    for (id, reason, claims) in reasons {
        let reason = if reason.is_empty() { "no reason is known" } else { reason };
        let _ = writeln!(o, "* **{id}** {reason}.");
        claims.iter().for_each(|c| _ = writeln!(o, "  * {c}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Kept {
        let numbers = Numbers::from([("a \"b\": 1-2 ms share".to_string(), vec![0.5, 1e-7])]);
        let entry = Entry { seed: 1, draws: 2, seconds: 12.3, sources: "00ff".into(), numbers };
        let mut kept = Kept::default();
        kept.add(Scale::Quick, "G1", entry.clone());
        kept.add(Scale::Only(1024), "E1", entry);
        kept
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let text = kept().text().unwrap();
        assert_eq!(Kept::of_text(&text).unwrap(), kept());
        let e = Kept::of_text(&text.replace("quick", "long")).unwrap_err();
        assert!(e.to_string().contains("legal: quick, full"), "{e}");
        let mut bad = kept();
        bad.0.get_mut("quick").unwrap().get_mut("G1").unwrap().numbers.insert("x".into(), vec![f64::NAN]);
        assert!(bad.text().unwrap_err().to_string().contains("x is NaN"));
    }

    #[test]
    fn a_figure_that_is_not_there_is_told() {
        let e = format!("{:#}", text(&kept(), &crate::study::studies()).unwrap_err());
        assert!(e.contains("run it again with --page") && e.contains("there is no figure"), "{e}");
        let mut other = Kept::default();
        other.add(Scale::Quick, "G99", kept().0["quick"]["G1"].clone());
        let e = format!("{:#}", text(&other, &crate::study::studies()).unwrap_err());
        assert!(e.contains("there is no study G99"), "{e}");
    }
}
