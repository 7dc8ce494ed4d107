import type { Player } from "./player.ts";
import { nextSpeech, previousSpeech, type Span } from "./speech.ts";

/** So long after a beginning, while it plays, going back means the one before. */
const graceMs = 1000;

/** Goes to the next beginning of these spans, or back to the one before; stays where there is none. */
export function goBySpeech(player: Player, spans: readonly Span[], step: 1 | -1): void {
  const { playing, speed } = player.state();
  const ms = player.nowMs();
  const to = step > 0 ? nextSpeech(spans, ms) : previousSpeech(spans, ms, playing ? graceMs * speed : 1);
  if (to !== undefined) player.goTo(to);
}
