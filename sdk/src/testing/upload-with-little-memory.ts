// Uploads a file, then a larger one, and prints by how many MiB the process grew during the second upload.
import { createClient } from "../index.ts";
import { recordingFile } from "../recording-file.ts";

const [baseUrl = "", ...paths] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "key" });
let before = 0;
let peak = 0;
const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
for (const path of paths) {
  before = process.memoryUsage.rss();
  peak = before;
  const file = await recordingFile(path);
  await client.calls.import({ file, campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 });
}
clearInterval(sampler);
process.stdout.write(String(Math.round((peak - before) / 1024 / 1024)));
