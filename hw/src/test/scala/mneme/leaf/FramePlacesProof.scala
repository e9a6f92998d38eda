package mneme.leaf

import mneme.Proof

/** The ring's places, by induction, beside [[FrameRingProof]]'s turns. */
class FramePlacesProof extends Proof {
  proves("each frame of the ring is in one place", 3)(new FrameRingProof.Places)
}
