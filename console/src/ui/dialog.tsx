import { Suspense } from "react";
import type { DialogProps } from "./open-dialog.tsx";
import { usePart } from "./use-part.ts";

export const loadDialog = async () => (await import("./open-dialog.tsx")).OpenDialog;

/** A box above the page. What draws it is fetched when the first one opens. */
export function Dialog(props: DialogProps) {
  const OpenDialog = usePart(props.opened, loadDialog, props.onClose);
  if (!OpenDialog) return null;
  // What is in it may have to be fetched, too: then it opens once that is there, and the focus finds its field.
  return (
    <Suspense>
      <OpenDialog {...props} />
    </Suspense>
  );
}
