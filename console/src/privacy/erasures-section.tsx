import type { ErasureBody, ErasureKind } from "@hearback/sdk";
import { ActionIcon, Button, Group, Select, Stack, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Actor } from "../audit/actor.tsx";
import { useNames } from "../audit/names.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { ErasureCard } from "./erasure-card.tsx";
import { ErasureState, ErasureSubject } from "./erasure-status.tsx";
import { privacyQueries } from "./queries.ts";
import { erasureKinds, usePrivacySearch } from "./search.ts";
import { useTexts } from "./texts.ts";

/** Loaded when the dialog opens. */
const EraseSteps = lazyComponent(async () => (await import("./erase-steps.tsx")).EraseSteps);

export function ErasuresSection() {
  const { t } = useTexts();
  const { search, change } = usePrivacySearch();
  const [erasing, setErasing] = useState(search.erase !== undefined);
  const opener = useRef<Element>(null);
  const open = (erasure: string) => {
    opener.current = document.activeElement;
    change({ erasure });
  };
  const closeCard = () => {
    change({ erasure: undefined });
    if (opener.current instanceof HTMLElement) opener.current.focus();
    opener.current = null;
  };
  const close = (erasure?: string) => {
    opener.current = null;
    setErasing(false);
    if (search.erase || erasure) change({ erase: undefined, ...(erasure && { erasure, kind: undefined }) });
  };
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text maw={640}>{t("erasuresDetail")}</Text>
        <Button color="red" leftSection={<Icon name="trash" />} onClick={() => setErasing(true)}>
          {t("erase")}
        </Button>
      </Group>
      {search.erasure && (
        <ErasureCard key={search.erasure} id={search.erasure} first={opener.current !== null} onClose={closeCard} />
      )}
      <Select
        label={t("kind")}
        w={280}
        maw="100%"
        clearable
        placeholder={t("kindAny")}
        data={erasureKinds.map((kind) => ({ value: kind, label: t(kindTexts[kind]) }))}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
      />
      <ErasureTable kind={search.kind} onOpen={open} />
      <Dialog opened={erasing} title={t("eraseTitle")} size="lg" onClose={() => close()}>
        <EraseSteps about={search.erase} onClose={close} />
      </Dialog>
    </Stack>
  );
}

const kindTexts = {
  call: "kindCall",
  agent: "kindAgent",
  metadata: "kindMetadata",
  retention: "kindRetention",
  workspace: "kindWorkspace",
} as const;

interface ErasureTableProps {
  readonly kind: ErasureKind | undefined;
  readonly onOpen: (id: string) => void;
}

function ErasureTable({ kind, onOpen }: ErasureTableProps) {
  const { t } = useTexts();
  const { number } = useFormat();
  const list = useInfiniteQuery(privacyQueries.erasures(kind));
  const erasures = list.data?.pages.flatMap((page) => page.erasures);
  const names = useNames(
    erasures?.flatMap(({ requested_by: by, agent_id }) =>
      [by.type === "user" ? by.id : null, agent_id].filter((id) => id !== null),
    ),
  );
  const open = (erasure: ErasureBody) => () => onOpen(erasure.id);
  return (
    <PagedTable
      label={t("erasures")}
      list={list}
      rows={erasures}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "what",
          title: t("what"),
          cell: (erasure) => (
            <UnstyledButton onClick={open(erasure)} className="as-link">
              <ErasureSubject erasure={erasure} names={names} />
            </UnstyledButton>
          ),
        },
        { key: "by", title: t("by"), cell: ({ requested_by }) => <Actor actor={requested_by} names={names} /> },
        { key: "at", title: t("requestedAt"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
        { key: "erased", title: t("erased"), cell: ({ erased }) => number(erased), align: "right" },
        { key: "held", title: t("heldBack"), cell: ({ held }) => number(held), align: "right" },
        { key: "state", title: t("state"), cell: ({ state }) => <ErasureState state={state} /> },
      ]}
      actions={(erasure) => (
        <Tooltip label={t("viewErasure")}>
          <ActionIcon variant="subtle" size="lg" onClick={open(erasure)} aria-label={t("viewErasure")}>
            <Icon name="chevronRight" />
          </ActionIcon>
        </Tooltip>
      )}
      empty={
        <EmptyState icon="shield" title={kind ? t("noErasureOfKind") : t("noErasure")}>
          {!kind && <Text maw={520}>{t("noErasureDetail")}</Text>}
        </EmptyState>
      }
    />
  );
}
