import type { WebhookBody } from "@hearback/sdk";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { webhookQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { WebhookState } from "./webhook-state.tsx";

export function WebhooksPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [creating, { open, close }] = useDisclosure(false);
  const createButton = (
    <Button onClick={open} leftSection={<Icon name="plus" />}>
      {t("createWebhook")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={createButton}>
      <WebhookTable />
      <NewWebhook
        opened={creating}
        onClose={close}
        onCreated={(id) => void navigate({ to: "/webhooks/$id", params: { id } })}
      />
    </Page>
  );
}

function WebhookTable() {
  const { t } = useTexts();
  const list = useQuery(webhookQueries.list);
  const problem = list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows rows={3} height={66} />;
  if (list.data.length === 0) {
    return (
      <EmptyState icon="webhook" title={t("none")}>
        <Text maw={520}>{t("noneDetail")}</Text>
      </EmptyState>
    );
  }
  const columns: readonly [Column<WebhookBody>, ...Column<WebhookBody>[]] = [
    { key: "url", title: t("url"), cell: (webhook) => <Address webhook={webhook} /> },
    { key: "types", title: t("types"), cell: ({ types }) => (types.length === 0 ? t("typesAll") : types.join(", ")) },
    { key: "state", title: t("state"), cell: (webhook) => <WebhookState webhook={webhook} /> },
    { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
  ];
  return (
    <>
      {problem}
      <DataTable label={t("title")} columns={columns} rows={list.data} rowKey={({ id }) => id} />
    </>
  );
}

function Address({ webhook: { id, url, description } }: { readonly webhook: WebhookBody }) {
  return (
    <>
      <TextLink to="/webhooks/$id" params={{ id }} inherit fw={600} className="breakable">
        {url}
      </TextLink>
      {description && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </>
  );
}
