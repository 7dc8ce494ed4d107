import { createClient } from "@hearback/sdk";
import { expect, test } from "vitest";
import { endOtherSessions } from "./end-other-sessions.ts";

const perPage = 200;
const sessions = Array.from({ length: 450 }, (_, n) => ({ id: `s${n}`, current: n === 3 }));

test("ends all sessions but the current one, across pages", async () => {
  const ended: string[] = [];
  const { session } = createClient({
    baseUrl: "http://hearback.test",
    async fetch(address, init) {
      const url = new URL(String(address));
      if (init?.method === "DELETE") {
        ended.push(url.pathname.slice("/sessions/".length));
        return new Response(null, { status: 204 });
      }
      expect(url.searchParams.get("user_id")).toBe("ann");
      const from = Number(url.searchParams.get("cursor") ?? 0);
      const next = from + perPage < sessions.length ? String(from + perPage) : null;
      return Response.json({ sessions: sessions.slice(from, from + perPage), next });
    },
  });
  await endOtherSessions(session, "ann");
  expect(ended).toEqual(sessions.filter(({ current }) => !current).map(({ id }) => id));
});
