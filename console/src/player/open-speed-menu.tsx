import { Menu } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useOpenOnMount } from "../ui/lazy/use-open-on-mount.ts";
import { useFormat } from "../ui/time/use-format.ts";
import type { Player } from "./engine/player.ts";
import { speeds } from "./engine/settings.ts";
import { usePlayerState } from "./engine/use-player.ts";
import { SpeedButton } from "./speed-button.tsx";

/** Menu that opens on mount. */
export function OpenSpeedMenu({ player }: { readonly player: Player }) {
  const format = useFormat();
  const { speed } = usePlayerState(player);
  const { opened, setOpened, button } = useOpenOnMount();
  return (
    <Menu opened={opened} onChange={setOpened} position="top" width={120}>
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
