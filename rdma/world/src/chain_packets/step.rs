//! What comes next: packets of messages, and packets that nobody should have sent.
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::codec::{Opcode, Position};
use mneme_rdma::responder::Counter;
use rand::Rng;

use super::message::{Message, Verdict};
use super::{Coming, Own, PLACES, Program};

impl Program {
    fn stores_run(&self) -> bool {
        self.own.iter().flatten().any(|own| own.running.is_some())
    }

    /// A store runs to which a frame that is given back would make a difference.
    fn is_tight(&self) -> bool {
        let running = self.own.iter().flatten().filter_map(|own| own.running.as_ref());
        running.into_iter().any(|(message, _)| message.verdict == Verdict::Tells)
    }

    /// Whether it may end now. The hardware has a frame for a store that the model has not, and it goes back.
    fn may_end(&self, place: usize) -> bool {
        let verdict = |own: &Own| own.running.as_ref().map(|running| running.0.verdict);
        let takes = self.own[place].as_ref().and_then(verdict) == Some(Verdict::Takes);
        let others = self.own.iter().flatten().any(|own| verdict(own) == Some(Verdict::Done));
        !(self.is_tight() || takes && others)
    }

    pub(super) fn step(&mut self) {
        let place = self.rng.random_range(0..PLACES);
        let Some(own) = &self.own[place] else {
            self.line(format_args!("go"));
            return self.create(place);
        };
        let (in_error, running) = (own.in_error, own.running.is_some());
        let waiting = own.posted.len();
        if !self.stores_run() && waiting > 0 && self.percent(15) {
            self.acknowledge(place);
        }
        if in_error {
            if self.percent(30) {
                self.destroy(place);
            } else {
                self.strange(place);
            }
        } else if self.percent(12) {
            self.strange(place);
        } else if self.may_end(place) && self.percent(3) {
            self.violate(place);
        } else if self.may_end(place) && self.percent(1) {
            self.destroy(place);
        } else if running {
            for _ in 0..self.rng.random_range(1..=6) {
                self.go_on(place);
            }
        } else {
            let many = if self.percent(8) { 36 } else { 1 };
            for _ in 0..many {
                self.begin(place);
            }
        }
        if !self.stores_run() && self.percent(10) {
            self.line(format_args!("go"));
            self.mapped();
        }
    }

    /// The store that runs, if one does, goes no further.
    pub(super) fn tears(&mut self, place: usize) {
        let Some(own) = &self.own[place] else { return };
        if let Some((message, _)) = own.running.as_ref().filter(|running| running.0.verdict == Verdict::Done)
        {
            self.torn.insert((own.config.segment, message.page));
        }
    }

    fn destroy(&mut self, place: usize) {
        self.tears(place);
        let Some(qpn) = self.own[place].as_ref().map(|own| own.config.qpn) else { return };
        self.line(format_args!("go"));
        self.state(place);
        self.line(format_args!("destroy {place:x}"));
        self.node.destroy(qpn).expect("it is there");
        self.own[place] = None;
        self.answers(None);
    }

    /// The `i`th packet of a message.
    fn packet(&mut self, place: usize, message: &Message, i: usize) -> Coming {
        let own = self.own[place].as_ref().expect("it is there");
        let (mtu, length) = (own.config.path_mtu.bytes(), message.bytes.len());
        let (from, psn) = (i * mtu, own.client);
        let bytes = mtu.min(length - from);
        let ends = from + bytes == length;
        let (qpn, source) = (own.config.qpn, own.config.peer);
        let (asks, congested) = (ends || self.percent(10), self.percent(1));
        let opcode = Opcode::send(Position::of(i == 0, ends), false).number();
        Coming { qpn, source, opcode, asks, congested, pkey: 0xffff, psn, from, bytes, malformed: false }
    }

    /// Begins a message, or repeats one that was to come again.
    fn begin(&mut self, place: usize) {
        let Some(own) = self.own[place].as_mut().filter(|own| !own.in_error && own.running.is_none()) else {
            return;
        };
        let (chain, again) = (own.chain(), own.again.take());
        let repeats = again.is_some();
        // What gives frames back waits until nothing runs.
        if chain == Chain::Invalidate && self.stores_run() {
            self.own[place].as_mut().expect("it is there").again = again;
            return;
        }
        let Some(mut message) = again.or_else(|| self.message(place)) else { return };
        message.verdict = self.verdict(place, &message);
        let stores = chain.stores();
        let busy = self
            .own
            .iter()
            .flatten()
            .any(|own| own.running.as_ref().is_some_and(|r| r.0.page == message.page));
        let open = message.verdict == Verdict::Open;
        if busy || open || (message.verdict == Verdict::Denied && self.is_tight()) {
            // The same page or frame, or an end of a queue pair that gives frames back.
            self.own[place].as_mut().expect("it is there").again = Some(message).filter(|_| repeats);
            return;
        }
        match message.verdict {
            Verdict::Denied | Verdict::NotReady => self.refused(place, message, repeats),
            _ if stores && !repeats => {
                self.own[place].as_mut().expect("it is there").running = Some((message, 0));
                self.go_on(place);
            }
            _ => self.at_once(place, &message, repeats),
        }
        // What frees a frame, or gives a page one, is done before others come.
        if chain == Chain::Invalidate || chain == Chain::UnmappedStore && repeats {
            self.line(format_args!("go"));
        }
    }

    fn packets(&self, place: usize, message: &Message) -> usize {
        let mtu = self.own[place].as_ref().map_or(1, |own| own.config.path_mtu.bytes());
        message.bytes.len().div_ceil(mtu)
    }

    /// All of a message, of which the model has seen all but the last packet if it `repeats`.
    fn at_once(&mut self, place: usize, message: &Message, repeats: bool) {
        let count = self.packets(place, message);
        for i in 0..count {
            let mut coming = self.packet(place, message, i);
            coming.congested &= !repeats;
            coming.asks |= repeats;
            if repeats && i + 1 < count {
                coming.asks = false;
                self.tell(&coming, message);
            } else {
                self.tell(&coming, message);
                self.feed(&coming, &message.bytes);
                self.done(place, message, i + 1 == count);
                self.answers(None);
            }
            let own = self.own[place].as_mut().expect("it is there");
            own.client = own.client.plus(1);
        }
    }

    /// The last packet of a message has been done: its replies.
    fn done(&mut self, place: usize, message: &Message, ends: bool) {
        let own = self.own[place].as_mut().expect("it is there");
        if ends {
            if own.chain() != Chain::Load {
                self.torn.remove(&(own.config.segment, message.page));
            }
            for packets in own.replies() {
                own.posted.push_back(packets);
                own.untold.push_back(message.page);
            }
        }
    }

    /// The next packet of a store that runs.
    fn go_on(&mut self, place: usize) {
        let Some(own) = self.own[place].as_mut() else { return };
        let Some((message, i)) = own.running.take() else { return };
        let count = self.packets(place, &message);
        let coming = self.packet(place, &message, i);
        self.tell(&coming, &message);
        self.feed(&coming, &message.bytes);
        self.done(place, &message, i + 1 == count);
        self.answers(None);
        let own = self.own[place].as_mut().expect("it is there");
        own.client = own.client.plus(1);
        // Others see a page that was new when memory has all of it.
        let publishes = i + 1 == count && message.verdict == Verdict::Takes;
        own.running = (i + 1 < count).then_some((message, i + 1));
        if publishes {
            self.line(format_args!("go"));
        }
    }

    /// A message that is refused, or is to come again: the hardware sees its first packet, the model all that it has not seen.
    fn refused(&mut self, place: usize, message: Message, repeats: bool) {
        let count = self.packets(place, &message);
        let mut first = self.packet(place, &message, 0);
        first.congested = false;
        self.tell(&first, &message);
        let counts = self.node.responder.counters();
        let before = (counts.get(Counter::MemoryDenied), counts.get(Counter::MemoryNotReady));
        for i in if repeats { count - 1 } else { 0 }..count {
            let mut coming = self.packet(place, &message, i);
            coming.psn = coming.psn.plus(i as u32);
            coming.congested = false;
            coming.asks = false;
            self.feed(&coming, &message.bytes);
        }
        let (denied, later) = (Counter::MemoryDenied, Counter::MemoryNotReady);
        let counts = self.node.responder.counters();
        let after = (counts.get(denied), counts.get(later));
        let refused = message.verdict == Verdict::Denied;
        let due = (before.0 + u64::from(refused), before.1 + u64::from(!refused));
        assert_eq!(
            after,
            due,
            "the model says something else: {:?} {} {repeats}\n{}",
            (message.page, message.wrong, message.outside, message.verdict),
            place,
            &self.text[self.text.len().saturating_sub(3000)..]
        );
        self.answers(Some(first.psn));
        let own = self.own[place].as_mut().expect("it is there");
        match (message.verdict, own.config.hardened) {
            (Verdict::NotReady, _) => own.again = Some(message),
            (_, false) => own.in_error = true,
            // The model has all but its last packet.
            (_, true) if count > 1 => {
                own.again = Some(message);
                self.destroy(place);
            }
            (_, true) => {}
        }
    }

    /// A packet that changes nothing, or asks for what has been.
    fn strange(&mut self, place: usize) {
        let own = self.own[place].as_ref().expect("it is there");
        let (qpn, source, psn) = (own.config.qpn, own.config.peer, own.client);
        // The model is some packets ahead of the hardware.
        let apart = own.again.is_some() && own.chain().stores();
        let base = Coming::short(qpn, source, psn);
        let far = self.rng.random_range(1..0x100);
        let coming = match self.rng.random_range(0..9) {
            0 => Coming { source: [10, 1, 2, 0x33], ..base },
            1 => Coming { pkey: 0x7fff, ..base },
            2 => Coming { qpn: qpn ^ 0x100, ..base },
            // The model takes those of a peer for acknowledges, the hardware none of them.
            3 => Coming {
                source: [10, 1, 2, 0x33],
                opcode: [0x0d, 0x0e, 0x0f, 0x10, 0x12][self.rng.random_range(0..5)],
                ..base
            },
            4 => Coming { opcode: [0x20, 0x64, 0x81, 0xc4][self.rng.random_range(0..4)], ..base },
            5 | 6 if apart => Coming { psn: psn.plus(0x40), ..base },
            5 => Coming { psn: psn.minus(far), malformed: self.percent(30), ..base },
            6 => Coming {
                psn: psn.minus(far),
                bytes: 0,
                opcode: [0x0a, 0x0c, 0x13, 0x14, 0x15, 0x17][self.rng.random_range(0..6)],
                ..base
            },
            _ => Coming { psn: psn.plus(0x40 + far), ..base },
        };
        let none = Message::none();
        self.tell(&coming, &none);
        self.feed(&coming, &none.bytes);
        self.answers(None);
    }

    /// A packet that ends a queue pair, unless that is hardened.
    fn violate(&mut self, place: usize) {
        let own = self.own[place].as_ref().expect("it is there");
        // The model is some packets ahead of the hardware.
        if own.again.is_some() {
            return;
        }
        let (qpn, source, psn, hardened) = (own.config.qpn, own.config.peer, own.client, own.config.hardened);
        let (mtu, length) = (own.config.path_mtu.bytes(), own.config.profile.message_len());
        let (running, stores) = (own.running.is_some(), own.chain().stores());
        let filled = own.running.as_ref().map_or(0, |(_, i)| i * mtu);
        let rest = length - filled;
        let base = Coming::short(qpn, source, psn);
        let [first, middle, last, only] = [0, 1, 2, 4];
        let wrong = if rest > mtu { mtu } else { rest + 1 };
        let coming = match self.rng.random_range(0..7) {
            0 => Coming {
                opcode: [0x06, 0x0a, 0x0c, 0x13, 0x14, 0x15, 0x16][self.rng.random_range(0..7)],
                bytes: 0,
                ..base
            },
            1 => Coming { malformed: true, ..base },
            // Another place in the message.
            2 if running => Coming { opcode: first, bytes: mtu, ..base },
            2 => Coming { opcode: middle, bytes: mtu, ..base },
            // Not the path MTU.
            3 if running => Coming { opcode: middle, bytes: mtu - 1, ..base },
            3 => Coming { opcode: first, bytes: mtu - 4, ..base },
            // Immediate data.
            4 if running => Coming { opcode: 3, bytes: rest.min(mtu), ..base },
            4 => Coming { opcode: 5, bytes: length.min(mtu), ..base },
            // Too short, or too long.
            5 if running => Coming { opcode: last, bytes: wrong.min(mtu), ..base },
            _ if running && rest < mtu => Coming { opcode: middle, bytes: mtu, ..base },
            _ if running => Coming { opcode: last, bytes: mtu - 1, ..base },
            _ if stores => Coming { opcode: only, bytes: mtu, ..base },
            _ => Coming { opcode: only, bytes: length - 1, ..base },
        };
        // It would be one of the message's packets.
        if running && coming.opcode == last && coming.bytes == rest {
            return;
        }
        let none = Message::none();
        self.tell(&coming, &none);
        self.feed(&coming, &none.bytes);
        self.answers(None);
        if !hardened {
            self.tears(place);
            let own = self.own[place].as_mut().expect("it is there");
            own.in_error = true;
            own.running = None;
        }
    }
}
