import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { entryKey } from "../entry-key.ts";
import { openJournal } from "../journal.ts";
import { idOf } from "./play-service.ts";
import { manyEntries } from "./some-entries.ts";

/** Notes the first entries over one file as imported, as if a run before had done it. */
const [url = "", folder = "", path = "", count = "0"] = process.argv.slice(2);

const journal = await openJournal({ folder, service: url, apiKey: "key" });
const sha256 = hash("sha256", path);
for await (const entry of manyEntries(path, Number(count))) {
  const id = idOf(entry.campaignId, entry.agentEmail, entry.happenedAt, sha256);
  journal.add({ key: entryKey(entry), line: entry.line, id, sha256, result: "imported" });
  // So that it is written while it is made.
  if (entry.line % 1000 === 0) await setImmediate();
}
await journal.close();
