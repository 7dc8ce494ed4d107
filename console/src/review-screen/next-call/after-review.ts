import { calibrationOf } from "../../calibrations/calibration-link.ts";
import { isFromQueue } from "../../queue/queue-link.ts";
import type { SearchParams } from "../../search-params.ts";

/** The page of the calibration session or the queue that the call was opened from. Undefined: another page. */
export function afterReview(list: SearchParams): { readonly to: string } | undefined {
  const calibrationId = calibrationOf(list);
  if (calibrationId) return { to: `/calibrations/${calibrationId}` };
  return isFromQueue(list) ? { to: "/queue" } : undefined;
}
