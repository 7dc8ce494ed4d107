import type { App } from "../platform/app.ts";
import { networkOf } from "../platform/client-network.ts";
import { overLimit } from "./over-limit.ts";

/** Bucket size in seconds of the rate: a browser that opens the console requests dozens of files at once. */
const burstSeconds = 10;
/** Above this, the oldest network is evicted and starts again with a full bucket. */
const maxNetworks = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

export interface Client {
  readonly address: string;
  /** Whether an untrusted proxy forwarded the request, so that the address is the proxy's. */
  readonly forwarded: boolean;
}

/** Rate-limits unauthenticated requests per IPv4 address or IPv6 /64 network. */
export interface AddressLimiter {
  /** Takes one token from the bucket of the client's network, or throws 429. */
  require(client: Client): void;
}

export function openAddressLimiter(app: App, clock = () => performance.now()): AddressLimiter {
  const { requestsPerSecond } = app.config.limits.address;
  const buckets = new Map<string, Bucket>();
  let warned = false;

  function bucketOf(network: string, size: number): Bucket {
    const existing = buckets.get(network);
    if (existing) return existing;
    const [oldest] = buckets.keys();
    if (buckets.size >= maxNetworks && oldest !== undefined) buckets.delete(oldest);
    const bucket = { tokens: size, at: clock() };
    buckets.set(network, bucket);
    return bucket;
  }

  /** Warns once if a proxy is missing from TRUSTED_PROXIES, because all of its clients then share one bucket. */
  function warnOnce({ forwarded }: Client): void {
    if (warned || !forwarded) return;
    warned = true;
    app.log.warn(
      "requests come through a proxy that is not in TRUSTED_PROXIES, so all of its clients share one rate limit",
    );
  }

  return {
    require(client) {
      if (requestsPerSecond === null) return;
      const size = requestsPerSecond * burstSeconds;
      const bucket = bucketOf(networkOf(client.address), size);
      const now = clock();
      bucket.tokens = Math.min(size, bucket.tokens + (Math.max(0, now - bucket.at) * requestsPerSecond) / 1000);
      bucket.at = now;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return;
      }
      warnOnce(client);
      app.metrics.limited.inc({ limit: "address_requests" });
      throw overLimit({ name: "address_requests", limit: requestsPerSecond, left: 0, resetsInSeconds: 1 });
    },
  };
}
