//! Datagrams that leave joined: what tells which answer belongs to which, and words for people.
use mneme_link::{Answers, NotJoined};
use mneme_wire::{Cause, Packet, Response, Status};

/// Which answer belongs to which request, and which say that a request had something behind it. Those have no hint: a
/// board that refuses an allocation's length says what would work.
pub(super) const ANSWERS: Answers = Answers {
    name: |datagram| {
        let packet = Packet::new_checked(datagram).ok()?;
        // Where a joined message is taken for a packet its trailer is wrong, too.
        let unread = [Status::Nack, Status::Unauthenticated].map(Status::number);
        if packet.is_response() && unread.contains(&packet.epoch_or_status()) {
            return None;
        }
        Some(u64::from(packet.op_id()) << 8 | u64::from(packet.attempt()))
    },
    refuses_length: |datagram| {
        let Ok(packet) = Packet::new_checked(datagram) else { return false };
        // One look at a byte for almost all answers.
        packet.epoch_or_status() == Status::BadRequest.number()
            && Response::parse(&packet).is_ok_and(|answer| {
                let detail = answer.detail();
                (answer.status, detail.cause, detail.hint) == (Status::BadRequest, Cause::Length, 0)
            })
    },
};

/// Why datagrams leave one by one, and how many of the board's answers said so.
pub(super) fn one_by_one(why: NotJoined, refused: u64) -> String {
    let refused = match refused {
        0 => String::new(),
        count => format!(" ({count} refused)"),
    };
    format!("datagrams leave one by one: {why}{refused}")
}

/// Says once that datagrams leave one by one from now on. `joins`: whether they leave joined, as far as the log knows.
pub(super) fn log_change(joins: &mut bool, not_joined: Option<NotJoined>, board: &dyn std::fmt::Display) {
    if let (true, Some(why)) = (*joins, not_joined) {
        tracing::warn!(%board, "datagrams leave one by one from now on: {why}");
    }
    *joins = not_joined.is_none();
}
