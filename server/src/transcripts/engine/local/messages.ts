import type { HeardWord } from "../engine.ts";

/** Messages between the worker and the process that recognises speech. */
export interface RecogniserRequest {
  readonly id: number;
  readonly samples: Int16Array;
  readonly language: string;
}

export type RecogniserAnswer =
  | { readonly ready: string }
  | { readonly id: number; readonly words: readonly HeardWord[] }
  | { readonly id: number; readonly problem: string };
