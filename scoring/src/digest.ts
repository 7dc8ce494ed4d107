import { canonicalJson } from "./canonical-json.ts";
import type { ScorecardDocument } from "./document.ts";
import { utf8 } from "./utf8.ts";

// In every browser (over HTTPS) and in Node, but not in the ECMAScript library.
declare const crypto: {
  subtle: { digest(algorithm: "SHA-256", data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> };
};

/** The SHA-256 of a document's canonical JSON, in hex. Identifies what a result was calculated with. */
export async function documentDigest(document: ScorecardDocument): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", utf8(canonicalJson(document)));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
