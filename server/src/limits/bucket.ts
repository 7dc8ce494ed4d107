/** What may be taken now. It refills steadily, up to what comes in one second. */
export interface Bucket {
  level: number;
  at: number;
}

export const fullBucket = (): Bucket => ({ level: Number.POSITIVE_INFINITY, at: 0 });

/** Refills it to what it holds at this time, and gives that. Without a rate it never empties. */
export function refill(bucket: Bucket, perSecond: number | null, nowMs: number): number {
  if (perSecond === null) {
    bucket.level = Number.POSITIVE_INFINITY;
    return bucket.level;
  }
  const came = (Math.max(0, nowMs - bucket.at) * perSecond) / 1000;
  bucket.level = Math.min(perSecond, bucket.level + came);
  bucket.at = nowMs;
  return bucket.level;
}
