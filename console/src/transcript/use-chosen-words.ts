import { type RefObject, useEffect, useState } from "react";

/** Words of the transcript that the reader selected: indices, both inclusive. */
export interface ChosenWords {
  readonly first: number;
  readonly last: number;
}

/** Follows the selection of text in the box. */
export function useChosenWords(box: RefObject<HTMLElement | null>): ChosenWords | undefined {
  const [chosen, setChosen] = useState<ChosenWords>();
  useEffect(() => {
    let frame = 0;
    const read = () => {
      frame = 0;
      const next = readSelection(box.current);
      setChosen((before) => (before?.first === next?.first && before?.last === next?.last ? before : next));
    };
    const listen = () => {
      frame ||= requestAnimationFrame(read);
    };
    document.addEventListener("selectionchange", listen);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", listen);
    };
  }, [box]);
  return chosen;
}

export function readSelection(box: HTMLElement | null): ChosenWords | undefined {
  const selection = window.getSelection();
  if (!box || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!box.contains(range.startContainer) && !box.contains(range.endContainer)) return undefined;
  const words = [...box.querySelectorAll<HTMLElement>("[data-w]")].filter((word) => isInside(range, word));
  const ids = words.map(({ dataset }) => Number(dataset.w)).sort((a, b) => a - b);
  const [first, last] = [ids[0], ids.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** A range that ends before the first letter of a word does not include it. */
function isInside(range: Range, word: HTMLElement): boolean {
  if (!range.intersectsNode(word)) return false;
  const own = document.createRange();
  own.selectNodeContents(word);
  return (
    range.compareBoundaryPoints(Range.END_TO_START, own) < 0 && range.compareBoundaryPoints(Range.START_TO_END, own) > 0
  );
}

export const clearSelection = () => window.getSelection()?.removeAllRanges();
