import { createClient } from "@hearback/sdk";
import { limitHeapGrowth } from "../../manifest/limit-heap-growth.ts";
import { openAdaptiveConcurrency } from "../concurrency/adaptive-concurrency.ts";
import { importEntries } from "../import-entries.ts";
import { openJournal } from "../journal/journal.ts";
import { startProgress } from "../progress.ts";
import { generateEntries } from "./make-entries.ts";

/** Runs an import in a child process, to be killed or measured. Prints counts, time and memory. */
const [url = "", folder = "", path = "", count = "0", max = "16"] = process.argv.slice(2);

limitHeapGrowth();
const apiKey = "key";
const client = createClient({ baseUrl: url, apiKey, retries: { attempts: 1 } });
const journal = await openJournal({ folder, service: url, apiKey });
const concurrency = openAdaptiveConcurrency({ max: Number(max) });
const progress = startProgress({ phase: "importing", total: Number(count), totalBytes: 0 }, concurrency);
const started = performance.now();
const before = process.cpuUsage();
const entries = generateEntries(path, Number(count));
const counts = await importEntries({ client, entries, journal, concurrency, progress, onFailure: () => {} });
const { user, system } = process.cpuUsage(before);
await journal.close();

const seconds = (performance.now() - started) / 1000;
const maxRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ ...counts, seconds, cpuMs: (user + system) / 1000, maxRssMb })}\n`);
