import type { AgentScore } from "@hearback/sdk";
import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../access/queries.ts";
import { ChartSection } from "../charts/chart-section.tsx";
import { Intervals } from "../charts/estimate-rows.tsx";
import { teamQueries } from "../teams/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { byTeam, type TeamScores } from "./by-team.ts";
import { readScoreSearch, reviewsBehind, type ScoreSearch, toScoreFilter } from "./filter.ts";
import { type AgentScores, maxAgents, scoreQueries } from "./queries.ts";
import { ScoreFilters } from "./score-filters.tsx";
import { ScoreTabs } from "./score-tabs.tsx";
import { ScoresLoading } from "./scores-loading.tsx";
import { useTexts } from "./texts.ts";
import { useNumbers, withMinimum } from "./use-numbers.ts";
import { useTarget } from "./use-target.ts";

export function AgentsPage() {
  const { user } = useSession();
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const search = readScoreSearch(params);
  const scores = useQuery(scoreQueries.agents(toScoreFilter(search)));
  if (user.role !== "supervisor" && user.role !== "admin") return <NotAllowed />;
  return (
    <Page
      title={t("agentsTitle")}
      intro={t("agentsIntro")}
      actions={<ScoreTabs current="/scores/agents" params={params} />}
    >
      <ScoreFilters search={search} onChange={change} />
      {scores.isError && <Problem error={scores.error} onRetry={() => void scores.refetch()} />}
      {scores.data ? <Teams scores={scores.data} search={search} /> : scores.isPending && <ScoresLoading />}
    </Page>
  );
}

interface TeamsProps {
  readonly scores: AgentScores;
  readonly search: ScoreSearch;
}

function Teams({ scores: { agents, isCut, minReviews }, search }: TeamsProps) {
  const { t, language } = useTexts();
  const { data: teams = [] } = useQuery(teamQueries.list);
  const target = useTarget(search.scorecard ? [search.scorecard] : undefined);
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? t("formerTeam");
  if (agents.length === 0) {
    return (
      <EmptyState icon="chart" title={t("nothing")}>
        <Text c="dimmed" maw={480}>
          {t("nothingDetail")}
        </Text>
      </EmptyState>
    );
  }
  return (
    <>
      {isCut && (
        <Alert color="orange" icon={<Icon name="info" />}>
          {t("agentsCut", { count: maxAgents })}
        </Alert>
      )}
      <Text size="sm" c="dimmed" maw={720}>
        {t("minReviews", { count: minReviews })} {target === null ? t("noTarget") : t("greyMeans")}
      </Text>
      {byTeam(agents, nameOf, language).map((team) => (
        <Team
          key={team.teamId ?? ""}
          team={team}
          name={team.teamId === null ? t("noTeam") : nameOf(team.teamId)}
          search={search}
          target={target}
        />
      ))}
    </>
  );
}

interface TeamProps {
  readonly team: TeamScores;
  readonly name: string;
  readonly search: ScoreSearch;
  readonly target: number | null;
}

/** The own mean if the team has too few agents to shrink to. */
const estimateOf = ({ shrunk, score }: AgentScore) => (shrunk.value === null ? score : shrunk);

function Team({ team: { agents }, name, search, target }: TeamProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const linkOf = ({ agent_id: agent, name: agentName }: AgentScore) => (
    <TextLink to="/reviews" search={reviewsBehind(search, { agent })}>
      {agentName ?? t("formerUser")}
    </TextLink>
  );
  const noteOf = (agent: AgentScore) =>
    [
      t("reviewCount", { count: agent.score.n }),
      ...(agent.reviews_needed > 0 ? [t("needed", { count: agent.reviews_needed })] : []),
      ...(agent.shrunk.value === null && agent.score.value !== null ? [t("notShrunk")] : []),
    ].join(" · ");
  const columns = [t("shrunk"), t("low"), t("high"), t("scored"), t("ownMean"), t("missing")];
  return (
    <ChartSection
      title={name}
      fileName="agents"
      readable
      table={{
        columns: [{ title: t("agent") }, ...columns.map((title) => ({ title, numeric: true }))],
        rows: agents.map((agent) => ({
          key: agent.agent_id,
          cells: [
            { text: agent.name ?? t("formerUser"), node: linkOf(agent) },
            ...numbers.cells(withMinimum(estimateOf(agent), agent.reviews_needed === 0), numbers.score),
            {
              text: agent.score.value === null || agent.reviews_needed > 0 ? "–" : numbers.score(agent.score.value),
              value: agent.score.value === null || agent.reviews_needed > 0 ? null : agent.score.value / 100,
            },
            { text: numbers.count(agent.reviews_needed), value: agent.reviews_needed },
          ],
        })),
      }}
    >
      <Intervals
        label={name}
        nameTitle={t("agent")}
        valueTitle={t("score")}
        target={target}
        format={numbers.score}
        rows={agents.map((agent) => {
          const { value, low, high } = estimateOf(agent);
          const tooFew = agent.reviews_needed > 0;
          return {
            ...{ key: agent.agent_id, value, low, high, rangeOnly: tooFew },
            ...{ name: linkOf(agent), note: noteOf(agent) },
            ...(tooFew && { number: "–" }),
          };
        })}
      />
    </ChartSection>
  );
}
