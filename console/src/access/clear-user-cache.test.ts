import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { clearUserCache, resetUserCache } from "./clear-user-cache.ts";

const aCache = () => {
  const queries = new QueryClient();
  queries.setQueryData(["session", "options"], "for everybody");
  queries.setQueryData(["calls"], "Ann's");
  return queries;
};

test("removes all data of the previous user", () => {
  const queries = aCache();
  const close = new QueryObserver(queries, { queryKey: ["calls"], staleTime: Number.POSITIVE_INFINITY }).subscribe(
    () => {},
  );
  clearUserCache(queries);
  expect(queries.getQueryData(["calls"])).toBeUndefined();
  expect(queries.getQueryData(["session", "options"])).toBe("for everybody");
  close();
});

test("an open page refetches", async () => {
  const queries = aCache();
  queries.setQueryData(["users"], "Ann's");
  const seen: unknown[] = [];
  const open = { queryKey: ["calls"], queryFn: async () => "Bob's", staleTime: Number.POSITIVE_INFINITY };
  const close = new QueryObserver(queries, open).subscribe(({ data }) => seen.push(data));
  resetUserCache(queries);
  await vi.waitFor(() => expect(seen.at(-1)).toBe("Bob's"));
  expect(seen.slice(0, -1)).not.toContain("Ann's");
  expect(queries.getQueryData(["users"])).toBeUndefined();
  close();
});
