import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { readMoment, writeMoment } from "./moment.ts";
import type { Player } from "./player.ts";
import { useTime } from "./use-player.ts";

/** Holding an arrow key down is one change of the address, not thirty. */
const settleMs = 400;

/** The address says where one is whenever one stops or goes somewhere, and a changed address goes there. */
export function useMomentInAddress(player: Player): void {
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
          // Whoever is on the way elsewhere is not called back.
          if (router.state.status === "pending") {
            timer.current = window.setTimeout(write, settleMs);
            return;
          }
          if (!router.state.location.pathname.endsWith(`/${id}`)) return;
          const t = writeMoment(player.nowMs());
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
    const ms = readMoment(wanted);
    if (wanted === written.current || ms === undefined) return;
    written.current = wanted;
    player.goTo(ms);
  }, [player, wanted]);
}
