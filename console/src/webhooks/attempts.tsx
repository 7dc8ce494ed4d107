import type { DeliveryBody } from "@hearback/sdk";
import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTexts } from "../i18n/use-texts.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useFormat } from "../ui/use-format.ts";
import { When } from "../ui/when.tsx";
import { type Attempt, answerText } from "./delivery-outcome.tsx";

/** How often it was tried, and on request what came of each. */
export function Attempts({ delivery }: { readonly delivery: DeliveryBody }) {
  const { t } = useTexts("webhooks");
  const [opened, { open, close }] = useDisclosure(false);
  const count = delivery.attempts.length;
  if (count === 0) return "0";
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        onClick={open}
        aria-label={t("attemptsOf", { count, event: delivery.event_id })}
        className="tabular"
      >
        {count}
      </Button>
      <Dialog opened={opened} title={t("attempts")} size="lg" onClose={close}>
        <Stack gap="sm">
          <Text size="sm">
            {delivery.type}{" "}
            <Text span c="dimmed" ff="monospace" size="xs" className="breakable">
              {delivery.event_id}
            </Text>
          </Text>
          <AttemptTable attempts={delivery.attempts} />
        </Stack>
      </Dialog>
    </>
  );
}

type Numbered = Attempt & { readonly number: number };

function AttemptTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { t } = useTexts("webhooks");
  const format = useFormat();
  const rows = attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }));
  const columns: readonly [Column<Numbered>, ...Column<Numbered>[]] = [
    { key: "number", title: t("attempt"), cell: ({ number }) => format.number(number) },
    { key: "at", title: t("at"), cell: ({ at }) => <When at={at} /> },
    { key: "answer", title: t("answer"), cell: (attempt) => answerText(attempt, t) },
    { key: "took", title: t("took"), cell: ({ duration_ms }) => `${format.number(duration_ms)} ms`, align: "right" },
  ];
  return <DataTable label={t("attempts")} columns={columns} rows={rows} rowKey={({ number }) => String(number)} />;
}
