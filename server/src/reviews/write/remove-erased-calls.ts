import { sql } from "kysely";
import { callsErased } from "../../calls/hooks.ts";
import { onHook } from "../../platform/hooks.ts";

/** Deletes drafts about erased calls, and what submitted reviews quote of them. */
export const removeErasedCalls = onHook(callsErased, async (tx, { callIds }) => {
  await sql`select remove_calls_from_reviews(${[...callIds]}::uuid[])`.execute(tx);
});
