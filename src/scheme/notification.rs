//! How a destination tells a source of a mark (rules H2, AK3).

choice! {
    /// Notification by an adapter.
    Notification {
        /// None.
        None "-",
        /// A congestion notification packet (BECN) for each marked packet.
        Cnp "CNP",
        /// An acknowledge of each packet of data, which brings its marks back (AK3).
        Ack "ACK",
    }
}
