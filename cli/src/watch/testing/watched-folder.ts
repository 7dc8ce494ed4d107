import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@hearback/sdk";
import { onTestFinished } from "vitest";
import { openAdaptiveConcurrency } from "../../import/concurrency/adaptive-concurrency.ts";
import { type FakeService, openFakeService } from "../../import/testing/fake-service.ts";
import { makeWav } from "../../testing/make-wav.ts";
import { openPlan, type PlanOptions } from "../read-plan.ts";
import type { WatchEvent } from "../watch-event.ts";
import { type WatchOptions, watchFolder } from "../watch-folder.ts";

export const pattern = "{agent_email}_{time:yyyyMMddHHmmss}.wav";
export const nameOf = (second: number) => `ann@example.com_2026030209${String(second).padStart(4, "0")}.wav`;

/** A WAV. Each seed gives different content. */
export const wav = (seed: number, samples = 800): Buffer => makeWav(samples * 2, samples * 2, seed);

export interface Watched {
  readonly service: FakeService;
  readonly folder: string;
  readonly root: string;
}

export async function openWatched(): Promise<Watched> {
  const service = await openFakeService();
  onTestFinished(() => service.close());
  const folder = await mkdtemp(join(tmpdir(), "hearback-watch-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "in");
  await mkdir(root);
  return { service, folder, root };
}

export interface Asked extends Partial<Omit<WatchOptions, "plan">> {
  readonly plan?: Partial<PlanOptions>;
}

/** Starts a watcher. */
export function start({ service, root }: Watched, { plan = {}, ...asked }: Asked = {}) {
  const stopping = new AbortController();
  const events: WatchEvent[] = [];
  const watching = openPlan({
    mapping: {},
    pattern: asked.sidecar === undefined ? pattern : undefined,
    hasSidecar: asked.sidecar !== undefined,
    agentsFile: undefined,
    campaign: "support",
    timeFormat: undefined,
    timeZone: "Europe/Paris",
    ambiguous: undefined,
    ...plan,
  }).then((opened) =>
    watchFolder({
      root,
      except: new Set(),
      client: createClient({ baseUrl: service.url, apiKey: "key", retries: { attempts: 1 } }),
      concurrency: openAdaptiveConcurrency({ max: 4, giveUpAfterMs: Number.POSITIVE_INFINITY }),
      plan: opened,
      done: { how: "mark" },
      failedFolder: undefined,
      sidecar: undefined,
      settleMs: 300,
      everyMs: 100,
      once: false,
      createAgents: false,
      statusFile: undefined,
      emit: (event) => void events.push(event),
      signal: stopping.signal,
      ...asked,
    }),
  );
  const stop = async () => {
    stopping.abort();
    return watching;
  };
  watching.catch(() => {});
  onTestFinished(() =>
    stop().then(
      () => {},
      () => {},
    ),
  );
  return { events, watching, stop };
}

export async function until(holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error("timed out");
}

export const once = (opened: Watched, asked: Asked = {}) =>
  start(opened, { once: true, settleMs: 100, ...asked }).watching;
export const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort();
