import type { ScorecardDocument } from "@hearback/scoring/document";
import { useState } from "react";
import classes from "./form-view.module.css";
import { Outline } from "./outline.tsx";
import { Preview } from "./preview.tsx";
import { PanelChoice, useIsWide } from "./split-layout.tsx";
import { useTexts } from "./texts.ts";

/** A published form, to read and to try out. */
export function FormView({ document }: { readonly document: ScorecardDocument }) {
  const { t } = useTexts();
  const isWide = useIsWide();
  const [shown, setShown] = useState<"outline" | "preview">("outline");
  return (
    <>
      {!isWide && (
        <PanelChoice
          value={shown}
          onChange={setShown}
          data={[
            { value: "outline", label: t("outline") },
            { value: "preview", label: t("preview") },
          ]}
        />
      )}
      <div className={classes.columns}>
        {(isWide || shown === "outline") && <Outline document={document} />}
        {(isWide || shown === "preview") && (
          <aside className={classes.side} aria-label={t("preview")}>
            <Preview document={document} />
          </aside>
        )}
      </div>
    </>
  );
}
