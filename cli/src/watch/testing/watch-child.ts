import { createClient } from "@hearback/sdk";
import { openAdaptiveConcurrency } from "../../import/concurrency/adaptive-concurrency.ts";
import { openPlan } from "../read-plan.ts";
import { watchFolder } from "../watch-folder.ts";

/** Runs a watcher in a child process, to be killed. Prints one event per line. */
const [url = "", root = "", moveTo = "", settleMs = "300"] = process.argv.slice(2);

const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
const plan = await openPlan({
  mapping: {},
  pattern: "{agent_email}_{time:yyyyMMddHHmmss}.wav",
  hasSidecar: false,
  agentsFile: undefined,
  campaign: "support",
  timeFormat: undefined,
  timeZone: "Europe/Paris",
  ambiguous: undefined,
});
await watchFolder({
  root,
  except: new Set(),
  client: createClient({ baseUrl: url, apiKey: "key", retries: { attempts: 1 } }),
  concurrency: openAdaptiveConcurrency({ max: 4, giveUpAfterMs: Number.POSITIVE_INFINITY }),
  plan,
  done: moveTo === "" ? { how: "mark" } : { how: "move", folder: moveTo },
  failedFolder: undefined,
  sidecar: undefined,
  settleMs: Number(settleMs),
  everyMs: 200,
  once: false,
  createAgents: false,
  statusFile: undefined,
  emit: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
  signal: stopping.signal,
});
