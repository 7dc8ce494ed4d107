import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openTcpProxy } from "../testing/servers/tcp-proxy.ts";
import { openTestApp } from "../testing/test-app.ts";
import { runWorker } from "../worker.ts";
import { closeApp, openApp } from "./app.ts";
import { openMetrics } from "./metrics.ts";
import { outageLog } from "./outage-log.ts";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly hidden?: Readonly<Record<string, number>>;
}

function openTestLog(options?: Parameters<typeof outageLog>[0]) {
  const lines: Line[] = [];
  const hooks = { logMethod: outageLog(options) };
  const log = pino({ level: "info", base: null, hooks }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

const refused = () => Object.assign(new Error("refused"), { code: "ECONNREFUSED" });

test("connection errors are written once, then counted by message; other lines are written", async () => {
  const { log, lines } = openTestLog({ summaryMs: 100, quietMs: 1_000 });
  for (let n = 0; n < 50; n++) log.warn({ err: refused() }, "could not relay jobs");
  // As pg-boss reports it.
  log.error({ err: { ...refused(), message: "refused" } }, "queue failed");
  log.warn({ err: Object.assign(new Error("deadlock"), { code: "40P01" }) }, "could not store");
  log.info({ err: undefined }, "api ready");
  expect(lines.map(({ msg }) => msg)).toEqual(["could not relay jobs", "could not store", "api ready"]);
  await expect.poll(() => lines.at(-1)?.msg, { timeout: 20_000 }).toBe("no more connection errors");
  const summaries = lines.slice(3);
  const hidden = summaries.flatMap((line) => Object.entries(line.hidden ?? {}));
  expect(hidden).toEqual([
    ["could not relay jobs", 49],
    ["queue failed", 1],
  ]);
  log.warn({ err: refused() }, "could not relay jobs");
  expect(lines.at(-1)?.msg).toBe("could not relay jobs");
});

const { app } = await openTestApp();

test("a worker without database writes one line", async () => {
  const { log, lines } = openTestLog();
  const proxy = await openTcpProxy(app.config.database.url);
  const database = { ...app.config.database, url: proxy.url(app.config.database.url) };
  const cut = openApp({ ...app.config, database }, { log, metrics: openMetrics(), handlers: app.handlers });
  const worker = await runWorker(cut);
  lines.length = 0;
  proxy.close();
  // Two polls of everything.
  await sleep(2_500);
  expect(lines.map(({ level }) => level)).toEqual([expect.any(Number)]);
  await worker.stop();
  await closeApp(cut);
});
