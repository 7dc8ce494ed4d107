import { Popover } from "@mantine/core";
import { DropDownButton, type DropDownProps } from "./drop-down-button.tsx";
import { useOpenAtFirst } from "./use-open-at-first.ts";

/** The button with its box, which is open at first. */
export function OpenDropDown(props: DropDownProps) {
  const { width, position = "bottom-start", children } = props;
  const { opened, setOpened, button } = useOpenAtFirst();
  return (
    <Popover {...{ opened, width, position }} onChange={setOpened} shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <DropDownButton {...props} ref={button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown p="sm">{opened && children(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  );
}
