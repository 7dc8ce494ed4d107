// Baseline for the service's filesystem storage: writes a body to a new file, syncs file and folder, and responds 200.
// The body is collected and written at once, which was faster than a stream pipeline or writeFile.
//
//   node bench/bare-filesystem.ts FOLDER      prints its address
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

const dir = process.argv[2];
if (!dir) throw new Error("usage: node bench/bare-filesystem.ts FOLDER");
const folder = await open(dir, "r");
let files = 0;

async function store(body: Buffer[]): Promise<void> {
  const file = await open(join(dir ?? "", String(files++)), "wx");
  await file.writev(body);
  await file.sync();
  await file.close();
  await folder.sync();
}

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on("data", (chunk: Buffer) => body.push(chunk));
  // Not emitted for a truncated body.
  request.on("end", async () => {
    await store(body);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) console.log(`http://127.0.0.1:${address.port}`);
});
