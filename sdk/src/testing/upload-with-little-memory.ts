// Uploads 100 MB from a file and prints how much memory the process ever had more than before.
import { createClient } from "../index.ts";
import { recordingFile } from "../recording-file.ts";

const [baseUrl = "", path = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: "key" });
const upload = async () => {
  const file = await recordingFile(path);
  await client.calls.import({ file, campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 });
};
const before = process.memoryUsage.rss();
let most = before;
const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
await upload();
clearInterval(look);
process.stdout.write(String(Math.round((most - before) / 1024 / 1024)));
