import { toast, toastProblem } from "../ui/feedback/toast.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import type { AddedFiles } from "./dropped-files.ts";
import { uploads } from "./queue/uploads.ts";
import { useTexts } from "./texts.ts";

const mostNamed = 3;

/** Adds files to the list and shows the result as a toast. */
export function useAddFiles(userId: string) {
  const { t } = useTexts();
  const { number } = useFormat();
  return ({ files, unreadable, ...brought }: AddedFiles): void => {
    uploads.setOwner(userId);
    const { added, replaced, known, left: beyond } = uploads.add(files);
    const left = beyond + brought.left;
    const messages = [
      t("addedCount", { count: added }),
      replaced > 0 && t("replacedCount", { count: replaced }),
      known > 0 && t("duplicateCount", { count: known }),
      left > 0 && t(brought.uncounted ? "overLimitMore" : "overLimit", { count: left, number: number(left) }),
    ];
    toast(messages.filter(Boolean).join(" "));
    if (unreadable.length === 0) return;
    const names = unreadable.slice(0, mostNamed).join(", ") + (unreadable.length > mostNamed ? ", …" : "");
    toastProblem(names, t("unreadableCount", { count: unreadable.length }));
  };
}
