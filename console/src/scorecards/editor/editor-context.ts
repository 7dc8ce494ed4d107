import { createContext, use } from "react";
import type { DraftDocument } from "../draft/draft-document.ts";

export interface Effects {
  /** The field that a change is about. Quick changes of the same field are one step of the history. */
  readonly about?: string;
  /** Text for screen readers about the new document. */
  readonly announce?: (document: DraftDocument) => string;
  /** Element that gets the focus, see `data-focus`. */
  readonly focus?: string | ((document: DraftDocument) => string | undefined);
  /** Element that keeps the focus if it is still there. */
  readonly keep?: Element | null;
  /** Question that is opened. null: none. */
  readonly open?: string | null;
}

type Operation = (document: DraftDocument) => DraftDocument;

/** Actions for the parts of the editor. The same object for the lifetime of the editor, so that it causes no rendering. */
export interface Editor {
  readonly apply: (operation: Operation, effects?: Effects) => void;
  readonly open: (question: string | null, focus?: string) => void;
  /** The current document, for event handlers. */
  readonly current: () => DraftDocument;
  /** Whether an option is part of the published version. Its id stays. */
  readonly isPublishedOption: (question: string, option: string) => boolean;
  readonly isPublishedQuestion: (question: string) => boolean;
}

const Context = createContext<Editor | undefined>(undefined);

export const EditorProvider = Context;

export function useEditor(): Editor {
  const editor = use(Context);
  if (!editor) throw new Error("the editor's parts need an EditorProvider");
  return editor;
}
