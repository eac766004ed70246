fn main() { let a: Vec<String> = std::env::args().collect(); quell::experiments::prove::dev(&a[1], a[2].parse().unwrap(), a[3].parse().unwrap()) }
