import { createHash, randomBytes } from "node:crypto";
import { type Answer, type Form, multipart, send } from "../http/http.ts";
import { type Call, callParts, type Service } from "../http/service.ts";
import type { TestWorkspace } from "../stack/stack.ts";
import { makeWav } from "./sounds.ts";

export const KB = 1024;
export const MB = 1024 * KB;

export interface Recording {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly timestamp: string;
}

/** The 44-byte header of a WAV with this many bytes of samples. */
export function wavHeader(dataBytes: number): Buffer {
  const header = makeWav({ seconds: 0, seed: 1 });
  header.writeUInt32LE(header.length - 8 + dataBytes, 4);
  header.writeUInt32LE(dataBytes, header.length - 4);
  return header;
}

const noise = randomBytes(MB);
const randomTime = () => String(1_600_000_000 + Math.floor(Math.random() * 100_000_000));

/** A unique recording of about this size: a valid header with random samples. */
export function makeRecording(size: number, timestamp = randomTime()): Recording {
  const dataBytes = size - (size % 2);
  const samples = Array.from({ length: Math.ceil(dataBytes / MB) }, (_, n) =>
    noise.subarray(0, Math.min(MB, dataBytes - n * MB)),
  );
  const bytes = Buffer.concat([wavHeader(dataBytes), ...samples]);
  randomBytes(16).copy(bytes, 44);
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex"), timestamp };
}

/** The stack's service on the given port. */
export function serviceAt(stack: TestWorkspace, port: number): Service {
  const { apiKey, campaignId, agentEmail } = stack;
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey, campaignId, agentEmail };
}

/** The parts of an import, with the file last. */
export const partsOf = (service: Service, recording: Recording) =>
  callParts(service, { file: recording.bytes, conversation_timestamp: recording.timestamp });

/** Sends an import. Returns the response, or the connection error. */
export async function trySending(service: Service, { contentType, body }: Form): Promise<Answer<Call> | Error> {
  try {
    return await send<Call>(`${service.baseUrl}/calls/audio`, {
      body,
      headers: { "x-api-key": service.apiKey, "content-type": contentType },
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export const tryImport = (service: Service, recording: Recording) =>
  trySending(service, multipart(partsOf(service, recording)));
