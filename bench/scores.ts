import { parseArgs } from "node:util";
import pg from "pg";
import { loadService, median, type Service } from "./support/review-service.ts";
import { insertScores, period, type ScoreData, teamOfAgents } from "./support/score-data.ts";
import { openCluster } from "./support/search/search-cluster.ts";

const defaultReviews = 5_000_000;
const defaultSmall = 50_000;
const defaultAgents = 20_000;
const maxToBare = 3;
const maxToSmall = 1.5;
const maxPageMs = 1_000;

const usage = `npm run bench -- scores [--json] [--verify] [--reviews N] [--small N] [--agents N] [--rounds N] [--dir DIR]

Opens the overview of 12 weeks over HTTP, in a workspace with ${defaultReviews.toLocaleString("en")} reviews of 25 questions and in one with ${defaultSmall.toLocaleString("en")},
of the same 12 weeks and agents. Fails if the median of the large one is more than ${maxToBare} times that of bare SQL which reads the
same sums, or more than ${maxToSmall} times that of the small one. Then reads a page of reviewers, of all agents and of the agents of
a team in the large workspace: fails if a median is more than ${maxPageMs} ms.

  --json     also print the results as JSON, in the last line
  --verify   also verify the sums of the small workspace (hearback-server scores verify)
  --reviews  number of reviews of the large workspace; default ${defaultReviews.toLocaleString("en")}
  --small    number of reviews of the small workspace; default ${defaultSmall.toLocaleString("en")}
  --agents   number of agents of both; default ${defaultAgents.toLocaleString("en")}
  --rounds   requests for each; default 30
  --dir      location of the database; default /var/tmp/hearback-bench-scores`;

type Loaded = ScoreData & Service & { readonly bare: pg.Client };

/** Compares overviews of scores. Returns the exit code. */
export async function benchScores(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      verify: { type: "boolean" },
      reviews: { type: "string", default: String(defaultReviews) },
      small: { type: "string", default: String(defaultSmall) },
      agents: { type: "string", default: String(defaultAgents) },
      rounds: { type: "string", default: "30" },
      dir: { type: "string", default: "/var/tmp/hearback-bench-scores" },
      help: { type: "boolean", short: "h" },
    },
  });
  const numbers = [values.reviews, values.small, values.agents, values.rounds].map(Number);
  const [reviews = 0, small = 0, agents = 0, rounds = 0] = numbers;
  if (values.help || numbers.some((number) => !Number.isInteger(number) || number < 1) || small > reviews) {
    console.error(usage);
    return values.help ? 0 : 2;
  }
  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup);
  const load = async (count: number): Promise<Loaded> => {
    const name = `scores_${count}`;
    const loaded = await loadService(cluster, name, { cleanup, signal }, (admin, say) =>
      insertScores(admin, { reviews: count, agents }, say),
    );
    const bare = new pg.Client({ connectionString: cluster.adminUrl(name) });
    await bare.connect();
    cleanup.defer(() => bare.end());
    return { ...loaded, bare };
  };
  const [of, few] = [await load(reviews), await load(small)];
  if (values.verify) console.log((await few.command("scores", "verify")).trim());
  const times: Record<"large" | "bare" | "small", number[]> = { large: [], bare: [], small: [] };
  // In turns, so that a disturbance affects all. The first round warms the caches.
  for (let round = -1; round < rounds; round++) {
    signal.throwIfAborted();
    const took = { large: await openOverview(of), bare: await readSums(of), small: await openOverview(few) };
    if (round >= 0) for (const name of ["large", "bare", "small"] as const) times[name].push(took[name]);
  }
  const [slow, bare, fast] = [median(times.large), median(times.bare), median(times.small)];
  const [toBare, toSmall] = [slow / bare, slow / fast].map((ratio) => Number(ratio.toFixed(2))) as [number, number];
  console.log(`overview of 12 weeks, ${reviews.toLocaleString("en")} reviews: ${slow.toFixed(1)} ms`);
  console.log(`bare SQL over the same sums: ${bare.toFixed(1)} ms: ×${toBare} (at most ${maxToBare})`);
  console.log(`with ${small.toLocaleString("en")} reviews: ${fast.toFixed(1)} ms: ×${toSmall} (at most ${maxToSmall})`);
  const pages = await measurePages(of, rounds, signal);
  if (values.json) console.log(JSON.stringify({ to_bare: toBare, to_small: toSmall, pages_ms: pages }));
  if (toBare > maxToBare || toSmall > maxToSmall) throw new Error("the overview is too slow");
  if (Object.values(pages).some((ms) => ms > maxPageMs)) throw new Error("a page is too slow");
  return 0;
}

/** Median milliseconds of the first page of each list. */
async function measurePages(loaded: Loaded, rounds: number, signal: AbortSignal): Promise<Record<string, number>> {
  const lists = { reviewers: "reviewers?", agents: "agents?", "agents of a team": `agents?team_id=${teamOfAgents}&` };
  const medians: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) {
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      signal.throwIfAborted();
      const took = await openPage(loaded, list);
      if (round >= 0) times.push(took);
    }
    medians[name] = Math.round(median(times));
    console.log(
      `page of ${name}: ${medians[name]} ms, at most ${Math.round(Math.max(...times))} (median at most ${maxPageMs})`,
    );
  }
  return medians;
}

async function openPage({ baseUrl, apiKey }: Loaded, list: string): Promise<number> {
  const began = performance.now();
  const url = `${baseUrl}/scores/${list}from=${period.from}&to=${period.to}`;
  const answer = await fetch(url, { headers: { "x-api-key": apiKey } });
  const body = (await answer.json()) as { agents?: unknown[]; reviewers?: unknown[] };
  if (!(body.agents ?? body.reviewers)?.length)
    throw new Error(`no page: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`);
  return performance.now() - began;
}

async function openOverview({ baseUrl, apiKey, reviews }: Loaded): Promise<number> {
  const began = performance.now();
  const url = `${baseUrl}/scores/overview?from=${period.from}&to=${period.to}`;
  const answer = await fetch(url, { headers: { "x-api-key": apiKey } });
  const body = (await answer.json()) as { reviews: number; questions: unknown[] };
  if (body.reviews !== reviews || body.questions.length !== 25)
    throw new Error(`wrong overview: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`);
  return performance.now() - began;
}

/** Bare SQL: the sums that the overview needs. */
async function readSums({ bare, workspaceId }: Loaded): Promise<number> {
  const began = performance.now();
  await bare.query(
    `select part, item_id, case when part = 'review' then day end as day, sum(scored), sum(unscored), sum(passed), sum(failed),
        sum(failed_call), sum(score_total), sum(score_squares), sum(disputes), sum(disputes_changed), sum(release_seconds),
        sum(acknowledged), sum(acknowledgement_seconds)
      from score_sum where workspace_id = $1 and day between $2 and $3 group by 1, 2, 3`,
    [workspaceId, period.from, period.to],
  );
  return performance.now() - began;
}
