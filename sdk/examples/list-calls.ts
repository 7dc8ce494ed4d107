// Prints last week's calls that are ready, newest first, and saves the audio of the first one.
import { createWriteStream } from "node:fs";
import { Writable } from "node:stream";
import { createClient } from "@hearback/sdk";

const { HEARBACK_URL = "", HEARBACK_API_KEY = "", CAMPAIGN_ID = "" } = process.env;
const [audioFile = "call.m4a"] = process.argv.slice(2);
const client = createClient({ baseUrl: HEARBACK_URL, apiKey: HEARBACK_API_KEY });

const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
let saved = false;
// Iterates over all pages; each page is fetched when needed.
for await (const call of client.calls.search({ campaign: CAMPAIGN_ID, from: lastWeek, status: "ready", limit: 200 })) {
  console.log(call.conversation_time, call.agent.email, call.recording.duration_ms, call.id);
  if (!saved) {
    const { body } = await client.calls.audio(call.id);
    await body.pipeTo(Writable.toWeb(createWriteStream(audioFile)));
    saved = true;
  }
}
