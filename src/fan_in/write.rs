//! A table in the forms that others read.

use super::propose::Table;

/// Entries that opensm takes.
pub const OPENSM_ENTRIES: usize = 128;
/// Bytes of a line that opensm reads.
const OPENSM_LINE: usize = 1022;

/// The settings that belong to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// CCTI_Timer, in 1.024 us.
    pub timer: u32,
    /// CCTI_Increase.
    pub increase: u32,
    /// A BECN restarts a running timer.
    pub restart: bool,
    /// Marking_Rate that the switches must have.
    pub marking_rate: u64,
}

/// Lines for an opensm options file; `remarks` stand before them.
pub fn opensm(table: &Table, agent: &Agent, remarks: &[String]) -> Result<String, String> {
    if table.entries.len() > OPENSM_ENTRIES {
        return Err(format!(
            "the table has {} entries: opensm takes at most {OPENSM_ENTRIES} (--entries)",
            table.entries.len()
        ));
    }
    let entries: Vec<String> = table.entries.iter().map(|e| String::from(*e)).collect();
    let line = format!("cc_cct {}", entries.join(","));
    if line.len() > OPENSM_LINE {
        return Err(format!(
            "cc_cct is {} bytes long: opensm reads at most {OPENSM_LINE}; take fewer entries (--entries)",
            line.len()
        ));
    }
    let mut s: String = remarks.iter().map(|r| format!("# {r}\n")).collect();
    s +=
        "congestion_control TRUE\ncc_ca_cong_setting_port_control 0\ncc_ca_cong_setting_control_map 0xffff\n";
    for (name, value) in [("ccti_timer", agent.timer), ("ccti_increase", agent.increase), ("ccti_min", 0)] {
        (0..16).for_each(|sl| s += &format!("cc_ca_cong_setting_{name} {sl} {value}\n"));
    }
    Ok(s + &line + "\n")
}

/// Settings for `--config`; `cct`: the setting as TOML has it. `relative`: its times are longer than cycles can be counted.
pub fn toml(cct: &str, limit: usize, relative: bool, agent: &Agent, remarks: &[String]) -> String {
    let remarks: String = remarks.iter().map(|r| format!("# {r}\n")).collect();
    let relative = if relative { "cct_relative = true\n" } else { "" };
    let Agent { timer, increase, restart, marking_rate } = agent;
    format!(
        "{remarks}cct = {cct}\n{relative}ccti_limit = {limit}\nccti_increase = {increase}\nccti_timer = {timer}\n\
         ccti_min = 0\nrestart = {restart}\nmarking_rate = {marking_rate}\n"
    )
}
