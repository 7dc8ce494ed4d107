// Baseline for the service's filesystem storage: writes a body to a new file, syncs file and folder, and responds 200.
//
//   node bench/bare-filesystem.ts FOLDER      prints its address
import { createServer } from "node:http";
import { listen } from "./support/listen.ts";
import { openFileStore } from "./support/store-file.ts";

const dir = process.argv[2];
if (!dir) throw new Error("usage: node bench/bare-filesystem.ts FOLDER");
const store = await openFileStore(dir);

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on("data", (chunk: Buffer) => body.push(chunk));
  // Not emitted for a truncated body.
  request.on("end", async () => {
    await store(body);
    response.end();
  });
});
console.log(await listen(server));
