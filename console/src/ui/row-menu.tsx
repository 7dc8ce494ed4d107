import { RowButton, type RowMenuProps } from "./row-button.tsx";
import { useReached } from "./use-reached.ts";

export const loadRowMenu = async () => (await import("./open-row-menu.tsx")).OpenRowMenu;

/** What can be done with one row of a table. */
export function RowMenu(props: RowMenuProps) {
  const { part: OpenRowMenu, button } = useReached(loadRowMenu);
  return OpenRowMenu ? <OpenRowMenu {...props} /> : <RowButton name={props.name} {...button} />;
}
