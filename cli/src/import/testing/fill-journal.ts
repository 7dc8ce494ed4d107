import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { entryKey } from "../entry-key.ts";
import { openJournal } from "../journal/journal.ts";
import { idOf } from "./fake-service.ts";
import { generateEntries } from "./make-entries.ts";

/** Adds the first entries to the journal, as if an earlier run had imported them. */
const [url = "", folder = "", path = "", count = "0"] = process.argv.slice(2);

const journal = await openJournal({ folder, service: url, apiKey: "key" });
const sha256 = hash("sha256", path);
for await (const entry of generateEntries(path, Number(count))) {
  const id = idOf(entry.campaignId, entry.agentEmail, entry.happenedAt, sha256);
  journal.add({ key: entryKey(entry), line: entry.line, id, sha256, result: "imported" });
  // Let the journal flush.
  if (entry.line % 1000 === 0) await setImmediate();
}
await journal.close();
