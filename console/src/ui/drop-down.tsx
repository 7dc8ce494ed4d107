import { DropDownButton, type DropDownProps } from "./drop-down-button.tsx";
import { useReached } from "./use-reached.ts";

const load = async () => (await import("./open-drop-down.tsx")).OpenDropDown;

/** A button that opens a box below it. */
export function DropDown(props: DropDownProps) {
  const { part: OpenDropDown, button } = useReached(load);
  return OpenDropDown ? <OpenDropDown {...props} /> : <DropDownButton {...props} {...button} />;
}
