import { formatTimeParam } from "../player/time-param.ts";

/** Link to a moment, without the list filters. */
export const momentLink = (id: string, ms: number): string =>
  `${window.location.origin}${import.meta.env.BASE_URL}calls/${encodeURIComponent(id)}?t=${formatTimeParam(ms)}`;
