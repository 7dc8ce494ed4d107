/** All lanes of a worker, and how many of them those may hold who are slow, or of whom nothing is known yet. */
export const allLanes = 20;
const lanesForSlow = 8;
const lanesForUnknown = 15;
/** A dead receiver answers nothing for 15 s: one at a time is enough for it. */
const lanesEach = { quick: 4, unknown: 1, slow: 1 } as const;
const slowMs = 2_000;
const longestDelayMs = 600_000;
/** Receivers that have been quiet for so long are forgotten. */
const forgottenAfterMs = 900_000;

interface Receiver {
  underWay: number;
  /** How long an attempt takes, of late; undefined: there was none. */
  usualMs: number | undefined;
  /** When the last of those that were put off comes back. */
  lastReturn: number;
  seenAt: number;
}

export interface EndpointLanes {
  /** Takes a lane, or says in how many milliseconds to come back. */
  enter(endpointId: string, now: number): { leave(now: number): void } | { putOffMs: number };
}

/** Keeps slow receivers from holding the lanes that the others need. One for each worker. */
export function openEndpointLanes(): EndpointLanes {
  const receivers = new Map<string, Receiver>();
  let underWay = 0;

  function forgetQuiet(now: number): void {
    for (const [id, receiver] of receivers) {
      if (receiver.underWay === 0 && receiver.seenAt < now - forgottenAfterMs) receivers.delete(id);
    }
  }

  return {
    enter(endpointId, now) {
      if (receivers.size > 1_000) forgetQuiet(now);
      const receiver = receivers.get(endpointId) ?? { underWay: 0, usualMs: undefined, lastReturn: 0, seenAt: now };
      receivers.set(endpointId, receiver);
      receiver.seenAt = now;
      const { usualMs } = receiver;
      const pace = usualMs === undefined ? "unknown" : usualMs > slowMs ? "slow" : "quick";
      const lanes = lanesEach[pace];
      const room = { quick: allLanes, unknown: lanesForUnknown, slow: lanesForSlow }[pace];
      if (receiver.underWay >= lanes || underWay >= room) {
        // Each comes back when there should be room for it, so that it is put off once and not again and again.
        const next = Math.max(receiver.lastReturn, now + 200) + (usualMs ?? 100) / lanes;
        receiver.lastReturn = Math.min(next, now + longestDelayMs);
        return { putOffMs: receiver.lastReturn - now };
      }
      receiver.underWay += 1;
      underWay += 1;
      return {
        leave(then) {
          const tookMs = then - now;
          underWay -= 1;
          receiver.underWay -= 1;
          receiver.usualMs = receiver.usualMs === undefined ? tookMs : receiver.usualMs * 0.7 + tookMs * 0.3;
          receiver.seenAt = then;
        },
      };
    },
  };
}
