import type { PlanBody } from "@hearback/sdk";
import { useQuery } from "@tanstack/react-query";
import { campaignQueries } from "../campaigns/queries.ts";
import { reviewQueries } from "../reviews/queries.ts";
import { Fact } from "../ui/fact.tsx";
import { clock } from "../ui/time/use-format.ts";
import classes from "./plans.module.css";
import { type Translate, useTexts } from "./texts.ts";

interface RuleFactsProps {
  readonly plan: PlanBody;
  /** Names of the teams. Undefined: the user may not see them. */
  readonly teamName: ((id: string) => string) | undefined;
}

/** The rules of a plan in words. */
export function RuleFacts({ plan, teamName }: RuleFactsProps) {
  const { t } = useTexts();
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const campaignNames = new Map(campaigns.map(({ id, name }) => [id, name]));
  const { campaign_ids, team_ids, metadata, monthly_limit, second_percent, close_delay_hours: hours } = plan;
  const duration = durationText(t, plan);
  return (
    <dl className={classes.facts}>
      <Fact title={t("drawsColumn")}>{t(`drawn_${plan.period}`, { count: plan.per_agent })}</Fact>
      <Fact title={t("timeZone")}>{plan.time_zone.replaceAll("_", " ")}</Fact>
      <Fact title={t("scorecard")}>{scorecards.find(({ id }) => id === plan.scorecard_id)?.name ?? "…"}</Fact>
      <Fact title={t("campaigns")}>
        {campaign_ids.length === 0
          ? t("allCampaigns")
          : campaign_ids.map((id) => campaignNames.get(id) ?? id).join(", ")}
      </Fact>
      <Fact title={t("teams")}>
        {team_ids.length === 0
          ? t("allAgents")
          : teamName
            ? team_ids.map(teamName).join(", ")
            : t("someTeams", { count: team_ids.length })}
      </Fact>
      {duration && <Fact title={t("duration")}>{duration}</Fact>}
      {metadata.length > 0 && (
        <Fact title={t("metadata")}>{metadata.map(({ key, value }) => `${key} = ${value}`).join(", ")}</Fact>
      )}
      {monthly_limit !== null && <Fact title={t("monthlyLimit")}>{t("monthlyLimitOf", { count: monthly_limit })}</Fact>}
      <Fact title={t("dueDays")}>{t("daysAfterDraw", { count: plan.due_days })}</Fact>
      <Fact title={t("secondReviewsTitle")}>
        {second_percent === 0 ? t("noSecondReviews") : t("secondShare", { number: second_percent })}
      </Fact>
      {plan.skip_team_lead && <Fact title={t("teamLeads")}>{t("skipTeamLead")}</Fact>}
      {hours > 0 && <Fact title={t("nonce")}>{t("nonceHours", { count: hours })}</Fact>}
    </dl>
  );
}

function durationText(t: Translate, { min_duration_s: min, max_duration_s: max }: PlanBody): string | undefined {
  const text = (seconds: number) => clock(seconds * 1000);
  if (min !== null && max !== null) return t("durationBetween", { min: text(min), max: text(max) });
  if (min !== null) return t("durationAtLeast", { min: text(min) });
  return max === null ? undefined : t("durationAtMost", { max: text(max) });
}
