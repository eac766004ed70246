//! Which file of the crate takes what from which other one, read from the sources.
//!
//! A path is followed to the file that defines its item: a module that only hands a name on (`use`) is not that file. What
//! stands under `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names of the modules down to one.
type ModulePath = Vec<String>;

/// A module of the crate, inline ones not among them.
#[derive(Default)]
pub struct Module {
    /// Its file, below `src/`.
    pub file: PathBuf,
    /// Names that `use` brings, and their paths.
    names: BTreeMap<String, Vec<String>>,
    /// Modules of which `use` brings everything.
    globs: Vec<Vec<String>>,
    /// Paths in the code, by `use` too, each with the number of inline modules that it stands in.
    paths: Vec<(Vec<String>, usize)>,
    /// Only tests have it.
    test: bool,
}

/// The crate's modules by path.
pub struct Crate(BTreeMap<ModulePath, Module>);

/// File, the file that it takes something from, and the names.
pub type Arrows = BTreeMap<(PathBuf, PathBuf), BTreeSet<String>>;

/// Every Rust file below a folder.
pub fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("readable folder") {
        let path = entry.expect("readable entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// What a token says, if it is an identifier.
fn word(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(i) => Some(i.to_string()),
        _ => None,
    }
}

fn is(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// Whether `::` is at this place.
fn colons(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), ':') && is(tokens.get(at + 1), ':')
}

impl Module {
    /// Reads `a::{b, c as d}` after `use`, up to its end.
    fn read_use(&mut self, tokens: &[TokenTree], before: &[String], depth: usize) {
        for tree in tokens.split(|t| is(Some(t), ',')) {
            let mut path = before.to_vec();
            let mut alias = None;
            let mut whole = true;
            let mut i = 0;
            while let Some(token) = tree.get(i) {
                match token {
                    TokenTree::Ident(w) if *w == "as" => {
                        alias = tree.get(i + 1).and_then(word);
                        i += 1;
                    }
                    TokenTree::Ident(w) => path.push(w.to_string()),
                    TokenTree::Group(g) => {
                        let inner: Vec<TokenTree> = g.stream().into_iter().collect();
                        self.read_use(&inner, &path, depth);
                        whole = false;
                    }
                    TokenTree::Punct(p) if p.as_char() == '*' => {
                        self.paths.push(([&path[..], &["*".into()]].concat(), depth));
                        if depth == 0 {
                            self.globs.push(path.clone());
                        }
                        whole = false;
                    }
                    _ => {}
                }
                i += 1;
            }
            if path.last().is_some_and(|l| l == "self") && path.len() > 1 {
                path.pop();
            }
            if let (true, Some(last)) = (whole, path.last()) {
                if depth == 0 {
                    self.names.insert(alias.unwrap_or_else(|| last.clone()), path.clone());
                }
                self.paths.push((path, depth));
            }
        }
    }

    /// Reads code that stands in so many inline modules; `tests` gets the names of modules that only tests have.
    fn read(&mut self, code: TokenStream, depth: usize, tests: &mut Vec<String>) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            match token {
                TokenTree::Punct(p) if p.as_char() == '#' => {
                    if let Some(TokenTree::Group(g)) = tokens.get(i + 1)
                        && g.stream().to_string().replace(' ', "") == "cfg(test)"
                    {
                        let ends = |t: &TokenTree| match t {
                            TokenTree::Group(g) => g.delimiter() == Delimiter::Brace,
                            t => is(Some(t), ';'),
                        };
                        let end = tokens[i..].iter().position(ends).map_or(tokens.len(), |length| i + length);
                        let words: Vec<String> = tokens[i + 2..end].iter().filter_map(word).collect();
                        if let [.., module, name] = &words[..]
                            && module == "mod"
                        {
                            tests.push(name.clone());
                        }
                        i = end;
                    }
                }
                TokenTree::Group(g) => self.read(g.stream(), depth, tests),
                TokenTree::Ident(w) if *w == "use" && !is(tokens.get(i + 1), '<') => {
                    let length = tokens[i..].iter().position(|t| is(Some(t), ';')).unwrap_or(0);
                    self.read_use(&tokens[i + 1..i + length], &[], depth);
                    i += length;
                }
                TokenTree::Ident(w) if *w == "mod" => {
                    if let Some(TokenTree::Group(g)) = tokens.get(i + 2) {
                        self.read(g.stream(), depth + 1, tests);
                    }
                    i += 2;
                }
                TokenTree::Ident(w) => {
                    let mut path = vec![w.to_string()];
                    while colons(&tokens, i + 1)
                        && let Some(next) = tokens.get(i + 3).and_then(word)
                    {
                        path.push(next);
                        i += 3;
                    }
                    if path.len() > 1 {
                        self.paths.push((path, depth));
                    }
                }
                _ => {}
            }
            i += 1;
        }
    }
}

impl Crate {
    /// Of texts by file name below `src/`.
    pub fn read(texts: impl IntoIterator<Item = (PathBuf, String)>) -> Crate {
        let mut modules = BTreeMap::new();
        let mut tests: Vec<ModulePath> = Vec::new();
        for (file, text) in texts {
            let mut path: ModulePath =
                file.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
            if path.last().is_some_and(|l| l == "mod" || l == "lib") {
                path.pop();
            }
            let mut module = Module { file: file.clone(), ..Module::default() };
            let code: TokenStream = text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let mut of_tests = Vec::new();
            module.read(code, 0, &mut of_tests);
            tests.extend(of_tests.into_iter().map(|name| [&path[..], &[name]].concat()));
            modules.insert(path, module);
        }
        for (path, module) in &mut modules {
            module.test = tests.iter().any(|t| path.starts_with(t));
        }
        Crate(modules)
    }

    /// Of a folder.
    pub fn of(src: &Path) -> Crate {
        let text = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).expect("readable source");
            (path.strip_prefix(src).expect("below src").to_path_buf(), text)
        };
        Crate::read(files(src).into_iter().map(text))
    }

    /// The module that defines what a path in module `from` names, and the name; nothing for what is not of this crate
    /// or names a module.
    fn find(&self, from: &[String], path: &[String], depth: usize) -> Option<(ModulePath, String)> {
        // A name that hands itself on is of another crate.
        if depth > 16 {
            return None;
        }
        let mut at = from.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while let [first, left @ ..] = rest
                    && first == "super"
                {
                    at.pop();
                    rest = left;
                }
            }
            first => {
                let below = [from, &[first.to_string()]].concat();
                if self.0.contains_key(&below) {
                    // A module below this one.
                } else if let Some(full) = self.0.get(from)?.names.get(first)
                    && full[..] != path[..1]
                {
                    return self.find(from, &[full, &path[1..]].concat(), depth + 1);
                } else {
                    return None;
                }
            }
        }
        loop {
            let [name, left @ ..] = rest else { return None };
            let below = [&at[..], std::slice::from_ref(name)].concat();
            if self.0.contains_key(&below) {
                (at, rest) = (below, left);
                continue;
            }
            let module = self.0.get(&at)?;
            return match module.names.get(name) {
                Some(full) if full[..] != rest[..1] => self.find(&at, &[full, left].concat(), depth + 1),
                // Defined there; a macro hands itself on.
                _ => Some((at, name.clone())),
            };
        }
    }

    /// Who takes what from whom, tests left out.
    pub fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (from, module) in self.0.iter().filter(|(_, m)| !m.test) {
            for (path, depth) in &module.paths {
                // In an inline module the first `super` is this module.
                let supers = path.iter().take_while(|p| *p == "super").count().min(*depth);
                let mut path = path[supers..].to_vec();
                if supers > 0 && path.first().is_some_and(|p| p != "super") {
                    path.insert(0, "self".into());
                }
                if let Some((to, name)) = self.find(from, &path, 0)
                    && to != *from
                {
                    let file = self.0[&to].file.clone();
                    arrows.entry((module.file.clone(), file)).or_default().insert(name);
                }
            }
        }
        arrows
    }

    /// Files that hand everything of another one on; a name could then not be followed.
    pub fn hands_all_on(&self) -> Vec<&Path> {
        let own = |glob: &Vec<String>| ["crate", "super", "self"].contains(&glob[0].as_str());
        self.0.values().filter(|m| !m.test && m.globs.iter().any(own)).map(|m| m.file.as_path()).collect()
    }
}

/// The circles: sets of files each of which leads to every other one of them.
pub fn circles(arrows: &Arrows) -> Vec<BTreeSet<PathBuf>> {
    let mut next: BTreeMap<&PathBuf, Vec<&PathBuf>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = next
        .keys()
        .map(|&start| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
            while let Some(file) = open.pop() {
                open.extend(next.get(file).into_iter().flatten().copied().filter(|to| seen.insert(*to)));
            }
            (start, seen)
        })
        .collect();
    let meets =
        |a: &PathBuf, b: &PathBuf| reached[a].contains(b) && reached.get(b).is_some_and(|r| r.contains(a));
    let mut found: Vec<BTreeSet<PathBuf>> = Vec::new();
    for &file in reached.keys() {
        if meets(file, file) && !found.iter().any(|circle| circle.contains(file)) {
            found.push(
                reached[file].iter().filter(|other| meets(file, other)).map(|f| f.to_path_buf()).collect(),
            );
        }
    }
    found
}
