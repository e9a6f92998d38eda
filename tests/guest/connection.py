"""A connection to a board by pyverbs of rdma-core, which shares no code with Mneme: for verbs.py and chains.py."""
import time

import pyverbs.cm_enums as ce
import pyverbs.enums as e
from pyverbs.cmid import CMID, AddrInfo, CMEvent, CMEventChannel, ConnParam
from pyverbs.cq import CQ
from pyverbs.mr import MR
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr

PORT = "19790"
# Seconds that an operation may take.
PATIENCE = 20


class Connection:
    """A queue pair that pyverbs makes and this program brings to its states; rdma_cm carries the messages.

    `private` are the bytes of what is asked for, `granted` those of the answer (docs/reference/rdma.md, "Making a connection").
    """

    def __init__(self, address, private, depth, room, access=e.IBV_ACCESS_LOCAL_WRITE):
        self.events = CMEventChannel()
        self.id = CMID(creator=self.events)
        way = AddrInfo(dst=address, dst_service=PORT, port_space=ce.RDMA_PS_TCP)
        self.id.resolve_addr(way)
        self.expect(ce.RDMA_CM_EVENT_ADDR_RESOLVED)
        self.id.resolve_route()
        self.expect(ce.RDMA_CM_EVENT_ROUTE_RESOLVED)
        self.cq = CQ(self.id.context, 4 * depth)
        cap = QPCap(max_send_wr=depth, max_recv_wr=depth)
        self.qp = QP(self.id.pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.cq, rcq=self.cq, cap=cap), QPAttr())
        self.mr = MR(self.id.pd, room, access)
        wanted = ConnParam(resources=0, depth=depth, retry=7, rnr_retry=7, qp_num=self.qp.qp_num, data_len=len(private))
        wanted.set_private_data(private)
        self.id.connect(wanted)
        self.granted = self.expect(ce.RDMA_CM_EVENT_CONNECT_RESPONSE)
        for state in (e.IBV_QPS_INIT, e.IBV_QPS_RTR, e.IBV_QPS_RTS):
            self.qp.modify(*self.id.init_qp_attr(state))
            if state == e.IBV_QPS_INIT:
                self.begun()
        self.id.establish()

    def begun(self):
        """The queue pair may have receives now, and nothing comes yet."""

    def expect(self, kind):
        """The private data of the next event, which must be of one kind."""
        event = CMEvent(self.events)
        assert event.event_type == kind, f"{event.event_str()} came"
        private = bytes(event.private_data) if kind == ce.RDMA_CM_EVENT_CONNECT_RESPONSE else b""
        event.ack_cm_event()
        return private

    def completions(self, count):
        """Waits until so many have come."""
        all_of_them, until = [], time.monotonic() + PATIENCE
        while len(all_of_them) < count:
            got, done = self.cq.poll(count - len(all_of_them))
            all_of_them += done[:got]
            assert got or time.monotonic() < until, f"{len(all_of_them)} of {count} operations have ended"
        return all_of_them

    def end(self):
        self.id.disconnect()
        self.qp.close()


def same(found, wanted, what):
    """How many bytes are the same: all, or the program ends."""
    if found != wanted:
        first = next((at for at, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        raise SystemExit(f"{what}: byte {first} of {len(wanted)} is another one")
    return len(wanted)


def fnv(data):
    """FNV-1a of 64 bits, which the host computes, too."""
    total = 0xCBF29CE484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return total
