import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { forgetPerson, startAfresh } from "./forget-person.ts";

const aCache = () => {
  const queries = new QueryClient();
  queries.setQueryData(["session", "options"], "for everybody");
  queries.setQueryData(["calls"], "Ann's");
  return queries;
};

test("nothing of the person before is left, open or not", () => {
  const queries = aCache();
  const close = new QueryObserver(queries, { queryKey: ["calls"], staleTime: Number.POSITIVE_INFINITY }).subscribe(
    () => {},
  );
  forgetPerson(queries);
  expect(queries.getQueryData(["calls"])).toBeUndefined();
  expect(queries.getQueryData(["session", "options"])).toBe("for everybody");
  close();
});

test("an open page asks anew", async () => {
  const queries = aCache();
  queries.setQueryData(["users"], "Ann's");
  const seen: unknown[] = [];
  const open = { queryKey: ["calls"], queryFn: async () => "Bob's", staleTime: Number.POSITIVE_INFINITY };
  const close = new QueryObserver(queries, open).subscribe(({ data }) => seen.push(data));
  startAfresh(queries);
  await vi.waitFor(() => expect(seen.at(-1)).toBe("Bob's"));
  expect(seen.slice(0, -1)).not.toContain("Ann's");
  expect(queries.getQueryData(["users"])).toBeUndefined();
  close();
});
