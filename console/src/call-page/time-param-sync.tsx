import type { Player } from "../player/engine/player.ts";
import { useTimeParam } from "./use-time-param.ts";

/** Keeps the position in the URL. */
export function TimeParamSync({ player }: { readonly player: Player }) {
  useTimeParam(player);
  return null;
}
