//! Names, and the nearest of them.

/// The name that is most like one, if one is like it at all.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let bare = plain(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in names {
        let other = plain(candidate);
        let part = bare.len().min(other.len()) > 2 && (bare.starts_with(&other) || other.starts_with(&bare));
        let distance = if part { 1 } else { strsim::damerau_levenshtein(&bare, &other) };
        if best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.filter(|(d, _)| *d <= 1 + bare.len() / 2).map(|(_, n)| n)
}

/// Without what says only the direction, and in small letters.
pub(super) fn plain(name: &str) -> String {
    let small = name.to_ascii_lowercase();
    let cut = ["_i", "_o", "_in", "_out"].into_iter().find_map(|s| small.strip_suffix(s));
    let small = cut.unwrap_or(&small);
    ["i_", "o_"].into_iter().find_map(|p| small.strip_prefix(p)).unwrap_or(small).to_string()
}

/// `; did you mean x?`, or nothing.
pub(super) fn proposal<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(name, names).map_or(String::new(), |n| format!("; did you mean {n}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_whatever_says_its_direction() {
        let names = ["inj_ready", "req", "sl_ok", "becn_valid"];
        assert_eq!(nearest("becn_vld_i", names.into_iter()), Some("becn_valid"));
        assert_eq!(nearest("i_req", names.into_iter()), Some("req"));
        assert_eq!(nearest("request", names.into_iter()), Some("req"));
        assert_eq!(nearest("zzzzzzzz", names.into_iter()), None);
        assert_eq!(proposal("slok", names.into_iter()), "; did you mean sl_ok?");
    }
}
