//! Text for people: what tables, terminals and pages have alike.

/// A number with `blank` between groups of three digits.
pub(crate) fn in_groups(n: u64, blank: char) -> String {
    let digits = n.to_string();
    let mut s = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            s.push(blank);
        }
        s.push(c);
    }
    s
}

/// Text without characters that HTML and XML give a meaning to or forbid. Ends of lines stay.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text as a word of a shell, in quotes if it needs them.
#[cfg(feature = "cli")]
pub(crate) fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:,+=@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(in_groups(7, ' '), "7");
        assert_eq!(in_groups(1000, '_'), "1_000");
        assert_eq!(in_groups(12_345_678, ' '), "12 345 678");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(word("my/rtl-2.f"), "my/rtl-2.f");
        assert_eq!(word("my rtl"), "'my rtl'");
        assert_eq!(word("it's"), "'it'\\''s'");
        assert_eq!(word(""), "''");
    }

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(escape("a<b> & \"c\"\t\n"), "a&lt;b&gt; &amp; &quot;c&quot; \n");
    }
}
