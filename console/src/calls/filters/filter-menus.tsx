import { useTexts } from "../texts.ts";
import type { CallFilters } from "./call-filters.ts";
import { FilterMenu } from "./filter-menu.tsx";

interface FilterMenusProps {
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  /** Agents only see their own calls. */
  readonly ownCalls: boolean;
  /** Agents and reviewers search by their own reviews. */
  readonly ownReviews: boolean;
  readonly onChange: (filters: CallFilters) => void;
}

export function FilterMenus({ ownCalls, ownReviews, ...props }: FilterMenusProps) {
  const { t } = useTexts();
  const {
    period,
    campaigns,
    agents,
    statuses,
    minDuration,
    maxDuration,
    metadata,
    review,
    reviewers,
    minScore,
    maxScore,
    said,
  } = props.filters;
  const durations = [minDuration, maxDuration].filter((seconds) => seconds !== undefined).length;
  const reviews = [review, minScore, maxScore].filter((filter) => filter !== undefined).length;
  return (
    <>
      <FilterMenu kind="period" label={t("period")} chosen={period ? 1 : 0} width={290} {...props} />
      <FilterMenu kind="campaign" label={t("columnCampaign")} chosen={campaigns.length} {...props} />
      {!ownCalls && <FilterMenu kind="agent" label={t("columnAgent")} chosen={agents.length} {...props} />}
      <FilterMenu kind="status" label={t("columnStatus")} chosen={statuses.length} width={220} {...props} />
      <FilterMenu kind="duration" label={t("columnDuration")} chosen={durations} width={220} {...props} />
      <FilterMenu kind="said" label={t("said")} chosen={said ? 1 : 0} width={300} {...props} />
      <FilterMenu kind="review" label={t("columnReview")} chosen={reviews} width={220} {...props} />
      {!ownReviews && <FilterMenu kind="reviewer" label={t("reviewer")} chosen={reviewers.length} {...props} />}
      <FilterMenu kind="metadata" label={t("metadata")} chosen={metadata.length} {...props} />
    </>
  );
}
