//! A study: what was published beside what was measured.

use anyhow::Result;

use super::html::{Cell, Mood, chip, folded, heading, table};
use super::read::At;
use super::section::Section;

pub(super) fn section(v: &At, _: &mut usize) -> Result<Section> {
    let claims = v.list_of("claims")?;
    let (mut rows, mut held) = (Vec::new(), 0);
    for claim in &claims {
        let holds = claim.get("holds")?.flag()?;
        held += usize::from(holds);
        let reason = claim.text_of("reason")?;
        let text = claim.text_of("text")?;
        let said = if reason.is_empty() { text.to_string() } else { format!("{text}. Why not: {reason}") };
        rows.push(vec![
            Cell::Made(if holds { chip("holds", Mood::Good) } else { chip("does not hold", Mood::Bad) }),
            said.into(),
            claim.text_of("must")?.into(),
            claim.text_of("published")?.into(),
            claim.text_of("measured")?.into(),
            claim.text_of("deviation")?.into(),
        ]);
    }
    let mut body = table(&["", "claim", "what must be so", "published", "measured", "deviation"], rows);
    for t in v.list_of("tables")? {
        body += &heading(t.text_of("title")?);
        let rows = t.list_of("rows")?;
        let rows: Vec<Vec<&str>> = rows.iter().map(texts).collect::<Result<_>>()?;
        // A column of numbers stands to the right: `< 7`, `~ 3.4` and `12 %` are some, too.
        let is_number = |text: &str| {
            text.is_empty() || text.starts_with(|c: char| "<>~±+-.".contains(c) || c.is_ascii_digit())
        };
        let column =
            |i: usize| i > 0 && rows.iter().all(|r| r.get(i).is_none_or(|c| is_number(c) && c.len() < 20));
        let cell = |(i, text): (usize, &&str)| match column(i) {
            true => Cell::Number(text.to_string()),
            false => Cell::Text(text.to_string()),
        };
        let rows = rows.iter().map(|r| r.iter().enumerate().map(cell).collect()).collect();
        body += &table(&t.texts_of("head")?, rows);
    }
    let chosen = v.texts_of("chosen")?;
    if !chosen.is_empty() {
        let rows = chosen.into_iter().map(|line| vec![line.into()]);
        body += &folded("Settings, and how they differ from the paper's", &table(&[], rows.collect()));
    }
    let holds = v.get("holds")?.flag()?;
    Ok(Section {
        title: format!("{}: {}", v.text_of("id")?, v.text_of("title")?),
        result: (format!("{held} of {} claims hold", claims.len()), Mood::of(holds)),
        about: v.text_of("source")?.into(),
        body,
    })
}

fn texts<'a>(row: &At<'a>) -> Result<Vec<&'a str>> {
    row.list()?.iter().map(At::text).collect()
}
