import type { ListReviews, ReviewBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { readReviewPage } from "./read-review-page.ts";

const { signal } = new AbortController();
const review = (id: string, state = "released", reviewer = "me") =>
  ({ id, state, reviewer: { type: "user", id: reviewer } }) as ReviewBody;

/** Pages by cursor; "" is the first. */
function pagesOf(pages: Readonly<Record<string, readonly [readonly ReviewBody[], string | null]>>) {
  const asked: ListReviews[] = [];
  const read = async (query: ListReviews) => {
    asked.push(query);
    const [reviews, next] = pages[query.cursor ?? ""] ?? [[], null];
    return { reviews, next };
  };
  return { asked, read };
}

test("continues over empty pages until the end", async () => {
  const { asked, read } = pagesOf({ "": [[], "a"], a: [[review("1")], "b"], b: [[], null] });
  const page = await readReviewPage(read, { outcome: "failed" }, { cursor: undefined, signal });
  expect(page).toEqual({ reviews: [review("1")], next: null });
  expect(asked.map(({ cursor, outcome }) => [cursor, outcome])).toEqual([
    [undefined, "failed"],
    ["a", "failed"],
    ["b", "failed"],
  ]);
});

test("stops after ten requests and says where to continue", async () => {
  let requests = 0;
  const read = async () => ({ reviews: [], next: `cursor-${++requests}` });
  const page = await readReviewPage(read, {}, { cursor: undefined, signal });
  expect([page, requests]).toEqual([{ reviews: [], next: "cursor-10" }, 10]);
});

test("leaves out only the reader's own drafts", async () => {
  const mixed = [review("1", "draft"), review("2", "draft", "other"), review("3")];
  const { asked, read } = pagesOf({ "": [mixed, null] });
  const page = await readReviewPage(read, { withoutDraftsOf: "me" }, { cursor: undefined, signal });
  expect(page.reviews.map(({ id }) => id)).toEqual(["2", "3"]);
  expect(asked[0]).not.toHaveProperty("withoutDraftsOf");
});
