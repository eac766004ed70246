//! What a study says.

use serde::Serialize;

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &str, head: &[&str]) -> Table {
        Table { title: title.into(), head: head.iter().map(|h| h.to_string()).collect(), rows: Vec::new() }
    }

    /// One more row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

/// One thing that the paper says.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// What must be so, with its tolerance.
    pub text: String,
    /// What the paper reports.
    pub published: String,
    /// What was measured.
    pub measured: String,
    /// Whether it is so.
    pub holds: bool,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of the file, without its ending.
    pub name: String,
    /// The picture.
    pub svg: String,
}

/// All of a study.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Published beside measured.
    pub tables: Vec<Table>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// Pictures.
    pub figures: Vec<Figure>,
}

impl Report {
    /// One more claim.
    pub fn claim(
        &mut self,
        text: impl Into<String>,
        published: impl Into<String>,
        measured: impl Into<String>,
        holds: bool,
    ) {
        let (text, published, measured) = (text.into(), published.into(), measured.into());
        self.claims.push(Claim { text, published, measured, holds });
    }

    /// One more picture.
    pub fn figure(&mut self, name: impl Into<String>, svg: String) {
        self.figures.push(Figure { name: name.into(), svg });
    }

    /// Whether all claims hold.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|c| c.holds)
    }
}
