import type { MaskKind, TranscriptTurn, TranscriptWord } from "@hearback/sdk";
import { useCallback, useMemo } from "react";
import { useSideNames } from "../player/waveform/side-names.ts";
import { clock } from "../ui/time/use-format.ts";
import { type TextKey, useTexts } from "./texts.ts";

type Side = TranscriptTurn["side"];

const masks: Record<MaskKind, TextKey> = {
  card_number: "maskCardNumber",
  security_code: "maskSecurityCode",
  expiry_date: "maskExpiryDate",
  iban: "maskIban",
  phone_number: "maskPhoneNumber",
  email: "maskEmail",
  word: "maskWord",
  other: "maskWord",
};

export type WordText = (word: Pick<TranscriptWord, "text" | "mask">) => string;

/** Names of the sides and of masked parts in the reader's language. */
export function useSpeakers() {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const textOf: WordText = useCallback(({ text, mask }) => (mask ? `[${t(masks[mask])}]` : text), [t]);
  return useMemo(() => ({ nameOf, textOf }), [nameOf, textOf]);
}

export type Speakers = ReturnType<typeof useSpeakers>;

/** "[1:05] Agent: Good morning." */
export const withTime = (
  { nameOf, textOf }: Speakers,
  { side, words }: { readonly side: Side; readonly words: readonly TranscriptWord[] },
): string => `[${clock(words[0]?.start_ms ?? 0)}] ${nameOf(side)}: ${words.map(textOf).join(" ")}`;
