//! Proofs of the properties in `tb/`.

pub mod aiger;
pub mod engine;
pub mod unroll;

/// dev
pub fn dev(path: &str, depth: usize, ks: usize) {
    use std::time::Instant;
    let m = aiger::Model::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let start = Instant::now();
    let all: Vec<usize> = (0..m.asserts.len()).collect();
    let limit = unroll::Limit { at: Some(start + std::time::Duration::from_secs(std::env::var("TL").ok().and_then(|t|t.parse().ok()).unwrap_or(120))), stop: None };
    let mut s = engine::Search::new(&m, all.clone(), (0..m.covers.len()).collect(), limit.clone());
    let mut broken = Vec::new();
    let mut lemmas: Vec<usize> = Vec::new();
    for t in 1..=depth {
        let Some(f) = s.step() else { println!("time over at {t}"); break };
        for f in f {
            match f {
                engine::Found::Broken(a, _) => { println!("BROKEN {} at {t}", m.asserts[a].name); broken.push(a) }
                engine::Found::Hit(c) => println!("hit {} at {t}", m.covers[c].name),
            }
        }
        println!("depth {t} {:?}", start.elapsed());
        if t <= ks {
            let c: Vec<usize> = all.iter().copied().filter(|a| !broken.contains(a) && !lemmas.contains(a)).collect();
            let p = engine::induction(&m, &c, &lemmas, t, limit.clone());
            for a in &p { println!("proved k={t} {}", m.asserts[*a].name); }
            s.proved(&p);
            lemmas.extend(p);
            println!("induction {t} {:?}", start.elapsed());
        }
        if s.done() { break; }
    }
    for a in all { if !lemmas.contains(&a) { println!("not proved {}", m.asserts[a].name); } }
}
