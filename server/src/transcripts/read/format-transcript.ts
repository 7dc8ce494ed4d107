import type { MaskKind } from "@hearback/contract";
import { openTimeSlices } from "../../platform/async/time-slices.ts";
import type { TranscriptTurn, TranscriptWord } from "../transcript.ts";

const maskTexts: Readonly<Record<MaskKind, string>> = {
  card_number: "[card number]",
  security_code: "[security code]",
  expiry_date: "[expiry date]",
  iban: "[IBAN]",
  phone_number: "[phone number]",
  email: "[email address]",
  word: "[masked]",
  other: "[masked]",
};

export const textOf = ({ text, mask }: TranscriptWord) => (mask ? maskTexts[mask] : text);

/** Names of the sides, such as the agent's. */
export type SpeakerName = (channel: TranscriptTurn["channel"]) => string;

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");

function timeOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

const preciseTime = (ms: number) => `${timeOf(ms)}.${pad(Math.round(ms) % 1000, 3)}`;

const sentence = (words: readonly TranscriptWord[]) => words.map(textOf).join(" ");

/** One line per turn: time, speaker, text. */
export function toPlainText(turns: readonly TranscriptTurn[], nameOf: SpeakerName): string {
  return turns
    .map(({ channel, startMs, words }) => `[${timeOf(startMs)}] ${nameOf(channel)}: ${sentence(words)}\n`)
    .join("");
}

/** Longest text of one cue: two lines of a subtitle. */
const mostCueLetters = 84;

/** WebVTT, with a voice for each side. */
export async function toVtt(turns: readonly TranscriptTurn[], nameOf: SpeakerName): Promise<string> {
  const slices = openTimeSlices();
  const parts = ["WEBVTT\n"];
  for (const { channel, words } of turns)
    for (const cue of splitCues(words)) {
      if (slices.isUsedUp()) await slices.yield();
      const start = cue[0]?.startMs ?? 0;
      const end = Math.max(start + 1, ...cue.map(({ endMs }) => endMs));
      const text = escapeCue(sentence(cue));
      parts.push(`${preciseTime(start)} --> ${preciseTime(end)}\n<v ${escapeCue(nameOf(channel))}>${text}\n`);
    }
  return parts.join("\n");
}

const escapeCue = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(/\s+/g, " ");

function splitCues(words: readonly TranscriptWord[]): TranscriptWord[][] {
  const cues: TranscriptWord[][] = [];
  let letters = 0;
  for (const word of words) {
    const length = textOf(word).length + 1;
    const cue = cues.at(-1);
    if (cue && letters + length <= mostCueLetters) {
      cue.push(word);
      letters += length;
    } else {
      cues.push([word]);
      letters = length;
    }
  }
  return cues;
}
