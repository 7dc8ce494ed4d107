import type { App, Handler } from "./app.ts";
import type { Db } from "./database/database.ts";

/** Something that happens in one domain, and changes rows of others in the same transaction. Defined by the domain where it happens. */
export interface Hook<Input> {
  readonly name: string;
  /** Type-only: what the handlers get. */
  readonly input?: Input;
}

export const defineHook = <Input>(name: string): Hook<Input> => ({ name });

/** Takes effect when `server/src/handlers.ts` lists it. */
export const onHook = <Input>(
  hook: Hook<Input>,
  handle: (tx: Db, input: Input, app: App) => Promise<void>,
): Handler => ({
  hook,
  handle,
});

/** Calls the handlers of the hook one after the other, in the order of their list, which is the order of locks. */
export async function runHandlers<Input>(app: App, tx: Db, hook: Hook<Input>, input: Input): Promise<void> {
  for (const handler of await app.handlers()) if (handler.hook === hook) await handler.handle(tx, input as never, app);
}
