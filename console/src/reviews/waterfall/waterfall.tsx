import type { ScorecardDocument } from "@hearback/scoring/document";
import type { ReviewResult } from "@hearback/sdk";
import { Button, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../../ui/time/use-format.ts";
import { questionTitles } from "../question-titles.ts";
import classes from "../reviews.module.css";
import { useTexts } from "../texts.ts";
import { type Step, waterfallSteps } from "./waterfall-steps.ts";

interface WaterfallProps {
  readonly document: ScorecardDocument;
  readonly result: ReviewResult;
}

/** Losses shown at first. One more is never hidden alone. */
const shownAtFirst = 8;

/** The lost points of each question, from 100 to the score. A table whose bars are decorative. */
export function Waterfall({ document, result }: WaterfallProps) {
  const { t } = useTexts();
  const { language } = useFormat();
  const [all, setAll] = useState(false);
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  const points = (hundredths: number) => format.format(hundredths / 100);
  const { score, failed_by } = result;
  if (score === null) return <Text c="dimmed">{t("notScoredDetail")}</Text>;
  const titles = questionTitles(document);
  const steps = waterfallSteps(result);
  if (steps.length === 0) return <Text c="dimmed">{t("nothingLost")}</Text>;
  const nameOf = ({ question }: Step) =>
    question === null
      ? t("failedBy", { questions: failed_by.map((by) => titles.get(by.question) ?? by.question).join(", ") })
      : (titles.get(question) ?? question);
  const isLong = steps.length > shownAtFirst + 1;
  const shown = isLong && !all ? steps.slice(0, shownAtFirst) : steps;
  const rest = steps.slice(shown.length);
  const before = rest.at(0);
  const after = rest.at(-1);
  return (
    <>
      <table className={classes.waterfall}>
        <caption>
          <VisuallyHidden>{t("waterfallCaption", { score: points(score) })}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("question")}</th>
            <th scope="col">{t("lost")}</th>
            <th scope="col">{t("left")}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              {t("maximum")}
              <Bar from={0} to={10_000} kind="whole" />
            </th>
            <td />
            <td>{points(10_000)}</td>
          </tr>
          {shown.map((step) => (
            <tr key={step.question ?? ""}>
              <th scope="row">
                <span className="breakable">{nameOf(step)}</span>
                <Bar from={step.left} to={step.left + step.lost} kind={step.question === null ? "fail" : "loss"} />
              </th>
              <td data-lost>−{points(step.lost)}</td>
              <td>{points(step.left)}</td>
            </tr>
          ))}
          {before && after && (
            <tr>
              <th scope="row">
                {t("otherLosses", { count: rest.length })}
                <Bar from={after.left} to={before.left + before.lost} kind="loss" />
              </th>
              <td data-lost>−{points(before.left + before.lost - after.left)}</td>
              <td>{points(after.left)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {t("score")}
              <Bar from={0} to={score} kind="score" />
            </th>
            <td data-lost>−{points(10_000 - score)}</td>
            <td>{points(score)}</td>
          </tr>
        </tfoot>
      </table>
      {isLong && (
        <Button variant="subtle" size="compact-sm" mt="xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("showFewer") : t("showAll", { count: steps.length })}
        </Button>
      )}
    </>
  );
}

interface BarProps {
  /** In hundredths. */
  readonly from: number;
  readonly to: number;
  readonly kind: "whole" | "loss" | "fail" | "score";
}

const Bar = ({ from, to, kind }: BarProps) => (
  <span className={classes.bar} aria-hidden="true">
    <span data-kind={kind} style={{ left: `${from / 100}%`, width: `max(2px, ${(to - from) / 100}%)` }} />
  </span>
);
