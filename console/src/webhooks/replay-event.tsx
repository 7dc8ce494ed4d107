import type { DeliveryBody } from "@hearback/sdk";
import { ActionIcon, Tooltip } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { useReplayEvent } from "./queries.ts";
import { useTold } from "./told.tsx";

interface ReplayEventProps {
  /** The webhook's. */
  readonly id: string;
  readonly delivery: DeliveryBody;
}

/** Sends one event again. */
export function ReplayEvent({ id, delivery }: ReplayEventProps) {
  const { t } = useTexts("webhooks");
  const replay = useReplayEvent(id);
  const told = useTold();
  // What still waits is going to be sent anyway.
  if (delivery.state === "pending") return null;
  const send = () =>
    replay.mutate(delivery.event_id, { onSuccess: () => told.done(t("replayed")), onError: told.failed });
  return (
    <Tooltip label={t("replay")}>
      <ActionIcon
        variant="subtle"
        size="lg"
        loading={replay.isPending}
        onClick={send}
        aria-label={t("replayOf", { type: delivery.type, event: delivery.event_id })}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
}
