import type { DeliveryBody, DeliveryState, WebhookBody } from "@hearback/sdk";
import { Button, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { Attempts } from "./attempts.tsx";
import { DeliveryBadge, LastAnswer } from "./delivery-outcome.tsx";
import { webhookQueries } from "./queries.ts";
import { ReplayEvent } from "./replay-event.tsx";
import { ReplaySince } from "./replay-since.tsx";
import { useTexts } from "./texts.ts";

const states = ["pending", "delivered", "failed", "cancelled"] as const satisfies DeliveryState[];

/** Deliveries of a webhook, updated live. */
export function Deliveries({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
  const { choice, change } = useSearchParams();
  const state = choice("state", states);
  const [replaying, setReplaying] = useState(false);
  const close = () => setReplaying(false);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h4">
            {t("deliveries")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("deliveriesDetail")}
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<Icon name="refresh" />}
          disabled={!webhook.enabled}
          onClick={() => setReplaying(true)}
        >
          {t("replaySince")}
        </Button>
      </Group>
      <div className="scroll-x">
        <SegmentedControl
          aria-label={t("outcome")}
          value={state ?? "all"}
          onChange={(value) => change({ state: value === "all" ? undefined : value })}
          data={[{ value: "all", label: t("stateAll") }, ...states.map((value) => ({ value, label: t(value) }))]}
        />
      </div>
      <DeliveryTable webhook={webhook} state={state} />
      <Dialog opened={replaying} title={t("replaySince")} onClose={close}>
        <ReplaySince id={webhook.id} onClose={close} />
      </Dialog>
    </Stack>
  );
}

interface DeliveryTableProps {
  readonly webhook: WebhookBody;
  readonly state: DeliveryState | undefined;
}

function DeliveryTable({ webhook, state }: DeliveryTableProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(webhookQueries.deliveries(webhook.id, state));
  const columns: readonly [Column<DeliveryBody>, ...Column<DeliveryBody>[]] = [
    { key: "event", title: t("event"), cell: (delivery) => <EventName delivery={delivery} /> },
    { key: "state", title: t("outcome"), cell: ({ state: is }) => <DeliveryBadge state={is} /> },
    { key: "answer", title: t("answer"), cell: (delivery) => <LastAnswer delivery={delivery} /> },
    { key: "attempts", title: t("attempts"), cell: (delivery) => <Attempts delivery={delivery} /> },
    { key: "at", title: t("queuedAt"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
    {
      key: "next",
      title: t("nextAttempt"),
      cell: ({ next_attempt_at }) => (next_attempt_at ? <Timestamp at={next_attempt_at} /> : "–"),
    },
  ];
  return (
    <PagedTable
      label={t("deliveries")}
      list={list}
      rows={list.data?.pages.flatMap(({ deliveries }) => deliveries)}
      rowKey={({ id }) => id}
      columns={columns}
      {...(webhook.enabled && {
        actions: (delivery: DeliveryBody) => <ReplayEvent id={webhook.id} delivery={delivery} />,
      })}
      empty={
        <EmptyState icon="webhook" title={state ? t("noneOfState") : t("noDeliveries")}>
          {!state && <Text maw={480}>{t("noDeliveriesDetail")}</Text>}
        </EmptyState>
      }
    />
  );
}

function EventName({ delivery: { type, event_id } }: { readonly delivery: DeliveryBody }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {type}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace" className="breakable">
        {event_id}
      </Text>
    </>
  );
}
