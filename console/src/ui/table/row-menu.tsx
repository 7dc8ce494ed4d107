import { useLoadOnIntent } from "../lazy/use-load-on-intent.ts";
import { RowButton, type RowMenuProps } from "./row-button.tsx";

export const loadRowMenu = async () => (await import("./open-row-menu.tsx")).OpenRowMenu;

/** Action menu of a table row. */
export function RowMenu(props: RowMenuProps) {
  const { part: OpenRowMenu, button } = useLoadOnIntent(loadRowMenu);
  return OpenRowMenu ? <OpenRowMenu {...props} /> : <RowButton name={props.name} {...button} />;
}
