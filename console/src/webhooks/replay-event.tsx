import type { DeliveryBody } from "@hearback/sdk";
import { ActionIcon, Tooltip } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useReplayEvent } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { useResultToast } from "./use-result-toast.ts";

interface ReplayEventProps {
  /** Webhook ID. */
  readonly id: string;
  readonly delivery: DeliveryBody;
}

export function ReplayEvent({ id, delivery }: ReplayEventProps) {
  const { t } = useTexts();
  const replay = useReplayEvent(id);
  const resultToast = useResultToast();
  // Pending deliveries are sent anyway.
  if (delivery.state === "pending") return null;
  const send = () =>
    replay.mutate(delivery.event_id, { onSuccess: () => resultToast.done(t("replayed")), onError: resultToast.failed });
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
