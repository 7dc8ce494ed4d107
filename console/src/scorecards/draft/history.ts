/** Undo history of immutable states. */
export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** The field of the last change, and its time. A later change of the same field joins it. */
  readonly last?: { readonly about: string; readonly at: number } | undefined;
}

const maxSteps = 200;
/** Typing without a longer pause is one step. */
const joinMs = 1_500;

export const startHistory = <State>(present: State): History<State> => ({ past: [], present, future: [] });

interface Step {
  /** Absent: never joined with another step. */
  readonly about?: string | undefined;
  readonly at: number;
}

/** Adds a state. It replaces the present one, without a step of its own, if it continues the last change. */
export function record<State>(history: History<State>, state: State, { about, at }: Step): History<State> {
  if (state === history.present) return history;
  const continues = about !== undefined && history.last?.about === about && at - history.last.at < joinMs;
  const past = continues ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present: state, future: [], last: about === undefined ? undefined : { about, at } };
}

export function undo<State>(history: History<State>): History<State> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

export function redo<State>(history: History<State>): History<State> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future };
}
