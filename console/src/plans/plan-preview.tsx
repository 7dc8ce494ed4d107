import type { PlanPreviewBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../ui/icon.tsx";
import { type PlanForm, toPreviewInput } from "./plan-form.ts";
import classes from "./plans.module.css";
import { planQueries } from "./queries.ts";
import { type Translate, useTexts } from "./texts.ts";

/** Says in a sentence what the plan would draw. */
export function PlanPreview({ form }: { readonly form: PlanForm }) {
  const { t } = useTexts();
  const [settled] = useDebouncedValue(form, 400);
  const input = toPreviewInput(settled);
  const { data: preview, error, isPlaceholderData } = useQuery(planQueries.preview(input));
  const missing = preview && preview.reviews + preview.second_reviews - preview.capacity;
  return (
    <div className={classes.preview} role="status" data-stale={isPlaceholderData || undefined}>
      {!input ? (
        <Text size="sm" c="dimmed">
          {t("previewIncomplete")}
        </Text>
      ) : error && !preview ? (
        <Text size="sm" c="dimmed">
          {t("previewFailed")}
        </Text>
      ) : !preview ? (
        <Text size="sm" c="dimmed">
          {t("previewLoading")}
        </Text>
      ) : (
        <>
          <Text size="sm">{previewText(t, preview, settled)}</Text>
          {missing !== undefined && missing > 0 && settled.reviewers.some(({ userId }) => userId) && (
            <Text size="sm" fw={600} className={classes.warning}>
              <Icon name="warning" size={16} /> {t("noRoom", { count: missing })}
            </Text>
          )}
        </>
      )}
    </div>
  );
}

function previewText(t: Translate, preview: PlanPreviewBody, { period, perAgent = 1 }: PlanForm): string {
  const { calls, agents, reviews, second_reviews: second, capacity, complete } = preview;
  if (calls === 0) return t(`previewNone_${period}`);
  const values = { calls: t("calls", { count: calls }), agents: t("agents", { count: agents }) };
  return [
    t(complete ? `previewCalls_${period}` : "previewNewest", values),
    second > 0
      ? t("previewWithSecond", {
          number: perAgent,
          reviews: t("reviews", { count: reviews }),
          second: t("secondReviews", { count: second }),
        })
      : t("previewReviews", { number: perAgent, reviews: t("reviews", { count: reviews }) }),
    ...(capacity > 0 ? [t("previewRoom", { count: capacity })] : []),
  ].join(" ");
}
