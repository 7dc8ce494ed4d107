import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { reasonTexts } from "./reasons.ts";
import type { Reason } from "./series.ts";
import { useTexts } from "./texts.ts";

interface ReasonTableProps {
  readonly label: string;
  readonly reasons: readonly Reason[];
  readonly campaignNames: ReadonlyMap<string, string>;
  /** Whether the reasons link to calls. Refused imports have none. */
  readonly hasCalls?: boolean;
}

const maxNames = 3;

export function ReasonTable({ label, reasons, campaignNames, hasCalls }: ReasonTableProps) {
  const { t } = useTexts();
  const format = useFormat();
  const where = ({ campaigns }: Reason) => {
    const named = campaigns.map((id) => (id === null ? t("noCampaign") : (campaignNames.get(id) ?? id)));
    const more = named.length - maxNames;
    return [...named.slice(0, maxNames), ...(more > 0 ? [t("andMore", { count: more })] : [])].join(", ");
  };
  const columns: readonly [Column<Reason>, ...Column<Reason>[]] = [
    { key: "reason", title: t("reason"), cell: ({ code }) => <ReasonCell code={code} documented={!hasCalls} /> },
    { key: "where", title: t("campaign"), cell: where, width: "22%" },
    {
      key: "count",
      title: t("count"),
      align: "right",
      width: 90,
      cell: ({ count }) => <span className="tabular">{format.number(count)}</span>,
    },
    ...(hasCalls
      ? [{ key: "calls", title: t("calls"), width: 180, cell: (reason: Reason) => <FailedCalls {...reason} /> }]
      : []),
  ];
  return <DataTable label={label} columns={columns} rows={reasons} rowKey={({ code }) => code} />;
}

function ReasonCell({ code, documented }: { readonly code: string; readonly documented: boolean }) {
  const { t } = useTexts();
  const texts = reasonTexts[code];
  return (
    <>
      <Text fw={600} size="sm">
        {texts ? t(texts.cause) : code}
      </Text>
      {texts && (
        <Text size="sm" c="dimmed">
          {t(texts.fix)}
        </Text>
      )}
      {documented && (
        <Anchor href={`/errors/${encodeURIComponent(code)}`} size="xs" ff="monospace" underline="always">
          {code}
        </Anchor>
      )}
    </>
  );
}

function FailedCalls({ campaigns }: Reason) {
  const { t } = useTexts();
  const campaign = campaigns.filter((id) => id !== null);
  // The remaining campaigns are not listed by ID.
  const all = campaigns.includes(null);
  return (
    <TextLink to="/calls" search={{ status: "failed", ...(!all && { campaign }) }} size="sm">
      {t("showFailed")}
    </TextLink>
  );
}
