//! The command line as a whole.

use std::ffi::OsString;

use super::{Cli, parsed};

#[test]
fn the_command_line_is_in_order() {
    parsed::command::<Cli>().debug_assert();
}

/// Whatever number an option is given, it says what is legal.
#[test]
fn numbers_out_of_range_are_told_with_what_is_legal() {
    for (args, wanted) in [
        (["fabric", "star:4", "--cycles", "-5"], "1 or more"),
        (["fabric", "star:4", "--cycles", "99999999999999999999999"], "1 or more"),
        (["fabric", "star:4", "--seed", "-1"], "0..18446744073709551615"),
        (["fabric", "star:4", "--seed", "99999999999999999999999"], "0..18446744073709551615"),
        (["fabric", "star:4", "--threads", "0"], "1..256"),
        (["fabric", "star:4", "--threads", "-1"], "1..256"),
    ] {
        let line = ["quell"].iter().chain(&args);
        let text = parsed::command::<Cli>().try_get_matches_from(line).expect_err("refused").to_string();
        assert!(
            text.contains(args[2]) && text.contains(args[3]) && text.contains(wanted),
            "{args:?}: {text}"
        );
    }
}

/// A number below 0 with a unit is the value of the option before it, too.
#[test]
fn numbers_below_zero_are_values() {
    let all = ["quell", "fabric", "star:4", "--time", "-3ms", "--set", "-1=x", "--drain", "-.5"];
    let joined = parsed::with_their_options(all.into_iter().map(OsString::from));
    assert_eq!(joined, ["quell", "fabric", "star:4", "--time=-3ms", "--set=-1=x", "--drain", "-.5"]);
    // Refused as what it is: a flag takes nothing, and an option says what is legal.
    let args = ["fabric", "star:4", "--time", "-3ms"].map(String::from);
    parsed::check::<Cli>()(&args).unwrap();
    let error = parsed::check::<Cli>()(&["cosim", "hca", "--cover", "-3"].map(String::from)).unwrap_err();
    assert!(error.to_string().contains("unexpected value '-3' for '--cover'"), "{error}");
}

#[test]
#[cfg(unix)]
fn what_is_no_text_is_named() {
    use std::os::unix::ffi::OsStringExt;
    let args = ["quell".into(), "fabric".into(), OsString::from_vec(vec![0xff, b'a'])];
    let text = parsed::not_text(&args);
    assert!(text.starts_with("argument 2") && text.contains("UTF-8"), "{text}");
}
