import { parseArgs } from "node:util";
import { agentId, callId, insertReviews, type ReviewData, reviewerId } from "./support/review-data.ts";
import { loadService, median, type Service } from "./support/review-service.ts";
import { openCluster } from "./support/search/search-cluster.ts";

const smallReviews = 50_000;
const defaultReviews = 50_000_000;
const maxRatio = 1.5;

const usage = `npm run bench -- reviews [--json] [--reviews N] [--rounds N] [--dir DIR]

Opens the reviews of a call, of an agent, of a retired scorecard and by a reviewer over HTTP, in a workspace with
${defaultReviews.toLocaleString("en")} reviews and in one with ${smallReviews.toLocaleString("en")}. Fails if the median of the large one is more than ${maxRatio} times that of the
small one.

  --json     also print the results as JSON, in the last line
  --reviews  number of reviews of the large workspace; default ${defaultReviews.toLocaleString("en")}: about 45 GB, created in 20 minutes
  --rounds   requests for each list; default 300
  --dir      location of the database; default /var/tmp/hearback-bench-reviews`;

type Loaded = ReviewData & Service;

/** The lists that people open, by a number that selects the call, agent or reviewer. */
const lists: Readonly<Record<string, (data: ReviewData, number: number) => string>> = {
  "reviews of a call": ({ calls }, number) => `call_id=${callId(number % calls)}`,
  "reviews of an agent": ({ agents }, number) => `agent_id=${agentId(number % agents)}`,
  "reviews with a retired scorecard": ({ retiredScorecardId }) => `scorecard_id=${retiredScorecardId}`,
  "reviews by a reviewer": ({ reviewers }, number) => `reviewer_id=${reviewerId(number % reviewers)}`,
};

/** Compares lists of reviews. Returns the exit code. */
export async function benchReviews(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      reviews: { type: "string", default: String(defaultReviews) },
      rounds: { type: "string", default: "300" },
      dir: { type: "string", default: "/var/tmp/hearback-bench-reviews" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [reviews, rounds] = [Number(values.reviews), Number(values.rounds)];
  const isWrong = !Number.isInteger(reviews) || reviews < smallReviews || !Number.isInteger(rounds) || rounds < 1;
  if (values.help || isWrong) {
    console.error(usage);
    return values.help ? 0 : 2;
  }
  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup);
  const load = (count: number) =>
    loadService(cluster, `reviews_${count}`, { cleanup, signal }, (admin, say) => insertReviews(admin, count, say));
  const large = await load(reviews);
  const small = await load(smallReviews);
  const ratios: Record<string, number> = {};
  for (const [name, query] of Object.entries(lists)) {
    const times: { large: number[]; small: number[] } = { large: [], small: [] };
    // In turns, so that a disturbance affects both.
    for (let round = 0; round < rounds; round++) {
      signal.throwIfAborted();
      const number = (round * 7_919_317) % 1_000_003;
      times.large.push(await open(large, query(large, number)));
      times.small.push(await open(small, query(small, number)));
    }
    const [slow, fast] = [median(times.large), median(times.small)];
    ratios[name] = Number((slow / fast).toFixed(2));
    console.log(`${name}: ${slow.toFixed(2)} ms, in the small workspace ${fast.toFixed(2)} ms: ×${ratios[name]}`);
  }
  if (values.json) console.log(JSON.stringify(ratios));
  const slower = Object.entries(ratios).filter(([, ratio]) => ratio > maxRatio);
  if (slower.length > 0) throw new Error(`more than ${maxRatio} times: ${slower.map(([name]) => name).join(", ")}`);
  return 0;
}

async function open({ baseUrl, apiKey }: Loaded, query: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${baseUrl}/reviews?limit=50&${query}`, { headers: { "x-api-key": apiKey } });
  const { reviews } = (await answer.json()) as { reviews: unknown[] };
  if (!answer.ok || reviews.length === 0) throw new Error(`no reviews: ${answer.status} ${query}`);
  return performance.now() - began;
}
