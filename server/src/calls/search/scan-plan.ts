import type { CallFilters } from "./call-filters.ts";
import type { IdRange } from "./id-range.ts";

export interface ScanPlan {
  readonly workspaceId: string;
  readonly filters: CallFilters;
  readonly range: IdRange;
  /** Number of ids to find. */
  readonly page: number;
}

export interface ScanResult {
  readonly ids: readonly string[];
  /** The last id up to which the scan is complete, or null at the end of the index. */
  readonly edge: string | null;
}
