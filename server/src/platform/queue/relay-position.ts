/** Interval of full scans. A job can commit after jobs with higher ids were relayed. */
const rescanMs = 10_000;

interface Relayed {
  /** All transactions with a lower id had ended before the scan. */
  readonly xmin: number;
  /** No transaction with this id or a higher one had started when the batch was read. */
  readonly xmax: number;
  /** The lowest and highest id of the batch; undefined if it was empty. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

export interface RelayPosition {
  /** Scan ids greater than this one. */
  start(nowMs: number): number;
  /** Reports a scan that found nothing. */
  scanned(xmin: number): void;
  relayed(batch: Relayed): void;
}

/**
 * Tracks the last relayed id. While an old snapshot is open, relayed rows remain in the table as dead tuples, and a
 * scan from the start would read all of them every time.
 *
 * Ids commit out of order. The position therefore advances to an id only after all transactions that were running when
 * it was relayed have ended and a later scan has seen their rows. Periodic full scans find rows that another worker's
 * relay rolled back.
 */
export function openRelayPosition(): RelayPosition {
  let low = 0;
  let candidate: { id: number; xmax: number } | undefined;
  let rescanAt = Number.NEGATIVE_INFINITY;

  function advance(xmin: number): void {
    if (!candidate || xmin < candidate.xmax) return;
    low = candidate.id;
    candidate = undefined;
  }

  return {
    start(nowMs) {
      if (nowMs < rescanAt) return low;
      rescanAt = nowMs + rescanMs;
      return 0;
    },
    scanned: advance,
    relayed({ xmin, xmax, first, last }) {
      if (first !== undefined && first <= low) {
        // There may be more late jobs: scan from the start until all are relayed.
        low = 0;
        candidate = undefined;
      }
      // A batch contains the lowest remaining ids, so there was nothing below its first one.
      if (candidate && (first === undefined || first > candidate.id)) advance(xmin);
      if (last !== undefined) candidate ??= { id: last, xmax };
    },
  };
}
