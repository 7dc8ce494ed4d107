import type { Player } from "./player.ts";
import { nextSpeech, previousSpeech, type Span } from "./speech.ts";

/** While playing, going back within this time skips to the previous start. */
const graceMs = 1000;

/** Seeks to the next or previous start of a span, if any. */
export function goBySpeech(player: Player, spans: readonly Span[], step: 1 | -1): void {
  const { playing, speed } = player.state();
  const ms = player.nowMs();
  const to = step > 0 ? nextSpeech(spans, ms) : previousSpeech(spans, ms, playing ? graceMs * speed : 1);
  if (to !== undefined) player.goTo(to);
}
