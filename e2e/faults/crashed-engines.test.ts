import { afterAll, beforeAll, describe, test } from "vitest";
import { interruptUnderLoad } from "../support/load/interruption.ts";
import { scale } from "../support/run-scale.ts";
import { crashPostgres, killGateway, startGateway, startPostgres } from "../support/stack/engines.ts";
import { engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";

const times = scale(2, 3, 20);
let stack: Stack;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
});
afterAll(async () => {
  await startPostgres();
  if (engine === "s3") await startGateway();
  await stack?.stop();
});

describe("under load, clients get only 503 and nothing is lost", { timeout: 60_000 + times * 60_000 }, () => {
  test(`PostgreSQL crashes (${times}x)`, () =>
    interruptUnderLoad(stack, { times, interrupt: crashPostgres, recover: startPostgres }));

  test.runIf(engine === "s3")(`the S3 gateway is killed (${times}x)`, () =>
    interruptUnderLoad(stack, { times, interrupt: killGateway, recover: startGateway }),
  );
});
