import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { wavHeader } from "./wav.ts";

export interface SoundForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly samples: Int16Array;
  readonly apiKey: string | undefined;
}

/**
 * Posts a form with a WAV file. Writes the samples from where they are: `fetch` copies its body twice, and V8 runs a full collection
 * for every 64 MB of such copies, which costs as much as everything else about a call. Follows no redirects.
 */
export function postSound(address: URL, form: SoundForm, signal: AbortSignal): Promise<IncomingMessage> {
  const { fields, samples, apiKey } = form;
  const boundary = `hearback-${randomUUID()}`;
  const open = `--${boundary}\r\ncontent-disposition: form-data; name=`;
  const texts = fields.map(([name, value]) => `${open}"${name}"\r\n\r\n${value}\r\n`);
  const file = `${open}"file"; filename="speech.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
  const pieces = [
    Buffer.from(texts.join("") + file),
    wavHeader(samples),
    new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  const headers = {
    accept: "application/json",
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": pieces.reduce((sum, { length }) => sum + length, 0),
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const request = address.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: "POST", headers, signal });
    sent.once("response", resolve);
    // Stays: after the response, errors are those of its stream.
    sent.on("error", reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}
