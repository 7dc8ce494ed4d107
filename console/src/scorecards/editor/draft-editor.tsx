import { isRetryable, type ScorecardDetailBody, type ScorecardVersionBody, ServiceError } from "@hearback/sdk";
import { Tabs, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { onceClient } from "../../client.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { useShortcuts } from "../../ui/shortcuts/shortcuts.tsx";
import type { DraftDocument } from "../draft/draft-document.ts";
import { createDraftSaver, type Failure } from "../draft/draft-saver.ts";
import { type Finding, findingsByElement, lintDraft } from "../draft/lint-draft.ts";
import { previewDocument, totalWeight } from "../draft/preview-document.ts";
import columns from "../form-view.module.css";
import { Preview } from "../preview.tsx";
import { rememberScorecard } from "../queries.ts";
import { PanelChoice, useIsWide } from "../split-layout.tsx";
import { useTexts } from "../texts.ts";
import { ConflictAlert } from "./conflict-alert.tsx";
import classes from "./editor.module.css";
import { EditorProvider } from "./editor-context.ts";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { FormFields } from "./fields/form-fields.tsx";
import { FindingList } from "./finding-list.tsx";
import { useEditorState } from "./use-editor-state.ts";

const WhatIfPanel = lazyComponent(async () => (await import("../what-if/what-if-panel.tsx")).WhatIfPanel);
const PublishScorecard = lazyComponent(async () => (await import("../publish-scorecard.tsx")).PublishScorecard);

interface DraftEditorProps {
  readonly scorecard: ScorecardDetailBody;
  readonly latest: ScorecardVersionBody | undefined;
  readonly initial: DraftDocument;
}

type Part = "edit" | "preview" | "findings" | "what-if";

/** Editor, preview and findings of a draft, with autosave. */
export function DraftEditor({ scorecard, latest, initial }: DraftEditorProps) {
  const { t } = useTexts();
  const state = useEditorState(initial, latest?.document);
  const { document, editor } = state;
  const saver = useSaver(scorecard, initial);
  useEffect(() => saver.change(document), [saver, document]);
  useLeaveGuard(saver, t("leaveUnsaved"));
  const undo = useCallback(() => state.undo(t("undone")), [state.undo, t]);
  const redo = useCallback(() => state.redo(t("redone")), [state.redo, t]);
  useHistoryKeys(undo, redo);
  // For the help only: these keys also work while typing, so they have their own listeners.
  useShortcuts([
    { keys: ["Ctrl Z"], text: t("undo"), group: t("toolbar"), run: undo },
    { keys: ["Ctrl Shift Z", "Ctrl Y"], text: t("redo"), group: t("toolbar"), run: redo },
    { keys: ["Alt ↑", "Alt ↓"], text: t("moveKeys"), group: t("toolbar"), run: () => {} },
  ]);

  // Typing is shown first; lint and preview follow.
  const shown = useDeferredValue(document);
  const linted = useMemo(() => lintDraft(shown, latest?.document), [shown, latest]);
  const findings = useStableFindings(shown, linted.findings);
  const total = useMemo(() => totalWeight(shown), [shown]);
  const placeholders = useMemo(
    () => ({ question: t("untitledQuestion"), section: t("untitledSection"), option: t("option") }),
    [t],
  );
  const preview = useMemo(() => previewDocument(shown, placeholders), [shown, placeholders]);

  const isWide = useIsWide();
  const [part, setPart] = useState<Part>("edit");
  const side = part === "edit" ? "preview" : part;
  const [publishing, setPublishing] = useState(false);
  const showFindings = useCallback(() => setPart("findings"), []);
  // The server publishes what it has stored.
  const publish = useCallback(() => void saver.flush().then((isSaved) => isSaved && setPublishing(true)), [saver]);
  const count = linted.findings.length;
  const findingList = (
    <FindingList
      document={shown}
      findings={linted.findings}
      onGo={(id, focus) => {
        setPart(isWide ? part : "edit");
        editor.open(id, focus);
      }}
    />
  );
  const whatIf = (
    <Suspense>
      <WhatIfPanel scorecard={scorecard} saver={saver} errors={linted.errors} />
    </Suspense>
  );
  return (
    <EditorProvider value={editor}>
      <EditorToolbar
        saver={saver}
        total={total}
        errors={linted.errors}
        warnings={count - linted.errors}
        canUndo={state.history.past.length > 0}
        canRedo={state.history.future.length > 0}
        hasDraft={scorecard.has_draft}
        onUndo={undo}
        onRedo={redo}
        onFindings={showFindings}
        onPublish={publish}
      />
      <ConflictAlert id={scorecard.id} saver={saver} onLoad={state.load} />
      {!isWide && (
        <PanelChoice
          value={part}
          onChange={setPart}
          data={[
            { value: "edit", label: t("edit") },
            { value: "preview", label: t("preview") },
            { value: "findings", label: t("checksCount", { count }) },
            { value: "what-if", label: t("whatIf") },
          ]}
        />
      )}
      <div className={`${columns.columns} ${columns.belowBar}`}>
        {(isWide || part === "edit") && <FormFields document={document} open={state.open} findings={findings} />}
        {isWide && (
          <aside className={columns.side} aria-label={t("previewAndChecks")}>
            <Tabs value={side} onChange={(value) => setPart(value as Part)} keepMounted variant="pills">
              <Tabs.List mb="sm" className={classes.sideTabs}>
                <Tabs.Tab value="preview">{t("preview")}</Tabs.Tab>
                <Tabs.Tab value="findings">{t("checksCount", { count })}</Tabs.Tab>
                <Tabs.Tab value="what-if">{t("whatIf")}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="preview">
                <Preview document={preview} />
              </Tabs.Panel>
              <Tabs.Panel value="findings">{findingList}</Tabs.Panel>
              {/* Mounted on demand: its code and the latest run are loaded when it is opened. */}
              <Tabs.Panel value="what-if">{side === "what-if" && whatIf}</Tabs.Panel>
            </Tabs>
          </aside>
        )}
        {!isWide && part === "preview" && <Preview document={preview} />}
        {!isWide && part === "findings" && findingList}
        {!isWide && part === "what-if" && whatIf}
      </div>
      <VisuallyHidden aria-live="assertive">{state.announcement}</VisuallyHidden>
      <Dialog opened={publishing} title={t("publishTitle")} size="lg" onClose={() => setPublishing(false)}>
        <PublishScorecard
          scorecard={scorecard}
          latest={latest}
          draft={document}
          number={saver.number()}
          onPublished={({ draft_number }) => saver.reset(document, draft_number ?? 0)}
          onClose={() => setPublishing(false)}
        />
      </Dialog>
    </EditorProvider>
  );
}

type Saver = ReturnType<typeof useSaver>;

function classify(error: unknown): Failure {
  if (!(error instanceof ServiceError)) return "refused";
  if (error.code === "draft_changed") return { conflict: Number(error.problem?.number) };
  return isRetryable(error) ? "retry" : "refused";
}

function useSaver({ id, draft_number }: ScorecardDetailBody, initial: DraftDocument) {
  const queries = useQueryClient();
  const [saver] = useState(() =>
    createDraftSaver<DraftDocument>({
      number: draft_number ?? 0,
      document: initial,
      async save(document, ifMatch) {
        // Without retries of the client: the saver retries, and shows that it does.
        const scorecard = await onceClient.scorecards.saveDraft(id, { ...document }, { ifMatch });
        rememberScorecard(queries, scorecard);
        return scorecard.draft_number ?? 0;
      },
      classify,
    }),
  );
  useEffect(() => {
    window.addEventListener("online", saver.retry);
    return () => {
      window.removeEventListener("online", saver.retry);
      saver.stop();
    };
  }, [saver]);
  return saver;
}

/** Findings by element. The same map as long as they are the same, so that typing renders one question only. */
function useStableFindings(document: DraftDocument, findings: readonly Finding[]) {
  const previous = useRef<{ readonly key: string; readonly map: ReturnType<typeof findingsByElement> }>(undefined);
  return useMemo(() => {
    const map = findingsByElement(document, findings);
    const key = JSON.stringify([...map]);
    if (previous.current?.key !== key) previous.current = { key, map };
    return previous.current.map;
  }, [document, findings]);
}

/** Saves before the page is left. Asks if that fails. */
function useLeaveGuard(saver: Saver, question: string): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && next.search === current.search) return false;
      return !(await saver.flush()) && !window.confirm(question);
    },
    enableBeforeUnload: () => saver.state().kind !== "saved",
  });
}

/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), also in text fields: their own history would not know about other changes. */
function useHistoryKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isCommand || (key !== "z" && key !== "y") || document.querySelector('[aria-modal="true"]')) return;
      // Answers in the preview are not part of the document.
      if (event.target instanceof Element && event.target.closest("[data-question]")) return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [undo, redo]);
}
