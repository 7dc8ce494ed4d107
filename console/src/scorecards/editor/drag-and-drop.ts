import type { DragEvent } from "react";

/** The dragged section or question. The browser hides the data of a drag from everything but the drop. */
let dragged: { readonly kind: DragKind; readonly id: string } | undefined;

export type DragKind = "question" | "section";

/** Props of a drag handle. The element with `data-drag-item` around it is what moves. */
export const dragHandle = (kind: DragKind, id: string) => ({
  draggable: true,
  onDragStart(event: DragEvent<HTMLElement>) {
    dragged = { kind, id };
    event.dataTransfer.effectAllowed = "move";
    // Text that is dropped into a field by accident.
    event.dataTransfer.setData("application/x-hearback", id);
    const item = event.currentTarget.closest<HTMLElement>("[data-drag-item]");
    if (!item) return;
    event.dataTransfer.setDragImage(item, 16, 16);
    item.dataset.dragging = "";
  },
  onDragEnd(event: DragEvent<HTMLElement>) {
    dragged = undefined;
    delete event.currentTarget.closest<HTMLElement>("[data-drag-item]")?.dataset.dragging;
  },
});

type Side = "before" | "after";

function sideOf(event: DragEvent<HTMLElement>): Side {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return event.clientY < top + height / 2 ? "before" : "after";
}

/**
 * Props of an element before or after which something can be dropped. The mark is set on the element itself: dragging
 * renders nothing.
 */
export const dropTarget = (kind: DragKind, onDrop: (id: string, side: Side) => void) => ({
  onDragOver(event: DragEvent<HTMLElement>) {
    if (dragged?.kind !== kind) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.dataset.drop = sideOf(event);
  },
  onDragLeave(event: DragEvent<HTMLElement>) {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
    delete event.currentTarget.dataset.drop;
  },
  onDrop(event: DragEvent<HTMLElement>) {
    if (dragged?.kind !== kind) return;
    event.preventDefault();
    event.stopPropagation();
    delete event.currentTarget.dataset.drop;
    onDrop(dragged.id, sideOf(event));
  },
});
