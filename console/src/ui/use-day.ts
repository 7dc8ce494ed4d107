import { useSyncExternalStore } from "react";
import { startOfDay } from "./zoned-time.ts";

function everyMinute(look: () => void): () => void {
  const timer = setInterval(look, 60_000);
  return () => clearInterval(timer);
}

/** When the day began in this zone: another moment after midnight, for what is called "today". Without a zone always 0. */
export const useDay = (zone: string | undefined): number =>
  useSyncExternalStore(everyMinute, () => (zone ? startOfDay(new Date(), zone).getTime() : 0));
