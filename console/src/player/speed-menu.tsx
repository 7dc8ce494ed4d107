import { useReached } from "../ui/use-reached.ts";
import type { Player } from "./player.ts";
import { SpeedButton } from "./speed-button.tsx";

const load = async () => (await import("./open-speed-menu.tsx")).OpenSpeedMenu;

/** How fast, to be chosen. */
export function SpeedMenu({ player }: { readonly player: Player }) {
  const { part: OpenSpeedMenu, button } = useReached(load);
  return OpenSpeedMenu ? <OpenSpeedMenu player={player} /> : <SpeedButton player={player} {...button} />;
}
