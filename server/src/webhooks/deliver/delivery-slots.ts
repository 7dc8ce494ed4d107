/** Slots per worker, and the shares that slow receivers, and slow and unknown ones together, may use. */
export const totalSlots = 20;
const slotsForSlow = 8;
const slotsForUnknown = 15;
/** Slots per receiver. A dead receiver blocks its slot for 15 s, so it gets only one. */
const slotsEach = { fast: 4, unknown: 1, slow: 1 } as const;
const slowMs = 2_000;
/** Statistics of receivers idle for this long are dropped. */
const idleMs = 900_000;

interface Receiver {
  inFlight: number;
  /** Moving average of the response time, or undefined before the first attempt. */
  averageMs: number | undefined;
  seenAt: number;
}

export interface DeliverySlots {
  /** Acquires a slot. Returns undefined if none is free for this receiver. */
  acquire(endpointId: string, now: number): { release(now: number): void } | undefined;
}

/** Bulkhead: limits concurrent deliveries per receiver, so that slow receivers cannot use up all slots. One per worker. */
export function openDeliverySlots(): DeliverySlots {
  const receivers = new Map<string, Receiver>();
  const inFlight = { fast: 0, unknown: 0, slow: 0 };

  function hasCapacity(speed: keyof typeof inFlight, held: number): boolean {
    const { fast, unknown, slow } = inFlight;
    if (speed === "slow") return slow < slotsForSlow;
    if (speed === "unknown") return unknown + slow < slotsForUnknown;
    // The first slot is always granted, so that busy receivers never block others. A worker serves at most `totalSlots` at a time.
    return held === 0 || fast + unknown + slow < totalSlots;
  }

  function dropIdle(now: number): void {
    for (const [id, receiver] of receivers) {
      if (receiver.inFlight === 0 && receiver.seenAt < now - idleMs) receivers.delete(id);
    }
  }

  return {
    acquire(endpointId, now) {
      if (receivers.size > 1_000) dropIdle(now);
      const receiver = receivers.get(endpointId) ?? { inFlight: 0, averageMs: undefined, seenAt: now };
      receivers.set(endpointId, receiver);
      receiver.seenAt = now;
      const { averageMs } = receiver;
      const speed = averageMs === undefined ? "unknown" : averageMs > slowMs ? "slow" : "fast";
      if (receiver.inFlight >= slotsEach[speed] || !hasCapacity(speed, receiver.inFlight)) return undefined;
      receiver.inFlight += 1;
      inFlight[speed] += 1;
      return {
        release(then) {
          const tookMs = then - now;
          inFlight[speed] -= 1;
          receiver.inFlight -= 1;
          receiver.averageMs = receiver.averageMs === undefined ? tookMs : receiver.averageMs * 0.7 + tookMs * 0.3;
          receiver.seenAt = then;
        },
      };
    },
  };
}
