// Prints the calls of the last week that can be heard, newest first, and saves the first one's sound.
import { createWriteStream } from "node:fs";
import { Writable } from "node:stream";
import { createClient } from "@hearback/sdk";

const { HEARBACK_URL = "", HEARBACK_API_KEY = "", CAMPAIGN_ID = "" } = process.env;
const [soundFile = "call.m4a"] = process.argv.slice(2);
const client = createClient({ baseUrl: HEARBACK_URL, apiKey: HEARBACK_API_KEY });

const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
let saved = false;
// Goes through all pages: the next one is fetched when you get there.
for await (const call of client.calls.search({ campaign: CAMPAIGN_ID, from: lastWeek, status: "ready", limit: 200 })) {
  console.log(call.conversation_time, call.agent.email, call.recording.duration_ms, call.id);
  if (!saved) {
    const { body } = await client.calls.audio(call.id);
    await body.pipeTo(Writable.toWeb(createWriteStream(soundFile)));
    saved = true;
  }
}
