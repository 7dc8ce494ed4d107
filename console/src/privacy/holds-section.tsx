import type { HoldBody } from "@hearback/sdk";
import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNames } from "../audit/names.ts";
import { Who } from "../audit/who.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { PagedTable } from "../ui/paged-table.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFormat } from "../ui/use-format.ts";
import { When } from "../ui/when.tsx";
import { About } from "./about.tsx";
import { NewHold } from "./new-hold.tsx";
import { privacyQueries, useReleaseHold } from "./queries.ts";
import { usePrivacySearch } from "./search.ts";

/** What must not be erased, and why. */
export function HoldsSection() {
  const { t } = useTexts("privacy");
  const { search, change } = usePrivacySearch();
  const [making, setMaking] = useState(search.hold !== undefined);
  const close = () => {
    setMaking(false);
    if (search.hold) change({ hold: undefined });
  };
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text maw={640}>{t("holdsDetail")}</Text>
        <Button leftSection={<Icon name="lock" />} onClick={() => setMaking(true)}>
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
      <Dialog opened={making} title={t("newHold")} onClose={close}>
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
  const { t } = useTexts("privacy");
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
                <About {...hold} names={names} linked={hold.active} />
              </Text>
            ),
          },
          { key: "reason", title: t("reason"), cell: ({ reason }) => reason || t("reasonForgotten") },
          { key: "by", title: t("madeBy"), cell: ({ created_by }) => <Who actor={created_by} names={names} /> },
          { key: "at", title: t("since"), cell: ({ created_at }) => <When at={created_at} /> },
          { key: "state", title: t("state"), cell: (hold) => <HoldState hold={hold} /> },
          {
            ...{ key: "release", title: t("action") },
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
      <Releasing hold={releasing} onClose={() => setReleasing(undefined)} />
    </>
  );
}

function HoldState({ hold: { active, released_at } }: { readonly hold: HoldBody }) {
  const { t } = useTexts("privacy");
  const format = useFormat();
  if (active) return <StatusBadge color="blue">{t("inForce")}</StatusBadge>;
  const text = released_at ? t("releasedOn", { at: format.date(released_at) }) : t("released");
  return <StatusBadge color="gray">{text}</StatusBadge>;
}

function Releasing({ hold, onClose }: { readonly hold: HoldBody | undefined; readonly onClose: () => void }) {
  const { t } = useTexts("privacy");
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
