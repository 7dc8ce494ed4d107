import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, findCall, get, readWaveform } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { type DecodedSound, decodeSound } from "../support/recordings/decode.ts";
import { type Line, type SpokenCall, speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { dump, expand } from "../support/stack/dumps.ts";
import { type ApiProcess, openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import {
  change,
  localEngine,
  masksOf,
  openSpeechService,
  readText,
  readTranscript,
  type SpeechService,
  type Transcript,
  textOf,
  turnOnTranscription,
  waitForTranscript,
} from "./support/transcripts.ts";

/** The only digits of the call are sensitive. */
const lines: readonly Line[] = [
  { speaker: "agent", text: "Thank you for calling. May I have your card number please?" },
  { speaker: "customer", text: "Yes, it is four nine two nine, one seven three four,", pauseMs: 500 },
  { speaker: "agent", text: "Okay, go on please.", pauseMs: -200 },
  { speaker: "customer", text: "sorry, five six seven eight, nine zero one two.", pauseMs: 700 },
  { speaker: "agent", text: "And the expiry date?", pauseMs: 600 },
  { speaker: "customer", text: "zero four twenty seven.", pauseMs: 500 },
  { speaker: "agent", text: "And the security code on the back of the card?", pauseMs: 600 },
  { speaker: "customer", text: "nine three eight.", pauseMs: 500 },
  { speaker: "agent", text: "Thank you, the payment was received. Have a nice day.", pauseMs: 700 },
  { speaker: "customer", text: "Thank you for your help. Goodbye.", pauseMs: 500 },
];
const numberWords =
  /\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\d+)\b/gi;
const marginMs = 150;
const digitsIn = (text: string) => text.match(numberWords) ?? [];

let stack: Stack;
let store: Store;
let api: ApiProcess;
let worker: ServerProcess;
let speech: SpeechService;
let service: Service;
let receiver: Receiver;
let spoken: SpokenCall;
let callId: string;
let transcript: Transcript;

const soundIsMasked = (id: string) =>
  until("the sound is masked", 180_000, async () => (await readTranscript(service, id)).sound_masked, 200);

beforeAll(async () => {
  spoken = await speakTelephoneCall(lines);
  receiver = await openReceiver();
  stack = await openStack(undefined, { ...(await localEngine()), WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
  store = openStore(stack);
  api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl, { masking: "text_and_sound" });
  service = speech.service;
  await speech.client.createWebhook(receiver.url);
  worker = await stack.startWorker();
  callId = (await importCall(service, { file: spoken.recording })).id;
  transcript = await waitForTranscript(service, callId);
  await soundIsMasked(callId);
}, 600_000);
afterAll(async () => {
  await stack?.stop();
  await store?.close();
  await receiver?.close();
});

test("card number, expiry date and security code are masked in every format, and nothing else is", async () => {
  const kinds = new Set(masksOf(transcript).map(({ mask }) => mask));
  expect(kinds).toEqual(new Set(["card_number", "expiry_date", "security_code"]));
  expect(digitsIn(textOf(transcript))).toEqual([]);
  for (const format of ["text", "vtt"] as const) {
    const text = await readText(service, callId, format);
    expect(text).toContain("[card number]");
    expect(text).toContain("[security code]");
    expect(digitsIn(text.replaceAll(/^\S*\d\d:\d\d\S*|\d\d:\d\d:\d\d\.\d{3}/gm, ""))).toEqual([]);
  }
  expect(textOf(transcript)).toMatch(/payment was received/i);
});

describe("in the sound", () => {
  let playback: Buffer;
  let sound: DecodedSound;
  beforeAll(async () => {
    playback = await download(service, `/calls/${callId}/audio`);
    sound = await decodeSound(playback);
  });

  test("both sides are silent while a digit is said, and audible otherwise", async () => {
    const digits = spoken.words.customer.filter(({ text }) => digitsIn(text).length > 0);
    expect(digits).toHaveLength(23);
    const { audio } = await findCall(service, callId);
    const waveform = readWaveform(await download(service, audio?.waveform.url ?? ""));
    for (const { startMs, endMs, text } of digits) {
      expect(sound.peak(startMs, endMs), text).toBeLessThan(0.01);
      const middle = Math.floor((((startMs + endMs) / 2) * waveform.pointsPerSecond) / 1000);
      for (let channel = 0; channel < waveform.channels; channel++)
        expect(waveform.span(middle, channel), text).toBeLessThan(3);
    }
    expect(Math.abs(sound.durationMs - spoken.durationMs)).toBeLessThan(200);
    const isFar = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
      digits.every((digit) => endMs < digit.startMs - 3 * marginMs || startMs > digit.endMs + 3 * marginMs);
    const audible = [...spoken.words.agent, ...spoken.words.customer].filter(isFar);
    expect(audible.length).toBeGreaterThan(20);
    for (const { startMs, endMs, text } of audible) expect(sound.peak(startMs, endMs), text).toBeGreaterThan(0.02);
  });

  test("recognising the playback copy again finds no digits", { timeout: 400_000 }, async () => {
    await stack.command(
      ...["campaign", "create", "--workspace", stack.workspaceId, "--id", "again", "--name", "Again", "--json"],
    );
    const again = { ...service, campaignId: "again" };
    await turnOnTranscription(again, { masking: "off" });
    const { id } = await importCall(again, { file: playback });
    const text = textOf(await waitForTranscript(again, id));
    say(`recognised again: ${text}`);
    expect(text).toMatch(/payment was received/i);
    expect(digitsIn(text)).toEqual([]);
  });

  test("the original is for those who may hear it", async () => {
    const refused = await get<{ code: string }>(service, `/calls/${callId}/audio?original=true`);
    expect(refused).toMatchObject({ status: 403, body: { code: "original_forbidden" } });
    const { key } = await stack.command<{ key: string }>(
      ...["key", "create", "--workspace", stack.workspaceId, "--name", "originals", "--json"],
      ...["--scope", "read", "listen_original"],
    );
    const original = await download({ ...service, apiKey: key }, `/calls/${callId}/audio?original=true`);
    expect(original.equals(spoken.recording)).toBe(true);
    const { rows } = await stack.adminDb.query(
      "select action from audit_entry where subject_id = $1 and action = 'call.downloaded'",
      [callId],
    );
    expect(rows).toHaveLength(1);
  });
});

/** Everything that the installation stores, writes and sends, but for original recordings. */
async function everything(): Promise<Map<string, string>> {
  const found = new Map([["database", await dump(stack.env.DATABASE_URL)]]);
  const { rows } = await stack.adminDb.query<{ key: string }>("select recording_key as key from call");
  const recordings = new Set(rows.map(({ key }) => key));
  for (const key of await store.keys())
    if (!recordings.has(key)) found.set(key, expand(await store.read(key)).toString("latin1"));
  found.set("logs", api.log() + worker.log());
  found.set("webhooks", receiver.received.map(({ body }) => body).join("\n"));
  for (const path of [
    "/events?limit=200",
    "/audit?limit=200",
    `/calls/${callId}`,
    `/calls/${callId}/transcript`,
    `/calls/${callId}/transcript?format=vtt`,
    "/calls/export?format=csv&transcripts=true",
    "/calls/export?format=jsonl&transcripts=true",
  ]) {
    const answer = await get(service, path);
    expect([path, answer.status]).toEqual([path, 200]);
    found.set(path, answer.text);
  }
  return found;
}

/** Words and digits one after the other, whatever is between them in JSON and SQL. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\b(?:null|text|start_ms|end_ms|probability|uncertain|true)\b/g, " ")
    .replaceAll(/\d+(?=\s*[,}\]])/g, " ")
    .replaceAll(/[^a-z\d]+/g, " ");

test("the digits are nowhere: database, bucket, logs, exports, webhooks, search", { timeout: 600_000 }, async () => {
  await until("the webhook received the event", 30_000, () =>
    receiver.received.some(({ body }) => body.includes("call.transcribed")),
  );
  const before = await everything();
  const words = await stack.adminDb.query<{ words: string }>("select words::text from call_words where call_id = $1", [
    callId,
  ]);
  expect(words.rows.length).toBeGreaterThan(0);
  const lexemes = words.rows.flatMap((row) => [...row.words.matchAll(/'([^']+)'/g)].map(([, lexeme]) => lexeme ?? ""));
  expect(lexemes).toContain("payment");
  expect(lexemes.filter((lexeme) => digitsIn(lexeme).length > 0)).toEqual([]);

  // What the engine understood is only shown without masking.
  const masks = masksOf(transcript);
  await change(service, `/campaigns/${stack.campaignId}`, { masking: "off" });
  expect((await speech.client.ask("POST", `/calls/${callId}/transcribe`)).status).toBe(202);
  await until(
    "it is transcribed again",
    300_000,
    async () => (await readTranscript(service, callId)).id !== transcript.id,
  );
  const open = await readTranscript(service, callId);
  const heard = open.turns.flatMap((turn) =>
    turn.words.filter((word) =>
      masks.some(({ side, startMs, endMs }) => side === turn.side && word.start_ms >= startMs && word.end_ms <= endMs),
    ),
  );
  const said = plain(heard.map(({ text }) => text).join(" "))
    .trim()
    .split(" ");
  // Four words in a row, and numbers that were written with digits.
  const secrets = new Set(said.slice(3).map((_, at) => said.slice(at, at + 4).join(" ")));
  for (const word of said) if (/\d{4}/.test(word)) secrets.add(word);
  say(`${heard.length} words were masked, such as "${said.slice(0, 8).join(" ")}"`);
  expect(digitsIn(said.join(" ")).join(" ").length).toBeGreaterThan(12);

  const search = (places: ReadonlyMap<string, string>) =>
    [...places].flatMap(([place, text]) => {
      const searched = plain(text);
      return [...secrets]
        .filter((secret) => ` ${searched} `.includes(` ${secret} `))
        .map((secret) => `${place}: ${secret}`);
    });
  expect(search(before)).toEqual([]);
  // A control of the search itself.
  const after = search(await everything());
  expect(after.some((place) => place.includes("transcript?format=vtt"))).toBe(true);
  expect(after.some((place) => /^transcripts/.test(place))).toBe(true);
});

test("the original is erased after masking if the campaign says so", { timeout: 400_000 }, async () => {
  await change(service, `/campaigns/${stack.campaignId}`, { masking: "text_and_sound", erase_masked_originals: true });
  const again = await speakTelephoneCall(lines.slice(0, 4));
  const { id } = await importCall(service, { file: again.recording });
  const key = async () =>
    (await stack.adminDb.query<{ key: string }>("select recording_key as key from call where id = $1", [id])).rows[0]
      ?.key;
  const original = await key();
  await waitForTranscript(service, id);
  await until("the original is erased", 180_000, async () => !(await store.keys()).includes(original ?? ""), 500);
  const { key: apiKey } = await stack.command<{ key: string }>(
    ...[
      "key",
      "create",
      "--workspace",
      stack.workspaceId,
      "--name",
      "erased",
      "--json",
      "--scope",
      "read",
      "listen_original",
    ],
  );
  const answer = await get<{ code: string }>({ ...service, apiKey }, `/calls/${id}/audio?original=true`);
  expect(answer).toMatchObject({ status: 410, body: { code: "original_erased" } });
  expect((await download(service, `/calls/${id}/audio`)).length).toBeGreaterThan(1_000);
});
