import { Menu } from "@mantine/core";
import { Icon } from "../icon.tsx";
import { useOpenOnMount } from "../lazy/use-open-on-mount.ts";
import { RowButton, type RowMenuProps } from "./row-button.tsx";

/** Menu that opens on mount. */
export function OpenRowMenu({ name, actions }: RowMenuProps) {
  const { opened, setOpened, button } = useOpenOnMount();
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
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
              // Dialogs return the focus to this button.
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
