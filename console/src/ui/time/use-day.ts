import { useSyncExternalStore } from "react";
import { startOfDay } from "./zoned-time.ts";

function everyMinute(look: () => void): () => void {
  const timer = setInterval(look, 60_000);
  return () => clearInterval(timer);
}

/** Start of the current day in the zone, updated after midnight. 0 without a zone. */
export const useDay = (zone: string | undefined): number =>
  useSyncExternalStore(everyMinute, () => (zone ? startOfDay(new Date(), zone).getTime() : 0));
