// Uploads a file and then a larger one, and prints how many MiB the process grew by while it sent the second.
import { createClient } from "../index.ts";
import { recordingFile } from "../recording-file.ts";

const [baseUrl = "", ...paths] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "key" });
let before = 0;
let most = 0;
const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
for (const path of paths) {
  before = process.memoryUsage.rss();
  most = before;
  const file = await recordingFile(path);
  await client.calls.import({ file, campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 });
}
clearInterval(look);
process.stdout.write(String(Math.round((most - before) / 1024 / 1024)));
