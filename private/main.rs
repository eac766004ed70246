#![allow(dead_code, unused_imports, missing_docs)]
#[path = "/tmp/wt/tortf/src/model/mod.rs"] pub mod model;
#[path = "/tmp/wt/tortf/src/torture/mod.rs"] pub mod torture;
#[path = "/tmp/wt/tortf/src/scheme/mod.rs"] pub mod scheme;
#[path = "/tmp/wt/tortf/src/params.rs"] pub mod params;
#[path = "/tmp/wt/tortf/src/registers.rs"] pub mod registers;
#[path = "/tmp/wt/tortf/src/signals.rs"] pub mod signals;
#[path = "/tmp/wt/tortf/src/jobs.rs"] pub mod jobs;
#[path = "/tmp/wt/tortf/src/outfile.rs"] pub mod outfile;
pub mod cosim { pub mod engines { #[path = "/tmp/wt/tortf/src/cosim/engines/device.rs"] mod device; pub use device::{Device, Golden}; } }
use std::time::Duration;
use torture::campaign::{Campaign, campaign};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let get = |n: &str, d: u64| a.iter().position(|x| x == n).map_or(d, |i| a[i + 1].parse().unwrap());
    std::panic::set_hook(Box::new(|_| ()));
    if let Some(i) = a.iter().position(|x| x == "--replay") {
        for f in &a[i + 1..] {
            let case = torture::Case::read(std::path::Path::new(f)).unwrap();
            let (found, stats) = torture::judge(&case, torture::Engine::Golden).unwrap();
            println!("{f}: {} ({} cycles)", found.map_or("kept".into(), |f| f.to_string()), stats.cycles);
        }
        return;
    }
    if let Some(i) = a.iter().position(|x| x == "--features") {
        let (n, counts) = torture::features::count(a[i + 1].parse().unwrap());
        for (name, c) in counts { println!("{:6.2} % {name}", 100.0 * c as f64 / n as f64); }
        return;
    }
    if let Some(i) = a.iter().position(|x| x == "--only") {
        let wanted: Vec<_> = a[i + 1].split('|').map(|n| torture::features::FEATURES.iter().find(|f| f.name == n).expect(n)).collect();
        let (start, limit, most) = (std::time::Instant::now(), get("--time", 60), get("--failures", 1));
        let (mut run, mut found, mut seed) = (0u64, 0u64, get("--seed", 1));
        while start.elapsed().as_secs() < limit && found < most {
            let case = torture::draw::draw(seed, torture::draw::Source::Any, None);
            seed += 1;
            let many = |c: &torture::Case| !a.iter().any(|x| x == "--many") || c.pair.len() >= 5 && c.switch.iter().any(|s| s.parameters["HPQS"] >= 3 && s.parameters["LINES"] >= 3);
            let Some(case) = case.filter(|c| wanted.iter().all(|f| (f.has)(c)) && many(c)) else { continue };
            let (f, _) = torture::judge(&case, torture::Engine::Golden).unwrap();
            run += 1;
            if let Some(f) = f { found += 1; println!("  seed {} {f}", seed - 1); }
        }
        println!("{} only {}: {run} networks of {seed} seeds, {found} found, {:.1} s", std::env::var("QUELL_FAULT").unwrap_or("-".into()), a[i + 1], start.elapsed().as_secs_f64());
        return;
    }
    let c = Campaign {
        seed: get("--seed", 1), networks: get("--networks", u64::MAX), time: Some(Duration::from_secs(get("--time", 600))),
        jobs: get("--jobs", 1) as usize, cycles: a.iter().position(|x| x == "--cycles").map(|i| a[i + 1].parse().unwrap()),
        engine: torture::Engine::Golden, out: std::env::var("OUT").unwrap_or("/tmp/tortmini/out".into()).into(),
        failures: get("--failures", 1) as usize, minimise: Duration::from_secs(get("--minimise", 0)),
    };
    let t = campaign(&c, &|_| ()).unwrap();
    let cpu = std::fs::read_to_string("/proc/self/stat").unwrap();
    let cpu: Vec<&str> = cpu.rsplit(')').next().unwrap().split_whitespace().collect();
    let cpu = (cpu[11].parse::<f64>().unwrap() + cpu[12].parse::<f64>().unwrap()) / 100.0;
    println!("{} networks {} wall {:.1} s cpu {:.1} s packets {} cycles {} throttle {} progress {}", std::env::var("QUELL_FAULT").unwrap_or("-".into()), t.networks, t.seconds, cpu, t.packets, t.cycles, t.throttle, t.progress);
    for f in &t.failures { println!("  seed {} {}", f.seed, f.finding); }
}
