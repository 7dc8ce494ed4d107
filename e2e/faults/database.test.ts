import { afterAll, beforeAll, test } from "vitest";
import { interruptUnderLoad } from "../support/load/interruption.ts";
import { full } from "../support/run-scale.ts";
import { crashPostgres, startPostgres } from "../support/stack/engines.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";

const times = full ? 20 : 3;
let stack: Stack;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
});
afterAll(async () => {
  await startPostgres();
  await stack?.stop();
});

test(`PostgreSQL crashes ${times} times under load: only 503, nothing lost`, { timeout: 60_000 + times * 60_000 }, () =>
  interruptUnderLoad(stack, { times, interrupt: crashPostgres, recover: startPostgres }),
);
