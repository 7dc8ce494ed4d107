import { Menu } from "@mantine/core";
import { Icon } from "./icon.tsx";
import { RowButton, type RowMenuProps } from "./row-button.tsx";
import { useOpenAtFirst } from "./use-open-at-first.ts";

/** The button with its menu, which is open at first. */
export function OpenRowMenu({ name, actions }: RowMenuProps) {
  const { opened, setOpened, button } = useOpenAtFirst();
  return (
    <Menu {...{ opened }} onChange={setOpened} position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <RowButton name={name} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon, dangerous, onClick }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon name={icon} />}
            {...(dangerous && { color: "red" })}
            onClick={() => {
              // What opens now comes back to here.
              button.current?.focus();
              onClick();
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
