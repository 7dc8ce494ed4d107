import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo } from "react";
import { isAnswered } from "../review-form/review-form.tsx";
import { withoutEmptyStamp } from "./moments/moments.ts";
import type { Draft } from "./saving/open-draft.ts";

interface FormFocusOptions {
  readonly form: RefObject<HTMLDivElement | null>;
  readonly draft: Draft;
  readonly answer: (question: string, answer: Answer | undefined) => void;
}

export type FormFocus = ReturnType<typeof openFormFocus>;

/** The current question, which keys apply to. */
export function useFormFocus(options: FormFocusOptions): FormFocus {
  const { form, draft, answer } = options;
  const focus = useMemo(() => openFormFocus({ form, draft, answer }), [form, draft, answer]);
  // Marked, but not focused: opening the page must not scroll it.
  useEffect(() => focus.markFirst(), [focus]);
  return focus;
}

const fields = "textarea, input:not([type=radio], [type=checkbox])";
const choices = "input[type=radio], input[type=checkbox]";

/** Works on elements, because rendering 150 questions to move a mark would be slow. */
function openFormFocus({ form, draft, answer }: FormFocusOptions) {
  let current: string | undefined;
  const cards = () => [...(form.current?.querySelectorAll<HTMLElement>("[data-question]") ?? [])];
  const cardOf = (id: string | undefined) => cards().find((card) => card.dataset.question === id);
  const cardAt = (target: EventTarget) => (target as Element).closest<HTMLElement>("[data-question]");

  function mark(card: HTMLElement | null | undefined) {
    if (!card) return;
    for (const other of cards()) if (other !== card) delete other.dataset.current;
    card.dataset.current = "";
    current = card.dataset.question;
  }

  function focusCard(card: HTMLElement | null | undefined) {
    if (!card) return;
    mark(card);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  const move = (step: 1 | -1) => {
    const all = cards();
    const at = all.findIndex((card) => card.dataset.question === current);
    focusCard(all[Math.max(0, Math.min(all.length - 1, at + step))]);
  };

  const editField = (selector: string) => {
    const field = cardOf(current)?.querySelector<HTMLInputElement>(selector);
    field?.focus();
    if (field && field.type !== "number") field.setSelectionRange(field.value.length, field.value.length);
    return field !== null && field !== undefined;
  };

  return {
    current: () => current,
    move,
    moveTo: (question: string) => focusCard(cardOf(question)),
    markFirst() {
      const { answers } = draft.state();
      const open = cards().find(({ dataset }) => !isAnswered(answerTo(answers, dataset.question ?? "")));
      mark(cardOf(current) ?? open ?? cards()[0]);
    },
    editComment: () => editField("[data-comment]"),
    /** Focuses the field of a question that is answered by typing. */
    editAnswer: () => editField(`${fields}:not([data-comment])`),
    handlers: {
      onFocus: ({ target }: FocusEvent) => mark(cardAt(target)),
      onBlur({ target }: FocusEvent) {
        if (!target.matches("[data-comment]")) return;
        const question = cardAt(target)?.dataset.question ?? "";
        const { comment, ...rest } = answerTo(draft.state().answers, question) ?? {};
        const kept = withoutEmptyStamp(comment ?? "");
        if (comment !== undefined && kept !== comment)
          answer(question, kept === "" ? rest : { ...rest, comment: kept });
      },
      onMouseDown(event: MouseEvent) {
        const card = cardAt(event.target);
        const label = (event.target as Element).closest("label");
        if (label?.querySelector(choices)) {
          // The card gets the focus, not the option: the space bar still plays and pauses.
          event.preventDefault();
          mark(card);
          card?.focus({ preventScroll: true });
        } else mark(card);
      },
      onKeyDown(event: KeyboardEvent) {
        const target = event.target as Element;
        if (event.key === "Escape" && target.matches(fields)) {
          event.preventDefault();
          focusCard(cardAt(target));
        } else if (target.matches(choices) && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
          // Left and right move between the options.
          event.preventDefault();
          move(event.key === "ArrowUp" ? -1 : 1);
        } else if (event.key === "Enter" && target.matches("input[type=number]")) {
          event.preventDefault();
          move(1);
        }
      },
    },
  };
}
