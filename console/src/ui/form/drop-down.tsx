import { useLoadOnIntent } from "../lazy/use-load-on-intent.ts";
import { DropDownButton, type DropDownProps } from "./drop-down-button.tsx";

const load = async () => (await import("./open-drop-down.tsx")).OpenDropDown;

/** Button with a popover. */
export function DropDown(props: DropDownProps) {
  const { part: OpenDropDown, button } = useLoadOnIntent(load);
  return OpenDropDown ? <OpenDropDown {...props} /> : <DropDownButton {...props} {...button} />;
}
