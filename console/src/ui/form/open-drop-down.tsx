import { Popover } from "@mantine/core";
import { useOpenOnMount } from "../lazy/use-open-on-mount.ts";
import { DropDownButton, type DropDownProps } from "./drop-down-button.tsx";

/** Popover that opens on mount. */
export function OpenDropDown(props: DropDownProps) {
  const { width, position = "bottom-start", children } = props;
  const { opened, setOpened, button } = useOpenOnMount();
  return (
    <Popover
      opened={opened}
      width={width}
      position={position}
      onChange={setOpened}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <DropDownButton {...props} ref={button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown p="sm">{opened && children(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  );
}
