import type { AgreementBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import classes from "../calibrations.module.css";
import { useTexts } from "../texts.ts";
import { type AgreementRow, agreementRows, type QuestionAgreement } from "./agreement-rows.ts";

type Figure = "raw" | "alpha" | "ac";

const figures = ["raw", "alpha", "ac"] as const satisfies readonly Figure[];

interface AgreementTableProps {
  readonly questions: readonly QuestionAgreement[];
  /** Title of a question, such as a link to its answers. */
  readonly title?: (row: AgreementRow) => ReactNode;
  readonly extra?: readonly Column<AgreementRow>[];
}

/** Agreement per question, and what the figures mean. */
export function AgreementTable({ questions, title, extra = [] }: AgreementTableProps) {
  const { t } = useTexts();
  const columns: readonly [Column<AgreementRow>, ...Column<AgreementRow>[]] = [
    {
      key: "question",
      title: t("question"),
      cell: (row) =>
        row.about === "applicability" ? (
          <Text inherit component="div" c="dimmed" pl="md" className="breakable">
            {t("applicabilityOf", { question: row.title })}
          </Text>
        ) : (
          (title?.(row) ?? <span className="breakable">{row.title}</span>)
        ),
    },
    {
      key: "calls",
      title: t("calls"),
      align: "right",
      cell: ({ agreement }) => agreement && <span className="tabular">{agreement.calls}</span>,
    },
    ...figures.map(
      (figure): Column<AgreementRow> => ({
        key: figure,
        title: t(figure),
        align: "right",
        cell: ({ agreement }) => <Estimate agreement={agreement} figure={figure} />,
      }),
    ),
    ...extra,
  ];
  return (
    <>
      <DataTable label={t("agreement")} columns={columns} rows={agreementRows(questions)} rowKey={({ key }) => key} />
      <Legend />
    </>
  );
}

interface EstimateProps {
  readonly agreement: AgreementBody | null;
  readonly figure: Figure;
}

/** A figure with its interval. */
function Estimate({ agreement, figure }: EstimateProps) {
  const { t } = useTexts();
  const format = useFormat();
  const decimals = new Intl.NumberFormat(format.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const text = (value: number) => (figure === "raw" ? format.percent(value) : decimals.format(value));
  if (!agreement) return figure === "raw" ? <Quiet>{t("notCompared")}</Quiet> : null;
  if (agreement.too_few) return figure === "raw" ? <Quiet>{t("tooFew")}</Quiet> : <Quiet>–</Quiet>;
  const { value, low, high } = agreement[figure];
  if (value === null) return <Quiet>{t(figure === "alpha" ? "allEqual" : "notCalculated")}</Quiet>;
  return (
    <span className="tabular nowrap">
      <b>{text(value)}</b>
      {figure !== "alpha" && (
        <Text span size="sm" c="dimmed" ml={6}>
          {low === null || high === null ? t("noInterval") : t("interval", { low: text(low), high: text(high) })}
        </Text>
      )}
    </span>
  );
}

const Quiet = ({ children }: { readonly children: string }) => (
  <Text span size="sm" c="dimmed">
    {children}
  </Text>
);

/** What each figure means, in one sentence. */
function Legend() {
  const { t } = useTexts();
  return (
    <dl className={classes.legend}>
      {figures.map((figure) => (
        <div key={figure}>
          <dt>{t(figure)}</dt>
          <dd>{t(`${figure}Detail`)}</dd>
        </div>
      ))}
      <div>
        <dt>{t("intervals")}</dt>
        <dd>{t("intervalsDetail")}</dd>
      </div>
    </dl>
  );
}
