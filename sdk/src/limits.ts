import type { RequestOptions, Transport } from "./transport.ts";
import type { LimitsBody } from "./wire.ts";

export function openLimits(transport: Transport) {
  return {
    /** What this key and its workspace may do, and how much of it is used. */
    find: (options: RequestOptions = {}): Promise<LimitsBody> =>
      transport.json({ method: "GET", path: "/limits", ...options }),
  };
}
export type Limits = ReturnType<typeof openLimits>;
