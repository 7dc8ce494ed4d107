import { Anchor, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/use-format.ts";
import { reasonTexts } from "./reasons.ts";
import type { Reason } from "./series.ts";

interface ReasonTableProps {
  readonly label: string;
  readonly reasons: readonly Reason[];
  readonly campaignNames: ReadonlyMap<string, string>;
  /** Whether there are calls to look at: what was refused left none. */
  readonly hasCalls?: boolean;
}

const mostNamed = 3;

/** Why, what to do about it, where, and how often. */
export function ReasonTable({ label, reasons, campaignNames, hasCalls }: ReasonTableProps) {
  const { t } = useTexts("imports");
  const format = useFormat();
  const where = ({ campaigns }: Reason) => {
    const named = campaigns.map((id) => (id === null ? t("noCampaign") : (campaignNames.get(id) ?? id)));
    const more = named.length - mostNamed;
    return [...named.slice(0, mostNamed), ...(more > 0 ? [t("andMore", { count: more })] : [])].join(", ");
  };
  const columns: readonly [Column<Reason>, ...Column<Reason>[]] = [
    { key: "reason", title: t("reason"), cell: ({ code }) => <What code={code} documented={!hasCalls} /> },
    { key: "where", title: t("campaign"), cell: where, width: "22%" },
    {
      ...{ key: "count", title: t("count"), align: "right", width: 90 },
      cell: ({ count }) => <span className="tabular">{format.number(count)}</span>,
    },
    ...(hasCalls
      ? [{ key: "calls", title: t("calls"), width: 180, cell: (reason: Reason) => <FailedCalls {...reason} /> }]
      : []),
  ];
  return <DataTable {...{ label, columns, rows: reasons }} rowKey={({ code }) => code} />;
}

function What({ code, documented }: { readonly code: string; readonly documented: boolean }) {
  const { t } = useTexts("imports");
  const texts = reasonTexts[code];
  return (
    <>
      <Text fw={600} size="sm">
        {texts ? t(texts.what) : code}
      </Text>
      {texts && (
        <Text size="sm" c="dimmed">
          {t(texts.mend)}
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
  const { t } = useTexts("imports");
  const campaign = campaigns.filter((id) => id !== null);
  // Those of the others have no name that could be asked for.
  const all = campaigns.includes(null);
  return (
    <TextLink to="/calls" search={{ status: "failed", ...(!all && { campaign }) }} size="sm">
      {t("showFailed")}
    </TextLink>
  );
}
