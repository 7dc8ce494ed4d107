import type { TranscriptBody } from "@hearback/contract";
import { agentChannelOf, sideName } from "../../calls/call/call-detail.ts";
import type { StoredCall } from "../../calls/call/find-call.ts";
import type { CorrectedWord } from "./corrections.ts";
import type { FoundTranscript } from "./find-transcript.ts";
import type { SpeakerName } from "./format-transcript.ts";

/** Words below this probability are shown as uncertain. */
const uncertainBelow = 0.5;

/** What names the sides. */
type SpokenCall = Pick<StoredCall, "id" | "agentName" | "agentChannel" | "campaignAgentChannel">;

export function toTranscriptBody({
  call,
  transcript,
  turns,
}: Pick<FoundTranscript, "transcript" | "turns"> & { readonly call: SpokenCall }): TranscriptBody {
  const agent = agentChannelOf(call).value;
  return {
    id: transcript.id,
    call_id: call.id,
    language: transcript.language,
    engine: transcript.engine,
    model: transcript.model,
    version: transcript.version,
    created_at: transcript.createdAt.toISOString(),
    masked: transcript.masked as TranscriptBody["masked"],
    sound_masked: transcript.muted !== null,
    turns: turns.map(({ channel, startMs, endMs, words }) => ({
      side: sideName(channel, agent),
      channel,
      start_ms: startMs,
      end_ms: endMs,
      words: words.map(toWordBody),
    })),
  };
}

function toWordBody({ text, startMs, endMs, probability, mask, correction }: CorrectedWord) {
  return {
    text,
    start_ms: startMs,
    end_ms: endMs,
    probability,
    ...(probability !== null && probability < uncertainBelow && { uncertain: true as const }),
    ...(mask && { mask }),
    ...(correction && {
      correction: {
        original: correction.original,
        by: { type: correction.authorType as "key" | "user", id: correction.authorId },
        at: correction.at.toISOString(),
      },
    }),
  };
}

const sideTexts = { customer: "Customer", left: "Left", right: "Right", mixed: "Speaker" } as const;

/** Names of the sides in text and subtitles: the agent's, if the agent's channel is known. */
export function speakerNames(call: SpokenCall): SpeakerName {
  const agent = agentChannelOf(call).value;
  return (channel) => {
    const side = sideName(channel, agent);
    return side === "agent" ? call.agentName : sideTexts[side];
  };
}
