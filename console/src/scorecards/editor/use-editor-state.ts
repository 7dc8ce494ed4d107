import type { ScorecardDocument } from "@hearback/scoring/document";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { DraftDocument } from "../draft/draft-document.ts";
import { type History, record, redo, startHistory, undo } from "../draft/history.ts";
import type { Editor, Effects } from "./editor-context.ts";

interface EditorState {
  readonly history: History<DraftDocument>;
  /** Id of the expanded question, or "settings". */
  readonly open: string | null;
  readonly announcement: string;
  readonly focus?: { readonly key: string | undefined; readonly keep: Element | null } | undefined;
}

/** The document with its history, the expanded question, and the focus after a change. */
export function useEditorState(initial: DraftDocument, latest: ScorecardDocument | undefined) {
  const [state, setState] = useState<EditorState>(() => ({
    history: startHistory(initial),
    open: null,
    announcement: "",
  }));
  const latestState = useRef(state);
  latestState.current = state;
  const published = useRef(latest);
  published.current = latest;

  useLayoutEffect(() => {
    if (!state.focus) return;
    const { key, keep } = state.focus;
    const isKept = keep instanceof HTMLElement && keep.isConnected && keep !== document.body;
    const target = isKept ? keep : key && document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(key)}"]`);
    if (!target) return;
    target.focus({ preventScroll: true });
    scrollTo(target);
  }, [state.focus]);

  const actions = useMemo(() => {
    const question = (id: string) =>
      published.current?.sections.flatMap(({ questions }) => questions).find((each) => each.id === id);
    const apply: Editor["apply"] = (operation, effects = {}) =>
      setState((before) => {
        const document = operation(before.history.present);
        if (document === before.history.present) return before;
        const history = record(before.history, document, { about: effects.about, at: Date.now() });
        return { ...before, ...after(before, document, effects), history };
      });
    const editor: Editor = {
      apply,
      open: (id, focus) =>
        setState((before) => ({ ...before, open: id, focus: focus ? { key: focus, keep: null } : undefined })),
      current: () => latestState.current.history.present,
      isPublishedOption: (id, option) => {
        const known = question(id);
        return known !== undefined && "options" in known && known.options.some((each) => each.id === option);
      },
      isPublishedQuestion: (id) => question(id) !== undefined,
    };
    const travel = (step: typeof undo, announcement: string) =>
      setState((before) => {
        const history = step(before.history);
        return history === before.history
          ? before
          : { ...before, history, announcement, focus: { key: undefined, keep: document.activeElement } };
      });
    return {
      editor,
      undo: (announcement: string) => travel(undo, announcement),
      redo: (announcement: string) => travel(redo, announcement),
      /** Replaces the document, as one step of the history. */
      load: (document: DraftDocument) => apply(() => document),
    };
  }, []);
  return { ...state, ...actions, document: state.history.present };
}

/** Scrolls to the element, with all fields of a question that was opened if they fit. */
function scrollTo(target: HTMLElement): void {
  const item = target.closest<HTMLElement>("[data-open]") ?? target;
  const { bottom } = item.getBoundingClientRect();
  item.scrollIntoView({ block: item !== target && bottom > window.innerHeight ? "start" : "nearest" });
}

function after(before: EditorState, document: DraftDocument, effects: Effects): Partial<EditorState> {
  const { announce, focus, keep = null, open } = effects;
  const key = typeof focus === "function" ? focus(document) : focus;
  return {
    announcement: announce?.(document) ?? before.announcement,
    focus: key !== undefined || keep ? { key, keep } : undefined,
    ...(open !== undefined && { open }),
  };
}
