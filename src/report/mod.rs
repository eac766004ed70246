//! A run, a study, costs or a comparison as one HTML page, made of the JSON that the commands write.
//!
//! The page needs no network and no script: its style is in it, charts are SVG in its own colours, light and dark.
//!
//! ```
//! let run = serde_json::json!({
//!     "result": "equal", "title": "hca-throttle tiny", "stimulus": "random traffic", "runs": 1, "seed": 1, "cycles": 1000,
//!     "packets": 12, "seconds": 0.1, "cycles_per_second": 10000.0, "verdict": "equal in every cycle", "not_compared": [],
//!     "cover": [],
//! });
//! let page = quell::report::page(&[("run.json".into(), run)])?;
//! assert!(page.contains("equal in every cycle"));
//! # Ok::<(), anyhow::Error>(())
//! ```

mod compare;
mod cosim;
mod cost;
mod draw;
mod fabric;
mod html;
mod read;
mod section;
mod study;
#[cfg(test)]
mod tests;
mod worm;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::text::escape;
use html::chip;
use read::At;
use section::Section;

/// How a page looks.
const STYLE: &str = include_str!("style.css");

/// What makes a part of a document; pictures are numbered over the whole page.
type Maker = fn(&At, &mut usize) -> Result<Section>;

/// Which command wrote a document, by a field that it alone has.
fn maker(v: &At) -> Option<Maker> {
    let fabric = |v: &At| v.has("scheme") && v.has("engine");
    match () {
        () if v.has("cover") => Some(cosim::equal),
        () if v.has("history") => Some(cosim::failed),
        () if fabric(v) && v.get("report").is_ok_and(|r| r.has("best_effort")) => Some(worm::section),
        () if fabric(v) => Some(fabric::section),
        () if v.has("schemes") => Some(compare::section),
        () if v.has("claims") => Some(study::section),
        () if v.has("costs") => Some(cost::section),
        () => None,
    }
}

/// The page of some documents, each with the name of its file.
pub fn page(documents: &[(String, Value)]) -> Result<String> {
    let mut pictures = 0;
    let mut sections = Vec::new();
    for (name, value) in documents {
        let at = At::new(value, name);
        // Studies come in a list.
        let parts = if at.has("studies") { at.list_of("studies")? } else { vec![at] };
        for part in parts {
            let Some(make) = maker(&part) else {
                bail!(
                    "{name}: not of quell: it has no field cover, history, engine, schemes, claims, studies or costs; \
                     what cosim, replay, regress, fabric, compare, paper and cost write with --format json is wanted"
                );
            };
            sections.push((name.as_str(), make(&part, &mut pictures)?));
        }
    }
    Ok(whole(&sections))
}

fn whole(sections: &[(&str, Section)]) -> String {
    let (title, head) = match sections {
        [(_, one)] => (one.title.clone(), String::new()),
        many => (format!("{} results", many.len()), format!("<h1>{} results</h1>", many.len())),
    };
    let mut s = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0} - quell</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header><b>quell report</b>{head}</header>\n",
        escape(&title)
    );
    if sections.len() > 1 {
        s += "<nav>\n";
        for (i, (_, part)) in sections.iter().enumerate() {
            s += &format!("<a href=\"#part{i}\">{}</a>\n", escape(&part.title));
        }
        s += "</nav>\n";
    }
    for (i, (name, part)) in sections.iter().enumerate() {
        s += &format!(
            "<section id=\"part{i}\">\n<h2>{} {}</h2>\n<p class=\"about\">{}</p>\n{}</section>\n",
            escape(&part.title),
            chip(&part.result.0, part.result.1),
            escape(&format!("{} ({name})", part.about)),
            part.body
        );
    }
    s + "<footer>Made by quell report; figures are those of the JSON files.</footer>\n</main>\n</body>\n</html>\n"
}
