/** Token bucket with a capacity of one second of the rate. */
export interface TokenBucket {
  tokens: number;
  at: number;
}

export const fullBucket = (): TokenBucket => ({ tokens: Number.POSITIVE_INFINITY, at: 0 });

/** Refills the bucket up to now and returns its tokens. Without a rate, it is unlimited. */
export function refill(bucket: TokenBucket, perSecond: number | null, nowMs: number): number {
  if (perSecond === null) {
    bucket.tokens = Number.POSITIVE_INFINITY;
    return bucket.tokens;
  }
  const added = (Math.max(0, nowMs - bucket.at) * perSecond) / 1000;
  bucket.tokens = Math.min(perSecond, bucket.tokens + added);
  bucket.at = nowMs;
  return bucket.tokens;
}
