//! How much the tests do: in short with `./test`, all of it with `./test --long` (QUELL_LONG=1).

/// The one in the short form, the other in the long form.
pub fn pick<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

/// Whether this is the long form.
pub fn is_long() -> bool {
    std::env::var_os("QUELL_LONG").is_some_and(|v| v != "0" && !v.is_empty())
}
