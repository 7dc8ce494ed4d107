import { sql } from "kysely";
import { callsErased } from "../../calls/hooks.ts";
import { onHook } from "../../platform/hooks.ts";

/** Skips the assignments of erased calls. */
export const skipErased = onHook(callsErased, async (tx, { callIds }) => {
  await sql`select skip_assignments_of(${[...callIds]}::uuid[])`.execute(tx);
});
