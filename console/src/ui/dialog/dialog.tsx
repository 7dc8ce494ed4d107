import { Suspense } from "react";
import { useLazyLoad } from "../lazy/use-lazy-load.ts";
import type { DialogProps } from "./open-dialog.tsx";

export const loadDialog = async () => (await import("./open-dialog.tsx")).OpenDialog;

/** Modal dialog. Its code loads when the first one opens. */
export function Dialog(props: DialogProps) {
  const OpenDialog = useLazyLoad(props.opened, loadDialog, props.onClose);
  if (!OpenDialog) return null;
  // Lazy content must load before the dialog opens, so that the focus moves to its first field.
  return (
    <Suspense>
      <OpenDialog {...props} />
    </Suspense>
  );
}
