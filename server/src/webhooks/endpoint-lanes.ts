/** A dead receiver answers nothing for 15 s: one at a time is enough for it. */
const lanesWhenQuick = 4;
const lanesWhenSlow = 1;
const slowMs = 2_000;
const longestDelayMs = 600_000;
/** Receivers that have been quiet for so long are forgotten. */
const forgottenAfterMs = 900_000;

interface Receiver {
  underWay: number;
  /** How long an attempt takes, of late. */
  usualMs: number;
  /** When the last of those that were put off comes back. */
  lastReturn: number;
  seenAt: number;
}

export interface EndpointLanes {
  /** Takes a lane, or says in how many milliseconds to come back. */
  enter(endpointId: string, now: number): { leave(now: number): void } | { putOffMs: number };
}

/** Keeps a slow receiver from holding the lanes that the others need. One for each worker. */
export function openEndpointLanes(): EndpointLanes {
  const receivers = new Map<string, Receiver>();

  function forgetOthers(now: number): void {
    for (const [id, { underWay, seenAt }] of receivers) {
      if (underWay === 0 && seenAt < now - forgottenAfterMs) receivers.delete(id);
    }
  }

  return {
    enter(endpointId, now) {
      if (receivers.size > 1_000) forgetOthers(now);
      const receiver = receivers.get(endpointId) ?? { underWay: 0, usualMs: 100, lastReturn: 0, seenAt: now };
      receivers.set(endpointId, receiver);
      receiver.seenAt = now;
      const lanes = receiver.usualMs > slowMs ? lanesWhenSlow : lanesWhenQuick;
      if (receiver.underWay >= lanes) {
        // Each comes back when there should be room for it, so that it is put off once and not again and again.
        const next = Math.max(receiver.lastReturn, now + 500) + receiver.usualMs / lanes;
        receiver.lastReturn = Math.min(next, now + longestDelayMs);
        return { putOffMs: receiver.lastReturn - now };
      }
      receiver.underWay += 1;
      return {
        leave(then) {
          receiver.underWay -= 1;
          receiver.usualMs += (then - now - receiver.usualMs) * 0.3;
          receiver.seenAt = then;
        },
      };
    },
  };
}
