import type { HoldBody } from "@hearback/sdk";
import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Actor } from "../audit/actor.tsx";
import { useNames } from "../audit/names.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { privacyQueries, useReleaseHold } from "./queries.ts";
import { usePrivacySearch } from "./search.ts";
import { SubjectLink } from "./subject-link.tsx";
import { useTexts } from "./texts.ts";

/** Loaded when the dialog opens. */
const NewHold = lazyComponent(async () => (await import("./new-hold.tsx")).NewHold);

export function HoldsSection() {
  const { t } = useTexts();
  const { search, change } = usePrivacySearch();
  const [creating, setCreating] = useState(search.hold !== undefined);
  const close = () => {
    setCreating(false);
    if (search.hold) change({ hold: undefined });
  };
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text maw={640}>{t("holdsDetail")}</Text>
        <Button leftSection={<Icon name="lock" />} onClick={() => setCreating(true)}>
          {t("newHold")}
        </Button>
      </Group>
      <SegmentedControl
        w="fit-content"
        aria-label={t("holds")}
        value={search.state}
        onChange={(state) => change({ state: state === "all" ? state : undefined })}
        data={[
          { value: "active", label: t("holdsActive") },
          { value: "all", label: t("holdsAll") },
        ]}
      />
      <HoldTable state={search.state} />
      <Dialog opened={creating} title={t("newHold")} onClose={close}>
        <NewHold about={search.hold} onClose={close} />
      </Dialog>
    </Stack>
  );
}

const peopleOf = (holds: readonly HoldBody[] = []) =>
  holds.flatMap(({ agent_id, created_by, released_by }) =>
    [agent_id, ...[created_by, released_by].map((who) => (who?.type === "user" ? who.id : null))].filter(
      (id) => id !== null,
    ),
  );

function HoldTable({ state }: { readonly state: "active" | "all" }) {
  const { t } = useTexts();
  const list = useInfiniteQuery(privacyQueries.holds(state));
  const [releasing, setReleasing] = useState<HoldBody>();
  const holds = list.data?.pages.flatMap((page) => page.holds);
  const names = useNames(peopleOf(holds));
  return (
    <>
      <PagedTable
        label={t("holds")}
        list={list}
        rows={holds}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "about",
            title: t("held"),
            cell: (hold) => (
              <Text span fw={600} inherit>
                <SubjectLink {...hold} names={names} linked={hold.active} />
              </Text>
            ),
          },
          { key: "reason", title: t("reason"), cell: ({ reason }) => reason || t("reasonErased") },
          { key: "by", title: t("createdBy"), cell: ({ created_by }) => <Actor actor={created_by} names={names} /> },
          { key: "at", title: t("since"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
          { key: "state", title: t("state"), cell: (hold) => <HoldState hold={hold} /> },
          {
            key: "release",
            title: t("action"),
            cell: (hold) =>
              hold.active && (
                <Button size="compact-sm" variant="default" onClick={() => setReleasing(hold)}>
                  {t("release")}
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState icon="lock" title={t("noHold")}>
            <Text maw={520}>{t("noHoldDetail")}</Text>
          </EmptyState>
        }
      />
      <ReleaseHold hold={releasing} onClose={() => setReleasing(undefined)} />
    </>
  );
}

function HoldState({ hold: { active, released_at } }: { readonly hold: HoldBody }) {
  const { t } = useTexts();
  const format = useFormat();
  if (active) return <StatusBadge color="blue">{t("inForce")}</StatusBadge>;
  const text = released_at ? t("releasedOn", { at: format.date(released_at) }) : t("released");
  return <StatusBadge color="gray">{text}</StatusBadge>;
}

function ReleaseHold({ hold, onClose }: { readonly hold: HoldBody | undefined; readonly onClose: () => void }) {
  const { t } = useTexts();
  const release = useReleaseHold();
  const close = () => {
    release.reset();
    onClose();
  };
  return (
    <Confirm
      opened={hold !== undefined}
      title={t("releaseTitle")}
      action={t("releaseNow")}
      pending={release.isPending}
      error={release.error}
      onConfirm={() => hold && release.mutate(hold.id, { onSuccess: close })}
      onClose={close}
    >
      <Text fw={600} mb="xs">
        {hold?.reason}
      </Text>
      <Text>{t("releaseDetail")}</Text>
    </Confirm>
  );
}
