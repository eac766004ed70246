//! How much the tests do: in short with `./test`, all of it with `./test --long` (QUELL_LONG=1).

/// The one in the short form, the other in the long form.
pub fn pick<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

/// Whether this is the long form.
pub fn is_long() -> bool {
    std::env::var_os("QUELL_LONG").is_some_and(|v| v != "0" && !v.is_empty())
}

/// All of them in the long form, in the short form those that are named.
pub fn of_named<T>(all: Vec<T>, name: impl Fn(&T) -> String, short: &[&str]) -> Vec<T> {
    for wanted in short {
        assert!(all.iter().any(|t| name(t) == *wanted), "there is no {wanted}");
    }
    all.into_iter().filter(|t| is_long() || short.contains(&name(t).as_str())).collect()
}
