import type { CallDetailBody } from "@hearback/sdk";
import type { Player } from "../player/engine/player.ts";
import type { Mark } from "../player/waveform/overview.tsx";
import type { SearchParams } from "../search-params.ts";
import type { EvidenceTarget } from "../transcript/evidence.ts";

export type PlayableCall = CallDetailBody & { readonly audio: NonNullable<CallDetailBody["audio"]> };

export interface ReviewPaneProps {
  readonly call: PlayableCall;
  /** Scorecard in the URL. */
  readonly chosen: string | undefined;
  /** Filters of the list that the call was opened from. */
  readonly list: SearchParams;
  /** Absent until the player is loaded. */
  readonly player: Player | undefined;
  /** Moments to show on the waveform. Must be stable. */
  readonly onMarks: (marks: readonly Mark[]) => void;
  /** Where the transcript attaches evidence to, while the form is shown. Must be stable. */
  readonly onEvidence: (target: EvidenceTarget | undefined) => void;
}
