//! Cover points of the input port, and which of them a parameter set can reach.

use crate::model::CoverPoint;
use crate::params::Params;

/// Makes the enumeration of points and their table from one list.
macro_rules! covers {
    ($($id:ident $name:literal $rules:literal $text:literal;)*) => {
        /// A cover point, the index into the counters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Cov { $($id),* }
        /// The table, in the same order.
        pub(super) static POINTS: [CoverPoint; [$($name),*].len()] =
            [$(CoverPoint { name: $name, rules: $rules, text: $text }),*];
    };
}

covers! {
    // Buffer.
    B1Stored "b1_stored" "B1" "a flit was stored in a block";
    B1Full "b1_full" "B1 F2" "the last free block of a VL was taken";
    B1LeavesFull "b1_leaves_full" "B1 F2" "a block of a full VL was read";
    B1Empty "b1_empty" "B1 F2" "the last stored block of a VL was read";
    B1TwoReads "b1_two_reads" "B1 F2" "several blocks of one VL were read in one cycle";
    B1StoreAndRead "b1_store_and_read" "B1 F2" "a block was stored and one of the same VL read in one cycle";
    B2CutThrough "b2_cut_through" "B2" "a packet started to leave while it was still arriving";
    B2SlowWait "b2_slow_wait" "B2" "a head waited because its packet arrives too slowly";
    B2SlowStart "b2_slow_start" "B2" "a packet from a slow link started before its tail had come";
    B2Underrun "b2_underrun" "B2" "an engine was read but the next flit was not there: gap";
    B2BackToBack "b2_back_to_back" "B2 A2" "an engine finished and was loaded in the same cycle";
    B2ReadHeld "b2_read_held" "B2" "an engine had something to emit and was not read";
    // Sticky errors and cuts.
    B3BadVl "b3_bad_vl" "B3" "first flit with VL >= VLS";
    B3BadVlFctbs "b3_bad_vl_fctbs" "B3 F1" "credit message with VL >= VLS";
    B3BadLenZero "b3_bad_len_zero" "B3" "packet of length 0";
    B3BadLenLong "b3_bad_len_long" "B3" "packet longer than the MTU";
    B3NoRoute "b3_no_route" "B3 R1" "LFT entry that names no port";
    B3NoRouteDlid "b3_no_route_dlid" "B3 R1" "DLID beyond the LFT";
    B3NoCredit "b3_no_credit" "B3 F2" "packet that does not fit the buffer";
    B3FramingFirst "b3_framing_first" "B3" "first flit inside a packet";
    B3FramingShape "b3_framing_shape" "B3" "first flit whose last bit contradicts the length";
    B3FramingStray "b3_framing_stray" "B3" "flit outside any packet";
    B3FramingEarly "b3_framing_early" "B3" "last flit before the length was reached";
    B3FramingLate "b3_framing_late" "B3" "no last flit where the length ends";
    B3BadFirst "b3_bad_first" "B3" "first flit marked bad";
    Cl3Reply "cl3_reply" "CL3" "CTL_VL: a reply of one flit came on the control lane";
    Cl3Long "cl3_long" "CL3 B3" "CTL_VL: a reply of another length was refused there";
    Cl3Data "cl3_data" "CL3 B3" "CTL_VL: a flit of something else was refused there";
    B3BadMid "b3_bad_mid" "B3" "later flit marked bad";
    B3Timeout "b3_timeout" "B3" "packet cut because no flit came for RX_TIMEOUT cycles";
    B3TwoErrors "b3_two_errors" "B3" "several checks of one first flit failed";
    B3DropFlit "b3_drop_flit" "B3" "flit of a dropped packet";
    B3Pad "b3_pad" "B3" "pad flit of a cut packet";
    B3ErrClear "b3_err_clear" "B3" "sticky error cleared by ERR_CLEAR";
    B3ErrSetBeatsClear "b3_err_set_beats_clear" "B3" "sticky error set in the cycle in which it is cleared";
    B3LinkDownCuts "b3_link_down_cuts" "B3 F1" "the link went down within a packet, which was cut";
    B3LinkDownInDrop "b3_link_down_in_drop" "B3 F1" "the link went down while a packet was being dropped";
    B3LinkDownFlit "b3_link_down_flit" "B3 F1" "a flit came while the link was down: ignored";
    // Credits.
    F1Message "f1_message" "F1" "credit message sent";
    F1SecondVl "f1_second_vl" "F1" "credit message for a VL above 0";
    F1AbrWrap "f1_abr_wrap" "F1" "ABR wrapped from 4095 to 0";
    F1FctbsRepair "f1_fctbs_repair" "F1" "FCTBS differed from ABR and repaired it";
    F1FctbsAndFlit "f1_fctbs_and_flit" "F1" "FCTBS and a flit of the same VL in one cycle";
    F1DropCounted "f1_drop_counted" "F1" "dropped packet counted in ABR";
    F1UnknownVl "f1_unknown_vl" "F1" "flit of unknown VL not counted in ABR";
    F1FcclHalf "f1_fccl_half" "F1" "FCCL half the range ahead of ABR";
    F1FcclWrap "f1_fccl_wrap" "F1" "FCCL wrapped past 4095";
    F1FcclNoRoom "f1_fccl_no_room" "F1 F2" "credit message that offers no block";
    F1IntervalShrunk "f1_interval_shrunk" "F1" "FC_INTERVAL was set below the running counter";
    F1LinkDownIdle "f1_link_down_idle" "F1" "the link was down, no packet was being received";
    F1LinkDownFctbs "f1_link_down_fctbs" "F1" "FCTBS came while the link was down: ignored";
    F1LinkUp "f1_link_up" "F1" "the link came up";
    F1LinkGlitch "f1_link_glitch" "F1" "the link came up after one cycle";
    // Routing, configuration.
    R1Route "r1_route" "R1" "packet accepted on the port that the LFT says";
    R1ReadWrite "r1_read_write" "R1" "LFT entry read and changed in one cycle: old value used";
    R1Reroute "r1_reroute" "R1" "LFT written while packets are stored";
    R1WriteIgnored "r1_write_ignored" "R1" "LFT write beyond the table";
    D1Reconfigured "d1_reconfigured" "D1 D4" "configuration written while packets are stored";
    D1CfgUnknown "d1_cfg_unknown" "D1" "write to an unknown configuration address";
    C1Read "c1_read" "C1" "register read";
    C1ReadAndWrite "c1_read_and_write" "C1" "register read in the cycle of a write to it: the old value";
    C1ReadAsWritten "c1_read_as_written" "C1" "register read that acts as another value: LTH of 0, iso_en with ISOLATION = 0";
    C1ReadErrors "c1_read_errors" "C1" "errors read through ERR_CLEAR";
    C1ReadError "c1_read_error" "C1" "errors read while there is one";
    C1ReadCounter "c1_read_counter" "C1" "counter read";
    C1ReadCounted "c1_read_counted" "C1" "counter read that has counted";
    C1ReadNone "c1_read_none" "C1" "read of a number that is not listed";
    R1LaneOfDest "r1_lane_of_dest" "R1" "VL_BY_DEST: the lane of the destination is not the header's VL";
    // Congestion bits.
    D1Set "d1_set" "D1" "fill above the high threshold set the bit";
    D1Clear "d1_clear" "D1" "fill below the low threshold cleared the bit";
    D1HoldSet "d1_hold_set" "D1" "fill between the thresholds, bit stays set";
    D1HoldClear "d1_hold_clear" "D1" "fill between the thresholds, bit stays clear";
    D1Single "d1_single" "D1" "bit changed with HTH = LTH";
    D1Lth0 "d1_lth_0" "D1" "LTH written as 0: acts as 1";
    D1SetBeatsClear "d1_set_beats_clear" "D1" "fill above HTH and below LTH (LTH > HTH): set wins";
    D4Weight "d4_weight" "D4" "bit set by a weight's threshold";
    D4Never "d4_never" "D4" "weight 0 with packets queued";
    D4Floor "d4_floor" "D4" "bit cleared with the low threshold at its floor of 1";
    D5Fill "d5_fill" "D5" "fill of a CPQ above 0";
    D1ReleaseCpq "d1_release_cpq" "D1 B1" "release: a packet's charge left its CPQ at the grant";
    D1ReleaseNfq "d1_release_nfq" "D1 B1" "ONE_QUEUE, release: the same of the NFQ";
    D1ReleaseHpq "d1_release_hpq" "D1 B1" "release: the same of an HPQ";
    D1ReleaseArriving "d1_release_arriving" "D1 B1 B2" "release: the whole charge of a packet that still arrives";
    D1ReleaseCut "d1_release_cut" "D1 B3" "release: the pad of a packet whose charge had left changed no fill";
    D1ReleaseSwitched "d1_release_switched" "D1" "an engine ended a packet that was granted under the other setting of release";
    D1ReleaseEndsCong "d1_release_ends_cong" "D1" "release: the bit ended in the cycle of the grant, which the fill of the cycle would not have ended";
    D1ReleaseFreeHpq "d1_release_free_hpq" "D1 E9" "release: an HPQ was taken by another line while its last packet was still read";
    D1CfqHigh "d1_cfq_high" "D1" "ONE_QUEUE: fill of a root line's CFQ above HTH set its bit";
    D1CfqLow "d1_cfq_low" "D1" "ONE_QUEUE: fill of a root line's CFQ below LTH cleared its bit";
    D1CfqHold "d1_cfq_hold" "D1" "ONE_QUEUE: fill of a root line's CFQ between the thresholds, bit stays set";
    D1CfqLinked "d1_cfq_linked" "D1 E3" "ONE_QUEUE: a line was linked downstream and its CFQ no longer counts";
    // Requests.
    A2CnpFirst "a2_cnp_first" "A2" "CNP granted ahead of a hot packet that was ready too";
    A2PlainWent "a2_plain_went" "A2" "cnp_plain: a CNP was granted by its turn, an HPQ was ready too";
    A2PlainYields "a2_plain_yields" "A2" "cnp_plain: an HPQ had its turn while a CNP was ready";
    A2CnpMatches "a2_cnp_matches" "A2 E4" "CNP granted from the cold queue though a line lists its DLID";
    A2CnpGrh "a2_cnp_grh" "A2" "CNP accepted whose BTH stands behind a GRH";
    A2ColdFirst "a2_cold_first" "A2" "cold packet granted by cold_first though a hot one was ready";
    A2RoundCold "a2_round_cold" "A2" "cold packet's turn, a hot one was ready too";
    A2Hot "a2_hot" "A2 E4" "hot packet granted";
    A2RoundHot "a2_round_hot" "A2" "hot packet's turn, another choice was ready too";
    A2HpqForced "a2_hpq_forced" "A2 A3" "hot packet's turn: 8 packets that went first had passed";
    A3Yields "a3_yields" "A3 A2" "a queue whose turn it was by the pointer had gone, and yielded to one that had not since";
    A3AllWent "a3_all_went" "A3 A2" "all queues that could go had gone: they begin anew";
    A3WentBefore "a3_went_before" "A3 E3" "a line took an HPQ that had gone for another one: it still yields";
    A2TwoHpqs "a2_two_hpqs" "A2" "hot packet granted, two HPQs of its output and VL were ready";
    A2BadGrantNoRequest "a2_bad_grant_no_request" "A2" "grant without a request";
    A2BadGrantBusy "a2_bad_grant_busy" "A2" "grant to an ending engine that is not read";
    A2BadGrantTwoVls "a2_bad_grant_two_vls" "A2" "two VLs of one output granted";
    A2AsksAtOthersEnd "a2_asks_at_others_end" "A2 A3" "ONE_QUEUE: the head asks its output while another's packet ends";
    A2OneQueueBlocked "a2_one_queue_blocked" "A2" "ONE_QUEUE: the head waits for another output's packet";
    A2BadGrantTwoOutputs "a2_bad_grant_two_outputs" "A2 A1" "ONE_QUEUE: two outputs granted, the lowest served";
    A2TwoOutputsAsked "a2_two_outputs_asked" "A2 A1" "ONE_QUEUE: two outputs asked in one cycle";
    // Roots.
    E1Root "e1_root" "E1" "ROOT line taken, dList begins with the head";
    E1RootCnp "e1_root_cnp" "E1" "ROOT line taken with an empty dList: the head is a CNP";
    E1RootWaits "e1_root_waits" "E1 E3" "root put off: a prop took a line in this cycle";
    E1Collect "e1_collect" "E1" "destination of a granted packet collected";
    E1CollectListed "e1_collect_listed" "E1" "destination of a granted packet was listed already";
    E1CollectFull "e1_collect_full" "E1" "destination not collected: dList full";
    E1CollectInAlloc "e1_collect_in_alloc" "E1 E2" "destination collected in the cycle of the line's ALLOC";
    E1OwnTaken "e1_own_taken" "E1" "root_hpq: a root took a line with an HPQ";
    E1OwnNoHpq "e1_own_no_hpq" "E1 E7" "root_hpq: congestion without a free HPQ";
    E1OwnNoLine "e1_own_no_line" "E1 E7" "root_hpq: congestion with a free HPQ and no FREE line";
    E1OwnHeadCnp "e1_own_head_cnp" "E1 A2" "root_hpq: a congested CPQ waits for a data head";
    E1OwnHeadMatched "e1_own_head_matched" "E1 E3" "root_hpq: the head of a congested CPQ belongs to a line";
    E1OwnCollect "e1_own_collect" "E1" "root_hpq: destination of a granted cold packet collected";
    E1OwnListFull "e1_own_list_full" "E1" "root_hpq: destination not collected: dList full";
    E1OwnHeld "e1_own_held" "E1 E5" "root_hpq: a root's HPQ was held back by a line of a tree further down";
    E1OwnStop "e1_own_stop" "E1 E5" "root_hpq: a root's HPQ asks for a stop";
    E1OwnPropIgnored "e1_own_prop_ignored" "E1 E3" "root_hpq: a prop for a packet of a root's HPQ was ignored";
    E1OwnFreed "e1_own_freed" "E1 E6" "root_hpq: a root's line with an HPQ was freed";
    E1OwnDrain "e1_own_drain" "E1 E6" "root_hpq: isolation switched off with a root's line alive: DRAIN";
    E1OwnBesideRoot "e1_own_beside_root" "E1" "root_hpq: a congested CPQ with a ROOT line takes no HPQ";
    E2AllocRoot "e2_alloc_root" "E2" "ROOT line announced";
    E2LinkDownMessage "e2_link_down_message" "E2 F1" "a message was not shown, for the link is down";
    E2Forgotten "e2_forgotten" "E2 F1" "the link went down with a line announced";
    E2AnnouncedAgain "e2_announced_again" "E2 F1" "a line was announced again after the link was down";
    E1Detect "e1_detect" "E1" "ONE_QUEUE: HOT line and HPQ taken for the NFQ's head";
    E1DetectHold "e1_detect_hold" "E1" "ONE_QUEUE: NFQ above DETECT, its head has not waited for HOLD";
    E1DetectServed "e1_detect_served" "E1 A2" "ONE_QUEUE: the head is served in the cycle in which it would be detected";
    E1DetectCnp "e1_detect_cnp" "E1 A2" "ONE_QUEUE: NFQ above DETECT, its head is a CNP";
    E1DetectWaits "e1_detect_waits" "E1 E3" "ONE_QUEUE: detection put off: a prop took a line or appended in this cycle";
    E1DetectNoLine "e1_detect_noline" "E1 E7" "ONE_QUEUE: congestion detected without a free line and HPQ";
    // Propagation.
    E3Take "e3_take" "E3" "HOT line and HPQ taken";
    E3Append "e3_append" "E3" "destination appended to a HOT line";
    E3AppendAnnounced "e3_append_announced" "E3" "destination appended to an announced HOT line";
    E3AppendInAlloc "e3_append_in_alloc" "E3 E5" "destination appended in the cycle of the line's ALLOC";
    E3AppendSecondLine "e3_append_second_line" "E3" "destination appended to the second line linked to one output line: the first is full";
    E3AppendFull "e3_append_full" "E3" "destination not appended: dList full";
    E3PropTwoOutputs "e3_prop_two_outputs" "E3" "prop from several outputs: lowest processed";
    E3PropOutOfRange "e3_prop_out_of_range" "E3" "prop with a VL or line that does not exist";
    E3PropNoRequest "e3_prop_no_request" "E3" "prop where nothing is requested";
    E3PropIsoOff "e3_prop_iso_off" "E3" "prop with isolation switched off";
    E3PropCnp "e3_prop_cnp" "E3" "prop on a CNP";
    E3RootLinked "e3_root_linked" "E3 E6" "ONE_QUEUE: a root line joined a tree downstream";
    E3PropGranted "e3_prop_granted" "E3 A2" "prop on a candidate that is granted in this cycle";
    // Post-processing.
    E4Move "e4_move" "E4" "head moved to an HPQ";
    E4MoveArriving "e4_move_arriving" "E4 B2" "head moved while its packet was still arriving";
    E4MoveAndGrant "e4_move_and_grant" "E4 A2" "move from a CPQ and grant to the same output and VL in one cycle";
    E4TwoMoves "e4_two_moves" "E4" "two CPQs wanted to move";
    E4DrainBlocks "e4_drain_blocks" "E4 E9" "head waits: it matches a DRAIN line";
    // Stop and go.
    E5Stopped "e5_stopped" "E5" "HPQ held by the next switch's stop";
    E5Reached "e5_reached" "E5" "fill of an HPQ above HTH for the first time";
    E5AllocHot "e5_alloc_hot" "E5" "HOT line announced";
    E5AllocStop "e5_alloc_stop" "E5" "ALLOC that says stop";
    E5StopReqHot "e5_stop_req_hot" "E5" "HOT line asks for a stop";
    E5StopRegister "e5_stop_register" "E5" "HPQ fill above STOP, which is not HTH";
    E5GoRegister "e5_go_register" "E5" "HPQ fill below GO after a stop, which is not LTH";
    E5AcksPass "e5_acks_pass" "E5" "a packet moved to an HPQ whose fill, with ACKs, is above STOP: no stop was asked for";
    E5AcksStay "e5_acks_stay" "E5" "a stop ended in spite of an HPQ whose fill, with ACKs, is not below GO";
    E5GoReq "e5_go_req" "E5" "fill of an HPQ below GO after a stop was asked for";
    E5StopHot "e5_stop_hot" "E5" "STOP sent for a HOT line";
    E5StopDrain "e5_stop_drain" "E5" "STOP sent for a DRAIN line";
    E5GoHot "e5_go_hot" "E5" "GO sent for a HOT line";
    E5GoDrain "e5_go_drain" "E5" "GO sent for a DRAIN line";
    E5Forgotten "e5_forgotten" "E5 F1" "the link went down with the neighbour stopped";
    E5StoppedAgain "e5_stopped_again" "E5 E2 F1" "ALLOC that says stop, after the link was down";
    E5TiedCold "e5_tied_cold" "E5" "a cold queue was tied to the line that holds its head back";
    E5TiedHot "e5_tied_hot" "E5" "an HPQ was tied to the line that holds its head back";
    E5TiedAgain "e5_tied_again" "E5" "a queue was held back by the line that it was bound to";
    E5TiedElsewhere "e5_tied_elsewhere" "E5" "a queue that was bound to a line was held back by another one";
    E5TieBeatsLoss "e5_tie_beats_loss" "E5 E6" "a queue was held back in the cycle in which its old tie ended";
    E5StoppedCold "e5_stopped_cold" "E5" "a cold queue did not ask: the line that it is tied to is stopped";
    E5StoppedPassed "e5_stopped_passed" "E5 A3" "a hot head could ask while the cold queue of its output and VL is tied to a stopped line";
    E5UntiedServed "e5_untied_served" "E5 A2" "a tied queue was served";
    E5UntiedMoved "e5_untied_moved" "E5 E4" "the head of a tied cold queue moved to an HPQ";
    E5UntiedGone "e5_untied_gone" "E5 E6" "a tie ended: the output's line is gone";
    E5UntiedAlloc "e5_untied_alloc" "E5 E3 E7" "the tie of a cold queue ended: a line and an HPQ became free";
    E5Pend "e5_pend" "E5 A3" "a packet that could start waits for a line of its output";
    E5HeldBadLine "e5_held_bad_line" "E5" "held by a line that is not there: no effect";
    E5HeldIgnored "e5_held_ignored" "E5 A2" "held without a candidate, or with one that is served: no effect";
    // The end of lines.
    E6DeallocRoot "e6_dealloc_root" "E6" "DEALLOC of a ROOT line";
    E6DeallocHot "e6_dealloc_hot" "E6" "DEALLOC of a HOT line";
    E6DeallocDrain "e6_dealloc_drain" "E6" "DEALLOC of a DRAIN line";
    E6FreeRoot "e6_free_root" "E6" "ROOT line freed that was never announced";
    E6FreeHot "e6_free_hot" "E6" "HOT line freed that was never announced";
    E6FreeDrain "e6_free_drain" "E6 E8" "DRAIN line freed that was never announced";
    E6BeatenHead "e6_beaten_head" "E6 E9" "free condition beaten by a head that is about to move";
    E6BeatenMove "e6_beaten_move" "E6 E9" "free condition beaten by a move";
    E6BeatenAccept "e6_beaten_accept" "E6" "free condition beaten by a packet accepted";
    E6BeatenAppend "e6_beaten_append" "E6 E9" "free condition beaten by an append";
    E6BeatenCollect "e6_beaten_collect" "E6" "free condition beaten by a collected destination";
    E6ForcedDespiteAccept "e6_forced_despite_accept" "E6" "expired or switched off ROOT line freed though a packet is accepted";
    E6HeldByStop "e6_held_by_stop" "E6" "empty HOT line kept: the next switch says stop";
    E6LinkLoss "e6_link_loss" "E6" "the output line of a HOT line went away";
    E6LinkLossDrain "e6_link_loss_drain" "E6" "the output line of a DRAIN line went away";
    E6Relink "e6_relink" "E6 E9" "HOT line linked to a tree again";
    E6RelinkDrain "e6_relink_drain" "E6" "prop on a packet of a DRAIN line ignored";
    E6RelinkBeatsLoss "e6_relink_beats_loss" "E6" "relink in the cycle in which the link is lost";
    E6MessageWaits "e6_message_waits" "E6 E2" "several lines want to send a message";
    E6LinkDownFree "e6_link_down_free" "E6 F1" "an announced line that could be freed was forgotten first, for the link is down";
    E6TakenAndFreed "e6_taken_and_freed" "E6 E3" "one line taken and another freed in one cycle";
    E6IsoOffRoot "e6_iso_off_root" "E6" "isolation switched off with a ROOT line alive";
    E6IsoOffHot "e6_iso_off_hot" "E6 E9" "isolation switched off with a HOT line alive: DRAIN";
    // Shortage.
    E7NoHpq "e7_no_hpq" "E7" "prop found no free HPQ";
    E7NoLineForHot "e7_no_line_for_hot" "E7" "prop found an HPQ but no FREE line";
    E7NoLine "e7_no_line" "E7" "congested CPQ found no FREE line";
    // Life time.
    E8RootExpired "e8_root_expired" "E8" "timer of a ROOT line expired";
    E6DrainServed "e6_drain_served" "E6 E8" "packet of a DRAIN line granted";
    E8LineTimer0 "e8_line_timer_0" "E8" "LINE_TIMER written as 0: acts as 1";
    E8LineTimerSaturated "e8_line_timer_saturates" "E8" "LINE_TIMER written beyond its width";
    E8HotExpired "e8_hot_expired" "E8" "timer of an unlinked HOT line expired: DRAIN";
    E8RelinkBeatsExpiry "e8_relink_beats_expiry" "E8 E6" "relink in the cycle in which the timer has expired";
    E8Refresh "e8_refresh" "E8" "announced line marked for a refresh";
    E8RefreshInAlloc "e8_refresh_in_alloc" "E8" "refresh in the cycle of the line's ALLOC";
    E8ReallocRoot "e8_realloc_root" "E8 E1" "ROOT line announced again";
    E8ReallocHot "e8_realloc_hot" "E8 E3" "HOT line announced again";
    E9DrainReleases "e9_drain_releases" "E9 E8" "DRAIN line freed with a packet of its list waiting behind it";
    // A reader's pace, fills, marks.
    B2RdIntervalStarts "b2_rd_interval_starts" "B2" "a packet started that had to wait for a reader of full pace";
    Cq2Slow "cq2_slow" "CQ2" "a packet went at the link's pace";
    Cq2Fast "cq2_fast" "CQ2" "a packet that was being received went at the crossbar's pace";
    Cq2SlowThenFast "cq2_slow_then_fast" "CQ2" "a packet at the crossbar's pace behind one at the link's";
    B2RdInterval0 "b2_rd_interval_0_is_1" "B2" "RD_INTERVAL written as 0";
    Sm1Fill "sm1_fill" "SM1" "a VL filled";
    Sm1Hovers "sm1_hovers" "SM1" "the level was passed, and no packet came since the last fill";
    Sm1StaysFull "sm1_stays_full" "SM1" "the level stayed above FILL_LEVEL";
    Sm1TwoLanes "sm1_two_lanes" "SM1" "two VLs filled in one cycle";
    Sm1AcceptInFill "sm1_accept_in_fill" "SM1" "a packet of a VL was accepted in the cycle in which it filled";
    Sm1FillByAck "sm1_fill_by_ack" "SM1" "a packet that is not markable filled a VL";
    Sm1LevelLowered "sm1_level_lowered" "SM1" "a VL filled because FILL_LEVEL was lowered";
    Sm2NoOutput "sm2_no_output" "SM2" "a fill with no markable packet waiting";
    Sm2OneOutput "sm2_one_output" "SM2" "a fill with markable packets for one output";
    Sm2SeveralOutputs "sm2_several_outputs" "SM2" "a fill with markable packets for several outputs";
    Sm2OnlyUnmarkableWaits "sm2_only_unmarkable_waits" "SM2" "a fill with packets for an output of which none is markable";
    Sm2WaitsHot "sm2_waits_hot" "SM2" "a fill with all markable packets for an output in a hot queue";
    Sm2GrantInFill "sm2_grant_in_fill" "SM2" "a markable packet was served in the cycle of a fill";
    Sm3Marks "sm3_marks" "SM3" "naive: a packet that is to be marked was served";
    Sm3LastMark "sm3_last_mark" "SM3" "naive: it was the last one of its fill";
    Sm3NotCountedBetween "sm3_not_counted_between" "SM3" "naive: a packet that is not markable was served among those to be marked";
    Sm3SecondFill "sm3_second_fill" "SM3" "naive: a fill while packets of the last one wait";
    Sm3GrantInFill "sm3_grant_in_fill" "SM3" "naive: a packet served in the cycle of a fill is not counted";
    Sm3OffClears "sm3_off_clears" "SM3" "naive was switched off with packets to be marked";
    Sm3IsolationOff "sm3_isolation_off" "SM3" "a fill with naive = 1, which acts as 0 beside hot queues";
    Sm4Enter "sm4_enter" "SM4" "a markable packet was accepted";
    Sm4UnmarkableEntersNot "sm4_unmarkable_enters_not" "SM4" "a packet that is not markable was accepted";
    Sm4AcceptAndGrant "sm4_accept_and_grant" "SM4 SM2" "markable packets of one output and VL were accepted and served in one cycle";
    Vm1Marked "vm1_marked" "VM1" "a packet got MB";
    Vm1AtThreshold "vm1_at_threshold" "VM1" "with a packet exactly MB_TH flits were stored: no MB";
    Vm1OneAbove "vm1_one_above" "VM1" "with a packet MB_TH + 1 flits were stored: MB";
    Vm1WasMarked "vm1_was_marked" "VM1" "a packet that gets MB had it";
    Vm1Unmarkable "vm1_unmarkable" "VM1" "a packet that is not markable above MB_TH: no MB";
    Vm1Off "vm1_off" "VM1" "a packet above MB_TH with mb_en = 0";
    // Speculative packets.
    Q1BadLnh "q1_bad_lnh" "Q1 Q4 B3" "SRP: a packet without a BTH behind its LRH on the spec lane";
    Q1BadOpcode "q1_bad_opcode" "Q1 Q4 B3" "SRP: a packet of another opcode on the spec lane";
    Q1LongControl "q1_long_control" "Q1 B3" "SRP: a control packet of another length than one flit";
    Q2HeldUp "q2_held_up" "Q2" "SRP: the head of a FIFO held up a packet for another output";
    Q2TwoEngines "q2_two_engines" "Q2" "SRP: packets of one FIFO went to two outputs at once";
    Q5NoRoute "q5_no_route" "Q5 B3" "SRP: a speculative packet whose source has no route";
    Q5NoRouteSlid "q5_no_route_slid" "Q5 B3" "SRP: a speculative packet whose source is beyond the LFT";
    Q5AgeSent "q5_age_sent" "Q5" "SRP: a speculative packet left with its age";
    Q5AgeGrows "q5_age_grows" "Q5" "SRP: with an age that grew here";
    Q5AgeFull "q5_age_full" "Q5" "SRP: with the largest age, which it had passed";
    Q5NowWraps "q5_now_wraps" "Q5" "SRP: the clock wrapped while a speculative head waited";
    Q6LastCycle "q6_last_cycle" "Q6 Q7" "SRP: a speculative head was granted in its last cycle";
    Q6LastCycleArriving "q6_last_cycle_arriving" "Q6 Q7 B2" "SRP: and its packet still arrived";
    Q6DropOff "q6_drop_off" "Q6" "SRP, drop_en = 0: a packet older than TTW was granted";
    Q6Arriving "q6_arriving" "Q6 Q7 Q8" "SRP: a packet was dropped while it arrived";
    Q6Cut "q6_cut" "Q6 Q7 Q8" "SRP: a packet was dropped that had been cut";
    Q6OneFlit "q6_one_flit" "Q6 Q7" "SRP: a packet of one flit was dropped";
    Q6Unstartable "q6_unstartable" "Q6 B2" "SRP: a packet was dropped that could not start";
    Q6OldOnArrival "q6_old_on_arrival" "Q6" "SRP: a packet was too old in its first cycle as head";
    Q6Ttw0 "q6_ttw_0" "Q6" "SRP: a packet was dropped with TTW = 0";
    Q6WaitsForEngine "q6_waits_for_engine" "Q6 Q7" "SRP: an expired head waited for the discard engine";
    Q7Drop "q7_drop" "Q7" "SRP: a packet was dropped";
    Q7DropAndStore "q7_drop_and_store" "Q7 Q8" "SRP: in the cycle in which a flit of it was stored";
    Q7DropAndCut "q7_drop_and_cut" "Q7 Q8" "SRP: in the cycle in which it was cut";
    Q7Nack "q7_nack" "Q7 Q9" "SRP: a NACK left";
    Q7NackWaits "q7_nack_waits" "Q7" "SRP: a NACK asked and was not granted";
    Q7NackEngineBusy "q7_nack_engine_busy" "Q7 A2" "SRP: a NACK waited for the engine of its output";
    Q7NackBesideReply "q7_nack_beside_reply" "Q7 Q3" "SRP: a NACK and the reply head asked one output";
    Q7NackRelease "q7_nack_release" "Q7 D1" "SRP: a NACK was granted with release = 1";
    Q7NackBeforeDiscard "q7_nack_before_discard" "Q7 Q8" "SRP: a NACK left while the discard engine worked";
    Q7NackWhileArriving "q7_nack_while_arriving" "Q7 Q8" "SRP: a NACK left while the packet that it was still arrived";
    Q8Freed "q8_freed" "Q8" "SRP: the discard engine freed a block";
    Q8BesideRead "q8_beside_read" "Q8 F2" "SRP: in a cycle in which a read engine emitted";
    Q8BesideStore "q8_beside_store" "Q8 F2" "SRP: in a cycle in which a flit of the spec lane was stored";
    Q8Cut "q8_cut" "Q8 B3" "SRP: the discard engine ended a packet that was cut";
    Q8Waits "q8_waits" "Q8" "SRP: the discard engine waited for a flit";
    Q8CutWhileItWaits "q8_cut_while_it_waits" "Q8 B3" "SRP: and the packet was cut in that cycle";
    // Any up port.
    Up1Drawn "up1_drawn" "UP1 R1" "any up port: a route was drawn and the packet accepted";
    Up1Several "up1_several" "UP1" "any up port: of several";
    Up1Last "up1_last" "UP1" "any up port: of several the last one was drawn";
    Up1TwoWays "up1_two_ways" "UP1" "any up port: while a packet for the same destination waited for another output";
    Up1None "up1_none" "UP1 B3" "any up port: UP_MASK has no output";
    Up1Above "up1_above" "UP1" "any up port: and has bits of outputs that are not there";
    Up1Refused "up1_refused" "UP1 B3" "any up port: the LFSR moved with a packet that was refused";
    Up1LinkDown "up1_link_down" "UP1 F1" "any up port: a header on a link that is down, with which the LFSR does not move";
    Up1MaskWaits "up1_mask_waits" "UP1" "any up port: the outputs of UP_MASK changed while a packet waited";
    Up1Seed "up1_seed" "UP1" "any up port: the LFSR was seeded";
    Up1Seed0 "up1_seed_0_is_1" "UP1" "any up port: the LFSR was seeded with 0";
    Up1SeedBeatsStep "up1_seed_beats_step" "UP1" "any up port: the LFSR was seeded in a cycle in which it moved";
    Up1Back "up1_back" "UP1 Q5" "any up port, SRP: the way back of a speculative packet was drawn";
    Up1Both "up1_both" "UP1 Q5" "any up port, SRP: both ways of a speculative packet were drawn";
    Up1BackUnused "up1_back_unused" "UP1" "any up port, SRP: the LFSR moved with a packet of another lane, for its source alone";
    C1ReadLfsr "c1_read_lfsr" "C1" "the LFSR was read";
    // Age.
    Ag1AgeShown "ag1_age_shown" "AG1" "a request shows its age";
    Ag1Aged "ag1_aged" "AG1" "a head became as old as ages go";
    Ag1NowWraps "ag1_now_wraps" "AG1" "the clock of the stamps wrapped while a packet waited";
    Ag1AgedServed "ag1_aged_served" "AG1" "a packet as old as ages go was served";
    Ag1AgedUnseen "ag1_aged_unseen" "AG1" "a head became as old as ages go while it was not shown";
    Ag2Pinned "ag2_pinned" "AG2" "the oldest packet of a VL was chosen";
    Ag2LimitHides "ag2_limit_hides" "AG2" "the limit hid a request";
    Ag2OldestLeaves "ag2_oldest_leaves" "AG2" "the oldest packet was served after others";
    Ag2SeveralPass "ag2_several_pass" "AG2" "several packets passed it in one cycle";
    Ag2TieGoesRound "ag2_tie_goes_round" "AG2" "of queues as old as ages go another than the lowest was chosen";
    Ag2Saturates "ag2_saturates" "AG2" "more than 15 packets passed it";
    Ag2LimitLowered "ag2_limit_lowered" "AG2" "BYPASS was lowered below what had passed";
    Ag2OffClears "ag2_off_clears" "AG2" "BYPASS was set to 0 with an oldest packet chosen";
    Ag2BadGrantHidden "ag2_bad_grant_hidden" "AG2 A2" "a grant of a request that the limit hides";
}

/// Points of ROOT lines.
const ROOT_POINTS: [&str; 17] = [
    "e1_root",
    "e1_root_cnp",
    "e1_root_waits",
    "e1_collect",
    "e1_collect_listed",
    "e1_collect_full",
    "e1_collect_in_alloc",
    "e2_alloc_root",
    "e6_dealloc_root",
    "e6_free_root",
    "e6_beaten_accept",
    "e6_beaten_collect",
    "e6_forced_despite_accept",
    "e6_iso_off_root",
    "e7_no_line",
    "e8_root_expired",
    "e8_realloc_root",
];

/// Says whether a cover point can occur at all with these parameters; the reason is beside each exception.
pub fn cover_applies(point_name: &str, p: &Params) -> bool {
    let lines_of_roots = p.ports * p.vls;
    match point_name {
        // Nothing can follow a first flit.
        "b2_slow_wait" | "b2_slow_start" | "b2_cut_through" | "b2_underrun" | "b3_framing_first"
        | "b3_framing_early" | "b3_framing_late" | "b3_bad_mid" | "b3_timeout" | "b3_pad"
        | "b3_link_down_cuts" => p.mtu > 1,
        // 11 bits of length in words are at most 128 flits: always above the MTU. 16 bits of DLID:
        "b3_no_route_dlid" | "r1_write_ignored" => p.lft_depth < 65536,
        _ if point_name.starts_with("cl3") => p.ctl_vl,
        // With one flit nothing is left to discard, or to come.
        "q6_last_cycle_arriving"
        | "q6_arriving"
        | "q6_cut"
        | "q6_unstartable"
        | "q6_waits_for_engine"
        | "q7_drop_and_store"
        | "q7_drop_and_cut"
        | "q7_nack_before_discard"
        | "q7_nack_while_arriving" => p.srp && p.mtu > 1,
        _ if point_name.starts_with("q8") => p.srp && p.mtu > 1,
        "q2_held_up" | "q2_two_engines" => p.srp && p.ports > 1,
        "q5_no_route_slid" => p.srp && p.lft_depth < 65536,
        _ if point_name.starts_with('q') => p.srp,
        "c1_read_lfsr" => p.random_up,
        "up1_several" | "up1_last" | "up1_two_ways" => p.random_up && p.ports > 1,
        "up1_above" => p.random_up && p.ports < 32,
        "up1_back" | "up1_both" | "up1_back_unused" => p.random_up && p.srp,
        _ if point_name.starts_with("up1_") => p.random_up,
        "sm1_two_lanes" => p.markers && p.vls > 1,
        "sm2_several_outputs" => p.markers && p.ports > 1,
        "sm2_waits_hot" | "sm3_isolation_off" => p.markers && p.isolation,
        _ if point_name.starts_with("sm3_") => p.markers && !p.isolation,
        _ if point_name.starts_with("sm") || point_name.starts_with("vm") => p.markers,
        "b2_rd_interval_starts" => p.mtu > 1,
        _ if point_name.starts_with("cq2_") => p.cioq && p.mtu > 1,
        // A lane is passed by packets for other outputs, twice in a cycle by those for two of them.
        "ag2_several_pass" | "ag2_saturates" => p.stamp_w > 0 && p.ports > 2,
        "ag2_limit_hides" | "ag2_bad_grant_hidden" | "ag2_limit_lowered" | "ag2_tie_goes_round" => {
            p.stamp_w > 0 && p.ports > 1
        }
        _ if point_name.starts_with("ag") => p.stamp_w > 0,
        // One engine runs at a time.
        "b1_two_reads" => !p.one_queue,
        // A timer of 32 bits holds every value. Registers are there without isolation.
        "e8_line_timer_saturates" => p.timer_w < 32,
        "e8_line_timer_0" => true,
        "e5_tied_elsewhere" => p.isolation && p.lines > 1,
        "f1_fccl_half" => p.cap(0) >= 2048,
        "f1_second_vl" | "a2_bad_grant_two_vls" => p.vls > 1,
        "a2_cnp_grh" => p.flit_bytes == 64,
        "a2_one_queue_blocked" | "a2_asks_at_others_end" => p.one_queue,
        "a2_bad_grant_two_outputs" | "a2_two_outputs_asked" | "e3_root_linked" => p.one_queue && p.isolation,
        "r1_lane_of_dest" => p.vl_by_dest,
        // A lane by destination always exists, and 4 bits of VL name no lane above 15.
        "b3_bad_vl" => !p.vl_by_dest && p.vls < 16,
        // cong and fill are 0.
        "d1_release_cpq" => !p.one_queue,
        "d1_release_nfq" => p.one_queue,
        "d1_release_hpq" | "d1_release_free_hpq" => p.isolation,
        "d1_release_arriving" | "d1_release_cut" => p.mtu > 1,
        "d1_release_ends_cong" => !p.one_queue || p.isolation,
        "d1_release_switched" => true,
        _ if point_name.starts_with("d1_cfq_") | point_name.starts_with("e1_detect") => {
            p.one_queue && p.isolation
        }
        // All lines taken while an HPQ, and a queue without a ROOT line, are left.
        "e1_own_no_line" => !p.one_queue && p.isolation && lines_of_roots + p.hpqs > p.lines + 1,
        "e1_own_no_hpq" => !p.one_queue && p.isolation && p.lines >= p.hpqs,
        _ if point_name.starts_with("e1_own_") => !p.one_queue && p.isolation,
        _ if ROOT_POINTS.contains(&point_name) => !p.one_queue && p.isolation,
        _ if point_name.starts_with("d1_") => {
            !p.one_queue || matches!(point_name, "d1_reconfigured" | "d1_cfg_unknown" | "d1_lth_0")
        }
        // A VL of less than 16 blocks has hth = 0, where the low threshold is 1 for every HTH - LTH.
        _ if point_name.starts_with("d4_") | point_name.starts_with("d5_") => !p.one_queue,
        // The points of CAM lines.
        // A head that matches waits only while another line's head moves.
        // One queue has one head.
        "e4_two_moves" | "e6_beaten_head" if p.one_queue => false,
        // Two lines of one output, linked to one of its lines: the first lost its link and joined again.
        "e3_append_second_line" => p.isolation && p.hpqs > 1 && p.lines > 1,
        "a2_two_hpqs" | "e4_two_moves" | "e6_beaten_head" => p.isolation && p.hpqs > 1 && p.lines > 1,
        "e6_message_waits" | "e6_taken_and_freed" => p.isolation && p.lines > 1,
        "e4_move_arriving" => p.isolation && p.mtu > 1,
        // All HPQs taken while a line is FREE.
        "e7_no_hpq" => p.isolation && p.lines > p.hpqs,
        // All lines taken while an HPQ is free.
        "e7_no_line_for_hot" if p.one_queue => p.isolation && p.hpqs > p.lines,
        "e7_no_line_for_hot" => p.isolation && lines_of_roots + p.hpqs > p.lines,
        // All lines taken by the other CPQs and the HPQs.
        "e7_no_line" => p.isolation && lines_of_roots - 1 + p.hpqs >= p.lines,
        // Of two queues the pointer shows the one that did not go, unless one of them goes to other outputs, too.
        "a3_yields" => p.isolation && (p.hpqs > 1 || p.one_queue),
        _ if point_name.starts_with("a3_") => p.isolation,
        "a2_hpq_forced" | "a2_cnp_first" | "a2_plain_went" | "a2_plain_yields" | "a2_cnp_matches"
        | "a2_cold_first" | "a2_round_cold" | "a2_hot" | "a2_round_hot" => p.isolation,
        _ if point_name.starts_with('e') => p.isolation,
        _ => true,
    }
}
