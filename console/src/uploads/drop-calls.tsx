import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "./texts.ts";
import classes from "./uploads.module.css";
import { useAddFiles } from "./use-add-files.ts";
import { useFileDrop } from "./use-file-drop.ts";

/** Adds recordings dropped on other pages to the uploads and opens the uploads page. */
export function DropCalls({ userId }: { readonly userId: string }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const add = useAddFiles(userId);
  const over = useFileDrop((added) => {
    if (added.files.length + added.unreadable.length === 0) return;
    add(added);
    void navigate({ to: "/uploads" });
  });
  return over ? <div className={classes.overlay}>{t("dropNow")}</div> : null;
}
