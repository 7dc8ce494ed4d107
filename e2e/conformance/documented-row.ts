import type { Answer } from "../support/http/http.ts";
import type { Service } from "../support/http/service.ts";
import type { Stack } from "../support/stack/stack.ts";

/** Overrides of an operation's documented request. */
export interface RequestOverrides {
  /** Path parameters; random if absent. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** A JSON body instead of the documented example, or the parts of a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the key with all scopes; null: no key. */
  readonly apiKey?: string | null;
  readonly baseUrl?: string;
}

/** A running service, a key with all scopes, and a function that calls an operation by its id. */
export interface TestContext {
  readonly stack: Stack;
  readonly service: Service;
  ask<Body = unknown>(operation: string, overrides?: RequestOverrides): Promise<Answer<Body>>;
}

/** How to provoke a documented status. Rows run in order: later rows can use what earlier ones created. */
export interface Row {
  readonly operation: string;
  readonly status: number;
  readonly provoke: (context: TestContext) => Promise<Answer>;
}

export const row = (operation: string, status: number, provoke: Row["provoke"]): Row => ({
  operation,
  status,
  provoke,
});
