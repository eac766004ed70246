//! How a destination tells a source of a mark (rule H2).

choice! {
    /// Notification by an adapter.
    Notification {
        /// None.
        None "-",
        /// A congestion notification packet (BECN) for each marked packet.
        Cnp "CNP",
    }
}
