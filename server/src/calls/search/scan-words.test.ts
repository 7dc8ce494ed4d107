import type { CallPageBody } from "@hearback/contract";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";
import { firstCallId, happenedAt } from "./call-filters.ts";
import { slicesFrom } from "./scan-words.ts";

const { api, key, admin, caller } = await openTestApp();
const { workspaceId } = caller;
const headers = { "x-api-key": await key("read") };

const hour = 60 * 60_000;
const day = 24 * hour;
const start = Date.UTC(2025, 0, 3);
const count = 4_000;

/** 1,500 calls within one hour, the others over 14 months. */
const timeOf = (n: number) =>
  n >= 2_000 && n < 3_500 ? start + 200 * day + (n - 2_000) * 2_000 : start + Math.floor((n * 420 * day) / count);

const words: Readonly<Record<string, (n: number) => string | null>> = {
  common: () => "common",
  half: (n) => (n % 2 === 0 ? "half" : null),
  tenth: (n) => (n % 10 === 3 ? "tenth" : null),
  rare: (n) => (n % 400 === 7 ? "rare" : null),
  first: (n) => (n === 0 ? "first" : null),
  burst: (n) => (n >= 600 && n < 3_300 ? "burst" : null),
  // Both words are in all calls, and seldom in this order.
  phrase: (n) => (n % 500 === 11 ? "alpha beta" : "beta alpha"),
  // Both pairs of words are in all calls, and seldom in this order.
  pairs: (n) => (n % 500 === 12 ? "yes no yes" : "no yes well yes no"),
};
let calls: { id: string; text: string }[] = [];

beforeAll(async () => {
  for (let at = start; at < start + 440 * day; at += 28 * day)
    await admin.query("select add_call_month($1)", [new Date(at)]);
  calls = Array.from({ length: count }, (_, n) => {
    const tail = `8000-8000-${n.toString(16).padStart(12, "0")}`;
    const text = Object.values(words).flatMap((word) => word(n) ?? []);
    return { id: `${firstCallId(timeOf(n)).slice(0, 14)}${tail}`, text: text.join(" ") };
  });
  await admin.query(
    `insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, metadata, recording_key, recording_bytes, sha256,
        format, created_at, imported_on)
      select $1, id, 'support-fr', (select id from app_user limit 1), $4::timestamptz, 'ready', '[]', 'recordings/' || id, 1, uuid_send(id), 'wav', $4::timestamptz, $4::timestamptz::date
      from unnest($2::uuid[], $3::text[]) as spoken (id, text)`,
    [workspaceId, calls.map(({ id }) => id), calls.map(({ text }) => text), new Date(start)],
  );
  await admin.query(
    `insert into call_words (workspace_id, call_id, channel, part, words)
      select $1, id, side, 0, to_tsvector('said_en', text)
      from unnest($2::uuid[], $3::text[]) as spoken (id, text), unnest(array['left', 'right']) as side`,
    [workspaceId, calls.map(({ id }) => id), calls.map(({ text }) => text)],
  );
  await admin.query("insert into words_language (workspace_id, language) values ($1, 'en')", [workspaceId]);
  calls.sort((a, b) => (a.id < b.id ? 1 : -1));
}, 120_000);

async function pagesOf(query: Record<string, string>): Promise<CallPageBody[]> {
  const pages: CallPageBody[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const asked = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const answer = await api.inject({ method: "GET", url: `/calls?${asked}`, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    const page: CallPageBody = answer.json();
    // Every page goes further back.
    if (page.next && cursor) expect(page.next < cursor).toBe(true);
    pages.push(page);
    cursor = page.next;
  }
  return pages;
}

const idsOf = (pages: readonly CallPageBody[]) => pages.flatMap((page) => page.calls.map(({ id }) => id));

test.each(["common", "half", "tenth", "rare", "first", "burst", "half rare", "tenth burst", "alpha beta", "absent"])(
  "finds every call in which %s was said, from slices of every width",
  async (said) => {
    const expected = calls.filter(({ text }) => said.split(" ").every((word) => text.split(" ").includes(word)));
    for (const limit of ["200", "50"])
      expect(idsOf(await pagesOf({ said, limit }))).toEqual(expected.map(({ id }) => id));
  },
);

test("finds a phrase whose words are in every call on one page", async () => {
  const pages = await pagesOf({ said: '"alpha beta"', limit: "50" });
  expect(pages.map((page) => page.calls.map(({ id }) => id))).toEqual([
    calls.filter(({ text }) => text.includes("alpha beta")).map(({ id }) => id),
  ]);
});

test("finds a phrase whose pairs of words are in every call, on short pages that say how far they got", async () => {
  const pages = await pagesOf({ said: '"yes no yes"', limit: "50" });
  expect(idsOf(pages)).toEqual(calls.filter(({ text }) => text.includes("yes no yes")).map(({ id }) => id));
  const short = pages.slice(0, -1);
  expect(short.length).toBeGreaterThan(0);
  for (const page of short) expect(page.searched_to).toBe(happenedAt(page.next ?? "").toISOString());
});

test.each(["tenth", "rare", "burst rare", '"alpha beta"', '"yes no yes"', "common"])(
  "finds %s between two times only",
  async (said) => {
    for (const days of [1, 100, 300]) {
      const [from, to] = [new Date(start + days * day + 5.5 * hour), new Date(start + (days + 90) * day)];
      const expected = calls.filter(({ id, text }) => {
        const at = happenedAt(id);
        const words = said.startsWith('"') ? [said.slice(1, -1)] : said.split(" ");
        return at >= from && at < to && words.every((word) => text.includes(word));
      });
      const pages = await pagesOf({ said, from: from.toISOString(), to: to.toISOString(), limit: "200" });
      expect(idsOf(pages)).toEqual(expected.map(({ id }) => id));
    }
  },
);

test("estimates how often a word was said from the calls that were searched", async () => {
  await admin.query("analyze call");
  const answer = await api.inject({ method: "GET", url: "/calls?said=half&count=estimate", headers });
  const { estimate } = answer.json<CallPageBody>();
  expect(estimate?.exact).toBe(false);
  expect(estimate?.count).toBeGreaterThan(1_000);
  expect(estimate?.count).toBeLessThan(3_500);
});

test("slices follow each other without gaps, in one month each, down to the oldest call", () => {
  const time = fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2026, 11) });
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 100 * day }), (a, b, widthMs) => {
      const [oldest, newest] = [firstCallId(Math.min(a, b)), firstCallId(Math.max(a, b) + 1)];
      const slices = slicesFrom({ below: newest, widthMs, oldest });
      let below = newest;
      for (const slice of slices) {
        expect(slice.below).toBe(below);
        expect(slice.floor < slice.below).toBe(true);
        const last = new Date(
          happenedAt(slice.below).getTime() - (slice.below.endsWith("0000-0000-000000000000") ? 1 : 0),
        );
        expect(happenedAt(slice.floor).toISOString().slice(0, 7) <= last.toISOString().slice(0, 7)).toBe(true);
        below = slice.floor;
      }
      expect(slices.length === 120 || below <= oldest || happenedAt(below) <= happenedAt(oldest)).toBe(true);
    }),
    { seed: 3, numRuns: 300 },
  );
});
