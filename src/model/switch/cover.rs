//! Cover points of the switch: what happens between its ports.

use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    c1_read_input "C1" "a register of an input port was read"
    c1_read_output "C1" "a register of an output port was read"
    c1_read_and_write "C1" "one port was read and written in one cycle"
    c1_read_all_ports "C1" "port 255 was read: nothing; with a write to all ports in the cycle or not"
    c1_read_no_port "C1" "a port that is not there was read"
    c1_read_no_unit "C1" "a unit that is not there was read"
    c1_deaf "C1" "a read while the switch was not ready"
    b1_input_feeds_several "B1 A1" "one input fed several outputs in one cycle"
    b2_all_outputs_busy "B2 A1" "every output got a flit in one cycle"
    d1_cfg_all_ports "D1" "a register of all ports was written at once"
    d1_cfg_no_such_port "D1" "a register write for a port that is not there"
    d1_cfg_no_such_unit "D1" "a register write for a unit that is not there"
    d1_deaf_in_init "D1 B3" "words on the pins while the switch is not ready: ignored"
    a1_accept_conflict "A1" "ONE_QUEUE: several outputs granted one input, it accepted one"
    a1_second_iteration "A1" "ONE_QUEUE: a request was accepted in the second iteration"
    a1_third_iteration "A1" "ONE_QUEUE: a request was accepted in a later iteration"
    a1_later_conflict "A1" "ONE_QUEUE: several outputs offered to one input in a later iteration"
    a3_claim "A3" "ONE_QUEUE: an output passed an input, which has a claim now"
    a3_claim_shown "A3" "ONE_QUEUE: it passed a request that the input showed"
    a2_plain_claim "A2 A3" "ONE_QUEUE, cnp_plain: an output passed data with a CNP, or a CNP with data: a claim as among data"
    a3_claim_by_later_iteration "A3 A1" "ONE_QUEUE: it served an input in a later iteration"
    a3_claim_served "A3" "ONE_QUEUE: a claim was served"
    a3_claim_waits "A3" "ONE_QUEUE: a claimant showed its request and was not served"
    a3_claim_before "A3" "ONE_QUEUE: a request before the first claimant was served"
    a3_output_waits "A3" "ONE_QUEUE: a request was hidden, for it is behind a claimant that is busy"
    a3_claim_held "A3 E5" "ONE_QUEUE: a claim ended, for a stopped line holds its request"
    a3_claim_lacks_credit "A3" "ONE_QUEUE: an input with a claim was no claimant, for its request lacked credit"
    a3_claim_withdrawn "A3" "ONE_QUEUE: a claim ended without being served"
    a3_output_kept "A3" "ONE_QUEUE: a request was hidden, for it is behind a claimant that shows its own"
    a3_two_claims "A3" "ONE_QUEUE: an output had two claimants, or an input was the claimant of two outputs"
    f1_link_down "F1" "a link was down"
    f1_several_down "F1" "several links were down"
    f1_others_go "F1 B3" "a link was down while a flit crossed to a port whose link is up"
    e5_held "E5 A2" "a line of an output held a candidate back"
    a3_ol_wait "A3 E5" "an input was stopped while another one's turn came first"
    sm4_fill_marks_others "SM4" "a packet left that the fill of another input's buffer marks"
    sm3_fabric_mark "SM3" "an input's mark came over the crossbar"
    vm2_validated_later "VM2" "a packet left with VB that had MB from another switch"
    ag1_other_input_waits "AG1" "a packet was granted while a younger one of another input asked"
    ag2_limit_in_switch "AG2" "a lane stood at an input for its oldest packet, and another input sent"
    q7_nack "Q7 Q9" "SRP: a NACK was granted"
    q7_nack_to_own_link "Q7" "SRP: by the output of the link on which its packet had come"
    q7_nack_to_other_link "Q7 Q5" "SRP: by another output: the way back is another one"
    q7_nacks_meet "Q7 Q3" "SRP: NACKs of several inputs asked one output"
    up1_drawn "UP1" "an input drew a way up"
    up1_inputs_differ "UP1" "several inputs drew ways in one cycle, and not the same"
    e3_prop "E3" "an output told an input of a tree"
    e2_message_up "E2 E5 E6" "a message went upstream"
    e2_tree_goes_on "E2 E5" "a tree that began downstream was announced upstream"
}

/// Whether a switch with these parameters can reach the cover point.
pub fn cover_applies(point_name: &str, params: &Params) -> bool {
    match point_name {
        // Another engine of the input is idle while one reads.
        "b1_input_feeds_several" => !params.one_queue && params.ports > 1,
        "f1_several_down" | "f1_others_go" => params.ports > 1,
        "a1_accept_conflict" => params.one_queue && params.ports > 1 && params.isolation,
        "a1_second_iteration" => params.one_queue && params.ports > 1 && params.iterations > 1,
        "a1_third_iteration" => params.one_queue && params.ports > 2 && params.iterations > 2,
        "a1_later_conflict" => {
            params.one_queue && params.isolation && params.ports > 2 && params.iterations > 1
        }
        "a3_claim_by_later_iteration" => {
            params.one_queue && params.isolation && params.ports > 2 && params.iterations > 1
        }
        "a3_ol_wait" => params.isolation && params.ports > 1,
        "a2_plain_claim" => params.one_queue && params.isolation && params.ports > 2,
        name if name.starts_with("a3_") => params.one_queue && params.isolation && params.ports > 2,
        "sm3_fabric_mark" => params.markers && !params.isolation,
        "sm4_fill_marks_others" => params.markers && params.ports > 1,
        "vm2_validated_later" => params.markers && !params.one_queue,
        "q7_nack_to_other_link" | "q7_nacks_meet" => params.srp && params.ports > 1,
        name if name.starts_with('q') => params.srp,
        "up1_inputs_differ" => params.random_up && params.ports > 1,
        "up1_drawn" => params.random_up,
        name if name.starts_with("ag") => params.stamp_w > 0,
        name if name.starts_with('e') => params.isolation,
        _ => true,
    }
}
