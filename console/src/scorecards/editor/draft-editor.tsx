import { isRetryable, type ScorecardDetailBody, type ScorecardVersionBody, ServiceError } from "@hearback/sdk";
import { Alert, Button, Group, Tabs, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { onceClient } from "../../client.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { toastProblem } from "../../ui/feedback/toast.tsx";
import { useProblemText } from "../../ui/feedback/use-problem-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { type DraftDocument, readDraft } from "../draft/draft-document.ts";
import { createDraftSaver, type Failure } from "../draft/draft-saver.ts";
import { findingsByElement, lintDraft } from "../draft/lint-draft.ts";
import { previewDocument } from "../draft/preview-document.ts";
import columns from "../form-view.module.css";
import { Preview } from "../preview.tsx";
import { rememberScorecard, scorecardQueries, useReloadScorecard } from "../queries.ts";
import { PanelChoice, useIsWide } from "../split-layout.tsx";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";
import { EditorProvider } from "./editor-context.ts";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { FindingList } from "./finding-list.tsx";
import { FormFields } from "./form-fields.tsx";
import { useEditorState } from "./use-editor-state.ts";

const PublishScorecard = lazyComponent(async () => (await import("../publish-scorecard.tsx")).PublishScorecard);

interface DraftEditorProps {
  readonly scorecard: ScorecardDetailBody;
  readonly latest: ScorecardVersionBody | undefined;
  readonly initial: DraftDocument;
}

type Part = "edit" | "preview" | "findings";

/** Editor, preview and findings of a draft, with autosave. */
export function DraftEditor({ scorecard, latest, initial }: DraftEditorProps) {
  const { t } = useTexts();
  const state = useEditorState(initial, latest?.document);
  const { document, editor } = state;
  const saver = useSaver(scorecard, initial);
  const saveState = useSyncExternalStore(saver.subscribe, saver.state);
  useEffect(() => saver.change(document), [saver, document]);
  useLeaveGuard(saver, t("leaveUnsaved"));
  useHistoryKeys(
    useCallback(() => state.undo(t("undone")), [state.undo, t]),
    useCallback(() => state.redo(t("redone")), [state.redo, t]),
  );

  // Typing is shown first; lint and preview follow.
  const shown = useDeferredValue(document);
  const linted = useMemo(() => lintDraft(shown, latest?.document), [shown, latest]);
  const findings = useMemo(() => findingsByElement(shown, linted.findings), [shown, linted]);
  const placeholders = useMemo(
    () => ({ question: t("untitledQuestion"), section: t("untitledSection"), option: t("option") }),
    [t],
  );
  const preview = useMemo(() => previewDocument(shown, placeholders), [shown, placeholders]);

  const isWide = useIsWide();
  const [part, setPart] = useState<Part>("edit");
  const side = part === "findings" ? "findings" : "preview";
  const [publishing, setPublishing] = useState(false);
  const conflict = useConflict(scorecard.id, saver, state.load);
  const publish = async () => {
    // The server publishes what it has stored.
    if (await saver.flush()) setPublishing(true);
  };
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
  return (
    <EditorProvider value={editor}>
      <EditorToolbar
        document={shown}
        saveState={saveState}
        errors={linted.errors}
        warnings={count - linted.errors}
        canUndo={state.history.past.length > 0}
        canRedo={state.history.future.length > 0}
        canPublish={scorecard.has_draft || saveState.kind !== "saved"}
        onUndo={() => state.undo(t("undone"))}
        onRedo={() => state.redo(t("redone"))}
        onFindings={() => setPart("findings")}
        onRetry={saver.retry}
        onPublish={() => void publish()}
      />
      {saveState.kind === "conflict" && (
        <Alert
          color="orange"
          variant="light"
          mb="md"
          icon={<Icon name="warning" />}
          title={t("conflict")}
          role="alert"
          className={classes.conflict}
        >
          {t("conflictDetail")}
          <Group gap="sm" mt="sm">
            <Button size="xs" loading={conflict.isLoading} onClick={() => void conflict.loadTheirs()}>
              {t("loadTheirs")}
            </Button>
            <Button size="xs" variant="default" onClick={() => void saver.overwrite(saveState.number)}>
              {t("keepMine")}
            </Button>
          </Group>
        </Alert>
      )}
      {!isWide && (
        <PanelChoice
          value={part}
          onChange={setPart}
          data={[
            { value: "edit", label: t("edit") },
            { value: "preview", label: t("preview") },
            { value: "findings", label: t("checksCount", { count }) },
          ]}
        />
      )}
      <div className={columns.columns}>
        {(isWide || part === "edit") && <FormFields document={document} open={state.open} findings={findings} />}
        {isWide && (
          <aside className={columns.side} aria-label={t("previewAndChecks")}>
            <Tabs value={side} onChange={(value) => setPart(value as Part)} keepMounted variant="pills">
              <Tabs.List mb="sm" className={classes.sideTabs}>
                <Tabs.Tab value="preview">{t("preview")}</Tabs.Tab>
                <Tabs.Tab value="findings">{t("checksCount", { count })}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="preview">
                <Preview document={preview} />
              </Tabs.Panel>
              <Tabs.Panel value="findings">{findingList}</Tabs.Panel>
            </Tabs>
          </aside>
        )}
        {!isWide && part === "preview" && <Preview document={preview} />}
        {!isWide && part === "findings" && findingList}
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

/** Loads the draft that was saved elsewhere. The own state stays in the history: undo brings it back. */
function useConflict(id: string, saver: Saver, load: (document: DraftDocument) => void) {
  const reload = useReloadScorecard(id);
  const problem = useProblemText();
  const queries = useQueryClient();
  const [isLoading, setLoading] = useState(false);
  const loadTheirs = async () => {
    setLoading(true);
    try {
      const scorecard = await reload();
      const { draft, latest_version: version } = scorecard;
      const published =
        draft || version === null ? undefined : await queries.fetchQuery(scorecardQueries.version(id, version));
      const theirs = readDraft(draft?.document ?? published?.document ?? { sections: [] });
      if (!theirs) return window.location.reload();
      saver.reset(theirs, scorecard.draft_number ?? 0);
      load(theirs);
    } catch (error) {
      toastProblem(problem(error));
    } finally {
      setLoading(false);
    }
  };
  return { isLoading, loadTheirs };
}
