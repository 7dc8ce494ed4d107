import type { RequestOptions, Transport } from "./transport.ts";
import type { LimitsBody } from "./wire.ts";

export function openLimits(transport: Transport) {
  return {
    /** Returns the limits of this API key and its workspace, with current usage. */
    find: (options: RequestOptions = {}): Promise<LimitsBody> =>
      transport.json({ method: "GET", path: "/limits", ...options }),
  };
}
export type Limits = ReturnType<typeof openLimits>;
