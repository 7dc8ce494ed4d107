import { useTexts } from "../i18n/use-texts.ts";
import { tell, tellProblem } from "../ui/tell.tsx";
import { useFormat } from "../ui/use-format.ts";
import type { Brought } from "./dropped-files.ts";
import { uploads } from "./uploads.ts";

const mostNamed = 3;

/** Puts files onto the list of who is signed in, and says what became of them. */
export function useAddFiles(userId: string) {
  const { t } = useTexts("uploads");
  const { number } = useFormat();
  return ({ files, unreadable, ...brought }: Brought): void => {
    uploads.belongTo(userId);
    const { added, replaced, known, left: beyond } = uploads.add(files);
    const left = beyond + brought.left;
    const told = [
      t("addedCount", { count: added }),
      replaced > 0 && t("replacedCount", { count: replaced }),
      known > 0 && t("thereCount", { count: known }),
      left > 0 && t(brought.uncounted ? "leftMore" : "leftCount", { count: left, number: number(left) }),
    ];
    tell(told.filter(Boolean).join(" "));
    if (unreadable.length === 0) return;
    const names = unreadable.slice(0, mostNamed).join(", ") + (unreadable.length > mostNamed ? ", …" : "");
    tellProblem(names, t("unreadableCount", { count: unreadable.length }));
  };
}
