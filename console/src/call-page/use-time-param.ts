import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import type { Player } from "../player/engine/player.ts";
import { useTime } from "../player/engine/use-player.ts";
import { formatTimeParam, parseTimeParam } from "../player/time-param.ts";

/** Debounces changes of the URL, for example while a key is held. */
const settleMs = 400;

/** Syncs the playback position with the `t` parameter, in both directions. */
export function useTimeParam(player: Player): void {
  const { id } = useParams({ from: "/inside/calls/$id" });
  const { t: wanted } = useSearch({ from: "/inside/calls/$id" });
  const router = useRouter();
  const navigate = useNavigate({ from: "/calls/$id" });
  const written = useRef(wanted);
  const timer = useRef<number>(undefined);

  useTime(
    player,
    useCallback(
      (_: number, moved: boolean) => {
        if (player.state().playing && !moved) return;
        window.clearTimeout(timer.current);
        const write = () => {
          // A navigation is pending: do not override it.
          if (router.state.status === "pending") {
            timer.current = window.setTimeout(write, settleMs);
            return;
          }
          if (!router.state.location.pathname.endsWith(`/${id}`)) return;
          const t = formatTimeParam(player.nowMs());
          if (t === (written.current ?? "0")) return;
          written.current = t;
          void navigate({ search: (before) => ({ ...before, t }), replace: true, resetScroll: false });
        };
        timer.current = window.setTimeout(write, settleMs);
      },
      [player, navigate, router, id],
    ),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    const ms = parseTimeParam(wanted);
    if (wanted === written.current || ms === undefined) return;
    written.current = wanted;
    player.goTo(ms);
  }, [player, wanted]);
}
