// Prints the result of every call's preparation. Resumes where it stopped when it is started again.
import { readFile, rename, writeFile } from "node:fs/promises";
import { createClient } from "@hearback/sdk";

const { HEARBACK_URL = "", HEARBACK_API_KEY = "" } = process.env;
const [cursorFile = "last-event"] = process.argv.slice(2);
const client = createClient({ baseUrl: HEARBACK_URL, apiKey: HEARBACK_API_KEY });

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());

const cursor = await readFile(cursorFile, "utf8").catch(() => undefined);
for await (const event of client.events.follow({ type: ["call.ready", "call.failed"], cursor, signal: stop.signal })) {
  console.log(event.type, event.data.call_id);
  // Saved after processing: after a crash, the last event is delivered again and none is missed.
  await writeFile(`${cursorFile}.new`, event.id);
  await rename(`${cursorFile}.new`, cursorFile);
}
