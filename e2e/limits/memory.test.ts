import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, findDamage, noDamage } from "../support/data/damage-report.ts";
import { type Answer, begin, multipart } from "../support/http/http.ts";
import { type Call, callParts } from "../support/http/service.ts";
import { peakMemoryMb } from "../support/measuring/machine.ts";
import { MB, serviceAt, wavHeader } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say } from "../support/waiting.ts";

const uploads = 32;
/** Together more than the memory that they may take. */
const sizeMb = scale(20, 50, 200);
const maxMemoryMb = 400;

let stack: Stack;
let store: Store;
let api: ApiProcess;

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  api = await stack.startApi();
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
});

const noise = randomBytes(MB);

/** Streams the samples of a long recording in chunks of 1 MB. Each recording is different. */
function* samples(megabytes: number): Generator<Buffer> {
  const first = Buffer.from(noise);
  randomBytes(16).copy(first);
  yield first;
  for (let n = 1; n < megabytes; n++) yield noise;
}

/** Streams a long recording. Every other upload sends the file before the fields. */
async function upload(index: number, { port }: ApiProcess, query = ""): Promise<Uploaded> {
  const service = serviceAt(stack, port);
  const header = wavHeader(sizeMb * MB);
  const parts = callParts(service, { file: header, metadata: "[]" });
  const { contentType, pieces } = multipart(index % 2 === 0 ? parts : parts.toReversed());
  const at = index % 2 === 0 ? pieces.length - 2 : 0;
  // The piece with the file ends with the CR LF that belongs after the samples.
  const before = Buffer.concat(pieces.slice(0, at + 1)).subarray(0, -2);
  const after = Buffer.concat([Buffer.from("\r\n"), ...pieces.slice(at + 1)]);

  const conversation = begin<Call>(`${service.baseUrl}/calls/audio${query}`, {
    headers: {
      "x-api-key": service.apiKey,
      "content-type": contentType,
      "content-length": String(before.length + sizeMb * MB + after.length),
    },
  });
  const hash = createHash("sha256").update(header);
  await conversation.write(before);
  for (const chunk of samples(sizeMb)) {
    hash.update(chunk);
    await conversation.write(chunk);
  }
  await conversation.write(after);
  conversation.end();
  return { answer: await conversation.answer, sha256: hash.digest("hex") };
}

/** Uploads again after 503, as clients do: other tests can keep the disk busy for longer than the service waits for the store. */
async function uploadUntilStored(index: number): Promise<Uploaded> {
  for (let attempt = 1; ; attempt++) {
    const uploaded = await upload(index, api);
    if (uploaded.answer.status !== 503 || attempt === 3) return uploaded;
    say(`upload ${index} again: ${uploaded.answer.text}`);
  }
}

interface Uploaded {
  readonly answer: Answer<Call>;
  readonly sha256: string;
}

/** The answers other than 200 with the right digest. The message of a failed test shows these only. */
const refusals = (results: readonly Uploaded[]) =>
  results.flatMap(({ answer: { status, body, text }, sha256 }) =>
    status === 200 && body.recording.sha256 === sha256 ? [] : [`${status} ${text.slice(0, 500)}`],
  );

test(`${uploads} concurrent dry runs of ${sizeMb} MB take at most ${maxMemoryMb} MB of memory and store nothing`, {
  timeout: 900_000,
}, async () => {
  const trying = await stack.startApi();
  const runs = Array.from({ length: uploads }, (_, index) => upload(index, trying, "?dry_run=true"));
  const results = await Promise.all(runs);
  const peak = await peakMemoryMb(trying.pid);
  say(`peak ${peak.toFixed(0)} MB`);
  await trying.stop();
  expect(refusals(results)).toEqual([]);
  expect(peak).toBeLessThanOrEqual(maxMemoryMb);
  expect([await countRows(stack, "call"), await countRows(stack, "staged_object"), await store.keys()]).toEqual([
    ...[0, 0],
    [],
  ]);
});

test(`${uploads} concurrent uploads of ${sizeMb} MB take at most ${maxMemoryMb} MB of memory`, {
  timeout: 900_000,
}, async () => {
  const begun = Date.now();
  const results = await Promise.all(Array.from({ length: uploads }, (_, index) => uploadUntilStored(index)));
  const peak = await peakMemoryMb(api.pid);
  say(`peak ${peak.toFixed(0)} MB, ${((uploads * sizeMb) / ((Date.now() - begun) / 1000)).toFixed(0)} MB/s`);

  expect(refusals(results)).toEqual([]);
  expect(peak).toBeLessThanOrEqual(maxMemoryMb);
  expect(await countRows(stack, "call")).toBe(uploads);
  const acknowledged = new Map(results.map(({ answer, sha256 }) => [sha256, answer.body.id]));
  expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
});
