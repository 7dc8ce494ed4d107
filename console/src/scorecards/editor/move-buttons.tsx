import { Icon } from "../../ui/icon.tsx";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";

interface MoveButtonsProps {
  readonly title: string;
  readonly canUp: boolean;
  readonly canDown: boolean;
  readonly onMove: (by: -1 | 1, keep: Element | null) => void;
}

/** Native buttons: every row has two, and Mantine's take ten times as long to render. */
export function MoveButtons({ title, canUp, canDown, onMove }: MoveButtonsProps) {
  const { t } = useTexts();
  const button = (by: -1 | 1, can: boolean) => (
    // aria-disabled keeps the focus at the end of the list.
    <button
      type="button"
      aria-label={t(by === -1 ? "moveUp" : "moveDown", { title })}
      aria-disabled={!can}
      className={classes.moveButton}
      onClick={(event) => can && onMove(by, event.currentTarget)}
    >
      <Icon name={by === -1 ? "arrowUp" : "arrowDown"} size={15} />
    </button>
  );
  return (
    <>
      {button(-1, canUp)}
      {button(1, canDown)}
    </>
  );
}
