import type { AuditEntryBody } from "@hearback/sdk";
import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { DropDown } from "../ui/form/drop-down.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useSearchParams } from "../ui/use-search-params.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { detailTexts } from "./details.ts";
import { EntryMenu } from "./entry-menu.tsx";
import { type AuditSearch, isFiltered, readAuditSearch, toAuditFilter } from "./filter.ts";
import { type Names, useNames } from "./names.ts";
import { auditQueries, useExportAudit } from "./queries.ts";
import { Sentence } from "./sentence.tsx";
import { useTexts } from "./texts.ts";

/** Below the fold, so loaded later. */
const Proof = lazyComponent(async () => (await import("./log-integrity.tsx")).LogIntegrity);

/** Filters live in the URL. */
function useAuditSearch() {
  const { params, change } = useSearchParams();
  const nothing = { who: undefined, action: undefined, subject: undefined, from: undefined, to: undefined };
  return { search: readAuditSearch(params), change, clear: () => change(nothing) };
}

const userIds = (entries: readonly AuditEntryBody[]) =>
  entries.flatMap(({ actor, subject }) =>
    [actor, subject].flatMap(({ type, id }) => (type === "user" && id !== null ? [id] : [])),
  );

export function AuditPage() {
  const { t } = useTexts();
  const { zone } = useFormat();
  const { search, change, clear } = useAuditSearch();
  const list = useInfiniteQuery(auditQueries.list(toAuditFilter(search, zone)));
  const entries = list.data?.pages.flatMap((page) => page.entries);
  const names = useNames(userIds(entries ?? []));
  return (
    <Page title={t("title")} intro={t("intro")} actions={<Export search={search} />}>
      <AuditFilters search={search} names={names} onChange={change} onClear={clear} />
      <PagedTable
        label={t("title")}
        list={list}
        rows={entries}
        rowKey={({ number }) => String(number)}
        columns={[
          { key: "what", title: t("what"), cell: (entry) => <Sentence entry={entry} names={names} /> },
          { key: "details", title: t("details"), cell: (entry) => <Details entry={entry} names={names} /> },
          { key: "when", title: t("when"), cell: ({ at }) => <Timestamp at={at} />, width: 180 },
          { key: "number", title: t("number"), cell: ({ number }) => number, align: "right", width: 70 },
        ]}
        actions={(entry) => <EntryMenu entry={entry} names={names} onSubject={(subject) => change({ subject })} />}
        empty={<Empty filtered={isFiltered(search)} />}
      />
      <Suspense>
        <Proof />
      </Suspense>
    </Page>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }) {
  const { t } = useTexts();
  return (
    <EmptyState icon="book" title={filtered ? t("noneMatch") : t("none")}>
      <Text>{filtered ? t("noneMatchDetail") : t("noneDetail")}</Text>
    </EmptyState>
  );
}

function Details({ entry, names }: { readonly entry: AuditEntryBody; readonly names: Names }) {
  const { t } = useTexts();
  const details = detailTexts(entry, names, t);
  return details.length === 0 ? "–" : details.join(" · ");
}

/** Downloads the log as a file. */
function Export({ search }: { readonly search: AuditSearch }) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const save = useExportAudit();
  const filter = toAuditFilter(search, zone);
  return (
    <>
      <DropDown
        variant="default"
        width={280}
        position="bottom-end"
        loading={save.isPending}
        leftSection={<Icon name="download" />}
        rightSection={<Icon name="chevronDown" size={14} />}
        label={t("export")}
      >
        {(close) => (
          <Stack gap={4} onClick={close}>
            <Button
              variant="default"
              justify="start"
              onClick={() => save.mutate({ ...filter, format: "csv", bom: true })}
            >
              {t("exportCsv")}
            </Button>
            <Button variant="default" justify="start" onClick={() => save.mutate({ format: "jsonl" })}>
              {t("exportJsonl")}
            </Button>
          </Stack>
        )}
      </DropDown>
      {save.error && <Problem error={save.error} />}
    </>
  );
}
