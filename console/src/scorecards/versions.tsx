import type { ScorecardVersionPageBody } from "@hearback/sdk";
import { Alert, Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { downloadDocument } from "./download-document.ts";
import { scorecardQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

type Version = ScorecardVersionPageBody["versions"][number];

const FormView = lazyComponent(async () => (await import("./form-view.tsx")).FormView);

interface VersionsProps {
  readonly id: string;
  readonly isManager: boolean;
}

/** Published versions, and one of them if the URL names it. */
export function Versions({ id, isManager }: VersionsProps) {
  const { params } = useSearchParams();
  const number = typeof params.version === "string" && /^\d{1,9}$/.test(params.version) ? Number(params.version) : null;
  return number === null ? <VersionTable id={id} isManager={isManager} /> : <OneVersion id={id} number={number} />;
}

function VersionTable({ id, isManager }: VersionsProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(scorecardQueries.versions(id));
  const { data: staff = [] } = useQuery({ ...scorecardQueries.staff, enabled: isManager });
  const actors = { user: t("byUser"), key: t("byKey"), operator: t("byOperator"), system: t("bySystem") };
  const nameOf = ({ type, id: userId }: Version["published_by"]) =>
    staff.find((user) => user.id === userId)?.name ?? actors[type];
  const columns: readonly [Column<Version>, ...Column<Version>[]] = [
    {
      key: "version",
      title: t("version"),
      cell: ({ version }) => (
        <TextLink to="." search={{ tab: "versions", version: String(version) }} fw={600}>
          {t("versionNumber", { number: version })}
        </TextLink>
      ),
    },
    { key: "at", title: t("published"), cell: ({ published_at }) => <Timestamp at={published_at} /> },
    { key: "by", title: t("publishedBy"), cell: ({ published_by }) => nameOf(published_by) },
    {
      key: "digest",
      title: t("digest"),
      cell: ({ digest }) => <Code title={digest}>{digest.slice(0, 12)}</Code>,
    },
  ];
  return (
    <PagedTable
      list={list}
      rows={list.data?.pages.flatMap(({ versions }) => versions)}
      empty={
        <EmptyState icon="scorecard" title={t("neverPublished")}>
          <Text maw={480}>{t("noVersions")}</Text>
        </EmptyState>
      }
      label={t("versions")}
      columns={columns}
      rowKey={({ version }) => String(version)}
    />
  );
}

function OneVersion({ id, number }: { readonly id: string; readonly number: number }) {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery(scorecardQueries.version(id, number));
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            {t("versionNumber", { number })}
          </Title>
          <Text size="sm" c="dimmed">
            {t("published")} <Timestamp at={data.published_at} />
          </Text>
        </div>
        <Group gap="xs">
          <TextLink to="." search={{ tab: "versions" }} size="sm">
            {t("allVersions")}
          </TextLink>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => downloadDocument(data.document, `${data.document.name} ${number}`)}
          >
            {t("downloadVersion", { number })}
          </Button>
        </Group>
      </Group>
      <Alert variant="light" color="gray" icon={<Icon name="lock" />}>
        {t("versionFixed")}
      </Alert>
      <FormView document={data.document} />
    </Stack>
  );
}
