//! How a destination tells a source of a mark (rules H2, AK3), or answers it (Q7, Q10, Q12).

choice! {
    /// Notification by an adapter.
    Notification {
        /// None.
        None "-",
        /// A congestion notification packet (BECN) for each marked packet.
        Cnp "CNP",
        /// An acknowledge of each packet of data, which brings its marks back (AK3).
        Ack "ACK",
        /// Answers to what a source asks and sends ahead of the answer: a time (Q10), that a packet came (Q12), that a switch dropped it (Q7).
        Grant "GRANT, ACK, NACK",
    }
}
