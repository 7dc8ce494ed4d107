import { Stack } from "@mantine/core";
import { NotesSection } from "../call-notes/notes-section.tsx";
import { CallDetails } from "../call-page/details/call-details.tsx";
import { CallWarnings } from "../call-page/details/call-warnings.tsx";
import type { Rights } from "../call-page/rights.ts";
import type { Player } from "../player/engine/player.ts";
import styles from "./review.module.css";
import type { PlayableCall } from "./review-pane-props.ts";

interface CallContextProps {
  readonly call: PlayableCall;
  readonly rights: Rights;
  /** Absent until the player is loaded. */
  readonly player: Player | undefined;
}

/** Details and notes of the call, below the player. */
export function CallContext({ call, rights, player }: CallContextProps) {
  return (
    <Stack gap="md" className={styles.details}>
      <CallWarnings warnings={call.warnings} />
      <NotesSection callId={call.id} player={player} ownOnly />
      <CallDetails call={call} rights={rights} narrow />
    </Stack>
  );
}
