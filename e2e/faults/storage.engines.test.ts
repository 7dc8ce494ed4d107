import { afterAll, beforeAll, test } from "vitest";
import { interruptUnderLoad } from "../support/load/interruption.ts";
import { full } from "../support/run-scale.ts";
import { killGateway, startGateway } from "../support/stack/engines.ts";
import { engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";

const times = full ? 20 : 3;
let stack: Stack;

beforeAll(async () => {
  if (engine === "s3") stack = await openStack(undefined, unlimited);
});
afterAll(async () => {
  if (engine === "s3") await startGateway();
  await stack?.stop();
});

test.runIf(engine === "s3")(
  `the S3 gateway is killed ${times} times under load: only 503, nothing lost`,
  { timeout: 60_000 + times * 60_000 },
  () => interruptUnderLoad(stack, { times, interrupt: killGateway, recover: startGateway }),
);
