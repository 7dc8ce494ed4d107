import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import type { Role, SessionCaller } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import { requireDownload } from "./agent-downloads.ts";
import { changeWorkspace } from "./change-workspace.ts";

const { app, caller } = await openTestApp();
const { workspaceId } = caller;

const aUser = (role: Role): SessionCaller => ({
  kind: "session",
  workspaceId,
  sessionId: randomUUID(),
  userId: randomUUID(),
  role,
  agentId: null,
  campaignIds: null,
  twoStepNeeded: false,
});
const allowed = (who: Parameters<typeof requireDownload>[1]) =>
  inWorkspace(app, workspaceId, (tx) => requireDownload(tx, who)).then(
    () => true,
    ({ code }) => code,
  );

test("only agents need the workspace's permission to download recordings", async () => {
  for (const who of [caller, aUser("reviewer"), aUser("supervisor"), aUser("admin")]) {
    expect(await allowed(who)).toBe(true);
  }
  expect(await allowed(aUser("agent"))).toBe("download_forbidden");
  for (const on of [true, false]) {
    await changeWorkspace(app, operatorIn(workspaceId), { settings: { agents_can_download: on } });
    expect(await allowed(aUser("agent"))).toBe(on || "download_forbidden");
  }
});
