import { Menu } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/use-format.ts";
import { useOpenAtFirst } from "../ui/use-open-at-first.ts";
import type { Player } from "./player.ts";
import { speeds } from "./settings.ts";
import { SpeedButton } from "./speed-button.tsx";
import { usePlayerState } from "./use-player.ts";

/** The button with its menu, which is open at first. */
export function OpenSpeedMenu({ player }: { readonly player: Player }) {
  const format = useFormat();
  const { speed } = usePlayerState(player);
  const { opened, setOpened, button } = useOpenAtFirst();
  return (
    <Menu {...{ opened }} onChange={setOpened} position="top" width={120}>
      <Menu.Target>
        <SpeedButton player={player} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {speeds.map((one) => (
          <Menu.Item
            key={one}
            className="tabular"
            onClick={() => player.change({ speed: one })}
            rightSection={one === speed && <Icon name="check" size={14} />}
          >
            {`${format.number(one)}×`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
