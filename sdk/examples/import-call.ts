// Imports one recording and shows the progress. Press Ctrl-C to cancel.
//   node import-call.ts recording.wav ann@example.com 2026-11-15T09:30:00+01:00
import { createClient, ServiceError } from "@hearback/sdk";
import { recordingFile } from "@hearback/sdk/node";

const { HEARBACK_URL = "", HEARBACK_API_KEY = "", CAMPAIGN_ID = "" } = process.env;
const [path = "", agentEmail = "", time = ""] = process.argv.slice(2);
const client = createClient({ baseUrl: HEARBACK_URL, apiKey: HEARBACK_API_KEY });

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const call = await client.calls.import({
    file: await recordingFile(path), // streamed, so a large file needs little memory
    campaignId: CAMPAIGN_ID,
    agentEmail,
    happenedAt: new Date(time),
    metadata: { call_direction: "inbound", client_phone: "+33123456789" },
    signal: stop.signal,
    onProgress: ({ sentBytes, totalBytes }) => console.log(`${Math.floor((sentBytes / totalBytes) * 100)}%`),
  });
  console.log(call.duplicate ? "already imported:" : "imported:", call.id);
} catch (error) {
  if (stop.signal.aborted) console.error("cancelled; it is safe to import it again");
  // Temporary failures were already retried. The message says what to fix.
  else if (error instanceof ServiceError) console.error(`${error.code}: ${error.message} (${error.requestId})`);
  else throw error;
  process.exitCode = 1;
}
