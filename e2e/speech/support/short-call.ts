import { randomBytes } from "node:crypto";
import { type Line, speakTelephoneCall } from "../../support/recordings/telephone-speech.ts";

const lines: readonly Line[] = [
  { speaker: "agent", text: "Good morning. How can I help you?" },
  { speaker: "customer", text: "I would like to cancel my contract." },
];

/** A recording with a sentence of each side, whose bytes are unique. */
export async function speakShortCall(): Promise<Buffer> {
  const { recording } = await speakTelephoneCall(lines);
  const unique = Buffer.from(recording);
  // The quietest values of µ-law, in the silence at the end.
  for (const [at, byte] of randomBytes(64).entries()) unique[unique.length - 64 + at] = byte & 1 ? 0xff : 0x7f;
  return unique;
}
