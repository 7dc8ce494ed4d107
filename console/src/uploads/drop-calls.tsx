import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../i18n/use-texts.ts";
import classes from "./uploads.module.css";
import { useAddFiles } from "./use-add-files.ts";
import { useFileDrop } from "./use-file-drop.ts";

/** For other pages: recordings that are dropped there are added to the list of uploads, which is shown then. */
export function DropCalls({ userId }: { readonly userId: string }) {
  const { t } = useTexts("uploads");
  const navigate = useNavigate();
  const add = useAddFiles(userId);
  const over = useFileDrop((brought) => {
    if (brought.files.length + brought.unreadable.length === 0) return;
    add(brought);
    void navigate({ to: "/uploads" });
  });
  return over ? <div className={classes.overlay}>{t("dropNow")}</div> : null;
}
