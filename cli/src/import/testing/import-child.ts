import { createClient } from "@hearback/sdk";
import { keepHeapSmall } from "../../manifest/keep-heap-small.ts";
import { importEntries } from "../import-entries.ts";
import { openJournal } from "../journal.ts";
import { openPace } from "../pace.ts";
import { startProgress } from "../progress.ts";
import { manyEntries } from "./some-entries.ts";

/** An import in a process of its own: killed, measured, or both. Says what it took when it is done. */
const [url = "", folder = "", path = "", count = "0", most = "16"] = process.argv.slice(2);

keepHeapSmall();
const apiKey = "key";
const client = createClient({ baseUrl: url, apiKey, retries: { attempts: 1 } });
const journal = await openJournal({ folder, service: url, apiKey });
const pace = openPace({ most: Number(most) });
const progress = startProgress({ phase: "importing", total: Number(count), totalBytes: 0 }, pace);
const started = performance.now();
const before = process.cpuUsage();
const entries = manyEntries(path, Number(count));
const counts = await importEntries({ client, entries, journal, pace, progress, onFailure: () => {} });
const { user, system } = process.cpuUsage(before);
await journal.close();

const seconds = (performance.now() - started) / 1000;
const maxRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ ...counts, seconds, cpuMs: (user + system) / 1000, maxRssMb })}\n`);
