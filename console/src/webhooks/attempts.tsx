import type { DeliveryBody } from "@hearback/sdk";
import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { type Attempt, answerText } from "./delivery-outcome.tsx";
import { useTexts } from "./texts.ts";

/** Number of attempts; opens a dialog with each. */
export function Attempts({ delivery }: { readonly delivery: DeliveryBody }) {
  const { t } = useTexts();
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
  const { t } = useTexts();
  const format = useFormat();
  const rows = attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }));
  const columns: readonly [Column<Numbered>, ...Column<Numbered>[]] = [
    { key: "number", title: t("attempt"), cell: ({ number }) => format.number(number) },
    { key: "at", title: t("at"), cell: ({ at }) => <Timestamp at={at} /> },
    { key: "answer", title: t("answer"), cell: (attempt) => answerText(attempt, t) },
    { key: "took", title: t("took"), cell: ({ duration_ms }) => `${format.number(duration_ms)} ms`, align: "right" },
  ];
  return <DataTable label={t("attempts")} columns={columns} rows={rows} rowKey={({ number }) => String(number)} />;
}
