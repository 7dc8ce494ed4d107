import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { send } from "../support/http/http.ts";
import { openRaw, type RawConnection } from "../support/http/raw-http.ts";
import { importCall } from "../support/http/service.ts";
import { alive, openConnections } from "../support/measuring/machine.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { scale, seed } from "../support/run-scale.ts";
import { type ApiProcess, engine, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, say, until } from "../support/waiting.ts";
import { corpus } from "./corpus.ts";
import { type Mutant, makeMutant } from "./mutants.ts";

// The parser is the same for both engines. S3 stores valid bodies more slowly, so it gets fewer mutants.
const mutants = scale(2_500, 10_000, 1_000_000) / (engine === "filesystem" ? 1 : 5);
const lanes = 64;
/** For a change, only against waiting forever: other tests run beside it. */
const patienceMs = scale(60_000, 5_000, 5_000);

let stack: Stack;
let store: Store;
let api: ApiProcess;
/** Keep-alive connections of this process, from the readiness checks. */
let ownConnections: number;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  // No request log: the test keeps the log in memory.
  api = await stack.startApi({ env: { LOG_LEVEL: "warn" } });
  ownConnections = await openConnections(api.port);
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

/** Invariants of the process after any input. */
async function expectUnharmed(): Promise<void> {
  expect(alive(api.pid), `it ended: ${api.log().slice(-3_000)}`).toBe(true);
  await until("no connection is open", patienceMs, async () => (await openConnections(api.port)) <= ownConnections);
  expect(api.log()).not.toMatch(/unhandled|uncaught/i);
  expect((await send(`${api.baseUrl}/readyz`, { method: "GET" })).status).toBe(200);
  await importCall(serviceAt(stack, api.port));
}

describe("the corpus", () => {
  test.each(corpus)("$name: $about", async ({ bytes, expected }) => {
    const connection = await openRaw(api.port);
    try {
      const sending = connection.send(bytes({ host: `127.0.0.1:${api.port}`, ...stack }));
      expect(await connection.waitForAnswers(1, patienceMs), "answered or closed in time").toBe(true);
      const [answer] = connection.answers;
      if (expected === "any") expect(answer?.status ?? 400).toBeLessThan(500);
      else expect(String(answer?.status)).toMatch(new RegExp(`^${expected.replaceAll("x", "\\d")}$`));
      expect(connection.answers).toHaveLength(answer ? 1 : 0);
      connection.close();
      await sending;
    } finally {
      connection.close();
    }
  });

  test("leaves the process unharmed", expectUnharmed);
});

interface Outcome {
  readonly status: string;
  /** Problem with the response; undefined if none. */
  readonly fault: string | undefined;
  /** Whether the whole request was sent, so that the connection can be reused. */
  readonly complete: boolean;
}

async function exchange(connection: RawConnection, mutant: Mutant): Promise<Outcome> {
  const before = connection.answers.length;
  const over = () => connection.answers.length > before || connection.ended();
  await connection.send(mutant.head);
  let complete = !mutant.short;
  for (const piece of mutant.writes) {
    if (over()) {
      complete = false;
      break;
    }
    await Promise.race([connection.send(piece), connection.waitForAnswers(before + 1, patienceMs)]);
  }
  if (mutant.short) connection.socket.end();
  const inTime = await connection.waitForAnswers(before + 1, patienceMs);
  const answers = connection.answers.slice(before);
  const [answer] = answers;
  const fault = !inTime
    ? "neither answered nor closed"
    : answers.length > 1
      ? `${answers.length} answers`
      : answer && answer.status >= 500
        ? `${answer.status} ${answer.body}`
        : undefined;
  return { status: String(answer?.status ?? "closed"), fault, complete };
}

/** Keep-alive connections that serve several requests in sequence. */
function keptConnections() {
  const idle: RawConnection[] = [];
  return {
    async take(): Promise<RawConnection> {
      const kept = idle.pop();
      return kept && !kept.ended() ? kept : openRaw(api.port);
    },
    giveBack(used: RawConnection): void {
      const goesOn = used.answers.at(-1)?.headers.get("connection") !== "close";
      if (goesOn && !used.ended() && used.answers.length < 50) idle.push(used);
      else used.close();
    },
    close(): void {
      for (const connection of idle) connection.close();
    },
  };
}

/** Saves a failing mutant as sent. */
async function keep(mutant: Mutant, n: number): Promise<void> {
  const folder = join(process.env.E2E_DIR ?? ".data/e2e", "mutants");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${seed}-${n}`), Buffer.concat([Buffer.from(mutant.head), mutant.body]));
}

test(`${mutants} mutated bodies cause no crash, hang or 5xx`, { timeout: 6 * 3_600_000 }, async () => {
  say(`seed ${seed}`);
  const service = serviceAt(stack, api.port);
  const wrong: string[] = [];
  const statuses = new Map<string, number>();
  const connections = keptConnections();
  await inParallel(mutants, lanes, async (n) => {
    // Stop after a few failures: every hang costs the whole patience.
    if (wrong.length >= 20) return;
    const mutant = makeMutant(service, seed, n);
    const connection = await connections.take();
    const { status, fault, complete } = await exchange(connection, mutant);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (fault) {
      wrong.push(`seed ${seed}, mutant ${n} (${mutant.story}): ${fault}`);
      await keep(mutant, n);
    }
    if (fault || !complete || n % 3 === 0) connection.close();
    else connections.giveBack(connection);
  });
  connections.close();
  say([...statuses].map(([status, count]) => `${count} × ${status}`).join(", "));
  expect(wrong).toEqual([]);
  await expectUnharmed();
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});
