import type { KeyBody } from "@hearback/sdk";
import { Text, Tooltip } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { isWorking, type KeyStatus, keyStatus } from "./key-status.ts";
import { keyQueries } from "./queries.ts";
import { type Translate, useTexts } from "./texts.ts";

export type KeyAction = "change" | "rotate" | "revoke";

interface KeyTableProps {
  /** Campaign names by ID. */
  readonly campaignNames: ReadonlyMap<string, string>;
  readonly onAction: (what: KeyAction, key: KeyBody) => void;
}

export function KeyTable({ campaignNames, onAction }: KeyTableProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(keyQueries.list);
  return (
    <PagedTable
      list={list}
      label={t("title")}
      columns={columnsOf(t, campaignNames)}
      rows={list.data?.pages.flatMap(({ keys }) => keys)}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon="key" title={t("none")}>
          <Text maw={480}>{t("noneDetail")}</Text>
        </EmptyState>
      }
      actions={(key) =>
        isWorking(key) && (
          <RowMenu
            name={key.name}
            actions={[
              { label: t("change"), icon: "edit", onClick: () => onAction("change", key) },
              ...(key.replaced_by === null
                ? [{ label: t("rotate"), icon: "refresh" as const, onClick: () => onAction("rotate", key) }]
                : []),
              { label: t("revoke"), icon: "trash", dangerous: true, onClick: () => onAction("revoke", key) },
            ]}
          />
        )
      }
    />
  );
}

const colours = {
  active: "green",
  replaced: "blue",
  ended: "gray",
  revoked: "gray",
} as const satisfies Record<KeyStatus, string>;

function columnsOf(
  t: Translate,
  campaignNames: ReadonlyMap<string, string>,
): readonly [Column<KeyBody>, ...Column<KeyBody>[]] {
  return [
    {
      key: "name",
      title: t("name"),
      cell: ({ name }) => (
        <Text inherit fw={600}>
          {name}
        </Text>
      ),
    },
    {
      key: "scopes",
      title: t("scopes"),
      cell: ({ scopes }) => scopes.map((scope) => t(`scopeShort_${scope}`)).join(", "),
    },
    {
      key: "campaigns",
      title: t("campaigns"),
      cell: ({ campaign_ids: ids }) => <Campaigns names={ids?.map((id) => campaignNames.get(id) ?? id)} />,
    },
    { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
    {
      key: "used",
      title: t("used"),
      cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : <Dim>{t("never")}</Dim>),
    },
    {
      key: "ends",
      title: t("end"),
      cell: ({ expires_at, revoked_at }) =>
        (revoked_at ?? expires_at) ? <Timestamp at={revoked_at ?? expires_at ?? ""} day /> : <Dim>{t("never")}</Dim>,
    },
    {
      key: "status",
      title: t("status"),
      cell: (key) => <StatusBadge color={colours[keyStatus(key)]}>{t(`status_${keyStatus(key)}`)}</StatusBadge>,
    },
  ];
}

function Campaigns({ names }: { readonly names: readonly string[] | undefined }) {
  const { t } = useTexts();
  if (!names) return <Dim>{t("all")}</Dim>;
  if (names.length <= 2) return names.join(", ");
  return (
    <Tooltip label={names.slice(0, 20).join(", ")} multiline maw={320}>
      <Text span inherit>
        {t("campaignsMore", { first: names[0] ?? "", count: names.length - 1 })}
      </Text>
    </Tooltip>
  );
}

const Dim = ({ children }: { readonly children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);
