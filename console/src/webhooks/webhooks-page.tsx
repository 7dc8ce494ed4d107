import type { WebhookBody } from "@hearback/sdk";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../i18n/use-texts.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { When } from "../ui/when.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { webhookQueries } from "./queries.ts";
import { WebhookState } from "./webhook-state.tsx";

export function WebhooksPage() {
  const { t } = useTexts("webhooks");
  const navigate = useNavigate();
  const [making, { open, close }] = useDisclosure(false);
  const make = (
    <Button onClick={open} leftSection={<Icon name="plus" />}>
      {t("new")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={make}>
      <WebhookTable />
      <NewWebhook
        opened={making}
        onClose={close}
        onMade={(id) => void navigate({ to: "/webhooks/$id", params: { id } })}
      />
    </Page>
  );
}

function WebhookTable() {
  const { t } = useTexts("webhooks");
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
    { key: "created", title: t("created"), cell: ({ created_at }) => <When at={created_at} day /> },
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
