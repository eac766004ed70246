//! Where packets of congested flows go (rules E1 to E9).

use super::detector::Thresholds;

choice! {
    /// Isolation in a switch.
    Isolation {
        /// They stay where they are.
        None "-",
        /// CAM lines name the flows of a tree, whose packets go to a hot queue.
        Lines "CAM lines",
    }
}

/// E5: thresholds of the hot queues, at which they say stop and go; 0: those of the cold ones.
pub fn hot_thresholds(stop: u32, go: u32, cold: Thresholds) -> Thresholds {
    let or = |value, other| if value == 0 { other } else { value };
    Thresholds { high: or(stop, cold.high), low: or(go, cold.low) }
}
