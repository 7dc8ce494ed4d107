// Imports one recording, shows how far it is, and can be stopped with Ctrl-C:
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
    file: await recordingFile(path), // read while it is sent, however long it is
    campaignId: CAMPAIGN_ID,
    agentEmail,
    happenedAt: new Date(time),
    metadata: { call_direction: "inbound", client_phone: "+33123456789" },
    signal: stop.signal,
    onProgress: ({ sentBytes, totalBytes }) => console.log(`${Math.floor((sentBytes / totalBytes) * 100)} %`),
  });
  console.log(call.duplicate ? "was imported before:" : "imported:", call.id);
} catch (error) {
  if (stop.signal.aborted) console.error("stopped; sending it again is safe");
  // What passes was sent again already. What is left needs somebody: the message says what to mend.
  else if (error instanceof ServiceError) console.error(`${error.code}: ${error.message} (${error.requestId})`);
  else throw error;
  process.exitCode = 1;
}
