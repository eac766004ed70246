//! What a study says.

use serde::Serialize;

use super::claim::Claim;

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
    /// The page has it, too.
    #[serde(skip)]
    pub on_page: bool,
}

impl Table {
    /// A table without rows.
    pub fn new<S: AsRef<str>>(title: &str, head: &[S]) -> Table {
        let head = head.iter().map(|h| h.as_ref().to_string()).collect();
        Table { title: title.into(), head, rows: Vec::new(), on_page: false }
    }

    /// The page has it, too.
    pub fn on_page(self) -> Table {
        Table { on_page: true, ..self }
    }

    /// One more row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of the file, without its ending.
    pub name: String,
    /// The picture.
    pub svg: String,
}

impl Figure {
    /// A picture with a name.
    pub fn new(name: impl Into<String>, svg: String) -> Figure {
        Figure { name: name.into(), svg }
    }
}

/// What a study makes of its figures.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Published beside measured.
    pub tables: Vec<Table>,
    /// The claims.
    pub claims: Vec<Claim>,
}

impl Report {
    /// One more claim.
    pub fn claim(&mut self, claim: Claim) {
        self.claims.push(claim);
    }

    /// Whether all claims hold.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(Claim::holds)
    }
}
