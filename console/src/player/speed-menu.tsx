import { useLoadOnIntent } from "../ui/lazy/use-load-on-intent.ts";
import type { Player } from "./engine/player.ts";
import { SpeedButton } from "./speed-button.tsx";

const load = async () => (await import("./open-speed-menu.tsx")).OpenSpeedMenu;

export function SpeedMenu({ player }: { readonly player: Player }) {
  const { part: OpenSpeedMenu, button } = useLoadOnIntent(load);
  return OpenSpeedMenu ? <OpenSpeedMenu player={player} /> : <SpeedButton player={player} {...button} />;
}
