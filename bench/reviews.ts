import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { freePort, unlimited } from "../e2e/support/stack/stack.ts";
import { agentId, callId, insertReviews, type ReviewData, reviewerId } from "./support/review-data.ts";
import { type Cluster, openCluster, withAdmin } from "./support/search-cluster.ts";

const run = promisify(execFile);
const server = join(import.meta.dirname, "../server/src/main.ts");
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

interface Loaded extends ReviewData {
  readonly baseUrl: string;
  readonly apiKey: string;
}

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
  const large = await load(cluster, reviews, cleanup, signal);
  const small = await load(cluster, smallReviews, cleanup, signal);
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

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function open({ baseUrl, apiKey }: Loaded, query: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${baseUrl}/reviews?limit=50&${query}`, { headers: { "x-api-key": apiKey } });
  const { reviews } = (await answer.json()) as { reviews: unknown[] };
  if (!answer.ok || reviews.length === 0) throw new Error(`no reviews: ${answer.status} ${query}`);
  return performance.now() - began;
}

/** A database with so many reviews, and an API on it. Both are created anew. */
async function load(
  cluster: Cluster,
  reviews: number,
  cleanup: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Loaded> {
  const name = `reviews_${reviews}`;
  await withAdmin(cluster.adminUrl("postgres"), async (admin) => {
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name} owner hearback_owner`);
  });
  const env = cluster.env(name);
  await run(process.execPath, [server, "migrate"], { env });
  const data = await withAdmin(cluster.adminUrl(name), async (admin) => {
    for (const setting of [
      "maintenance_work_mem = '2GB'",
      "synchronous_commit = off",
      "session_replication_role = replica",
    ])
      await admin.query(`set ${setting}`);
    return insertReviews(admin, reviews, (text) => {
      signal.throwIfAborted();
      console.error(text);
    });
  });
  const key = ["key", "create", "--workspace", data.workspaceId, "--name", "bench", "--scope", "read", "--json"];
  const { key: apiKey } = JSON.parse((await run(process.execPath, [server, ...key], { env })).stdout) as {
    key: string;
  };
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [server, "api"], {
    env: { ...env, ...unlimited, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  cleanup.defer(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  for (let isReady = false; !isReady; await sleep(50)) {
    if (child.exitCode !== null) throw new Error("the API did not start");
    isReady = await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }
  return { ...data, baseUrl, apiKey };
}
