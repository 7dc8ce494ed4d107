import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { MaskKind } from "@hearback/contract";
import type { TranscriptTurn } from "../transcript.ts";

/** Text, start, end, probability, and what was masked. */
type StoredWord = readonly [string, number, number, number | null, MaskKind?];

interface StoredTranscript {
  readonly turns: readonly { readonly channel: TranscriptTurn["channel"]; readonly words: readonly StoredWord[] }[];
}

/** More than a call of two days has. */
const mostBytes = 64 * 1024 * 1024;

/** The object of a transcript: compressed JSON. */
export async function encodeTranscript(turns: readonly TranscriptTurn[]): Promise<Buffer> {
  const stored: StoredTranscript = {
    turns: turns.map(({ channel, words }) => ({
      channel,
      words: words.map(({ text, startMs, endMs, probability, mask }) => {
        const sure = probability === null ? null : Math.round(probability * 1000) / 1000;
        return mask ? [text, startMs, endMs, sure, mask] : [text, startMs, endMs, sure];
      }),
    })),
  };
  return promisify(gzip)(JSON.stringify(stored));
}

export async function decodeTranscript(bytes: Buffer): Promise<TranscriptTurn[]> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: mostBytes });
  const { turns } = JSON.parse(text.toString()) as StoredTranscript;
  return turns.map(({ channel, words: stored }) => {
    const words = stored.map(([text, startMs, endMs, probability, mask]) => ({
      text,
      startMs,
      endMs,
      probability,
      ...(mask && { mask }),
    }));
    const startMs = words[0]?.startMs ?? 0;
    return { channel, startMs, endMs: words.reduce((latest, { endMs }) => Math.max(latest, endMs), startMs), words };
  });
}
