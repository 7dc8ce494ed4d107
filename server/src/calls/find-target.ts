import { emailKey } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";

/** Where a call belongs: a campaign that takes calls, and an agent. */
export interface Target {
  readonly campaignId: string;
  readonly agent: { readonly id: string; readonly email: string; readonly name: string };
}

/** Finds campaign and agent in one question, or says which is not there. */
export async function findTarget(
  app: App,
  workspaceId: string,
  campaignId: string,
  agentEmail: string,
): Promise<Target> {
  const found = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("workspace")
      .leftJoin("campaign", (join) =>
        join.onRef("campaign.workspaceId", "=", "workspace.id").on("campaign.id", "=", campaignId),
      )
      .leftJoin("appUser", (join) =>
        join
          .onRef("appUser.workspaceId", "=", "workspace.id")
          .on("appUser.emailKey", "=", emailKey(agentEmail))
          .on("appUser.role", "=", "agent"),
      )
      .where("workspace.id", "=", workspaceId)
      .select(["campaign.id as campaignId", "campaign.archivedAt", "appUser.id", "appUser.email", "appUser.name"])
      .executeTakeFirstOrThrow(),
  );
  if (found.campaignId === null) {
    throw notFound("campaign_not_found", "campaign_id", `There is no campaign "${campaignId}" in this workspace.`);
  }
  if (found.archivedAt) {
    throw notFound("campaign_archived", "campaign_id", `The campaign "${campaignId}" is archived and takes no calls.`);
  }
  const { id, email, name } = found;
  if (id === null || email === null || name === null) {
    const detail = `There is no agent "${agentEmail}" in this workspace. Create it with POST /users/invite, then import the call again.`;
    throw notFound("agent_not_found", "agent_email", detail);
  }
  return { campaignId: found.campaignId, agent: { id, email, name } };
}

const notFound = (code: "campaign_not_found" | "campaign_archived" | "agent_not_found", part: string, detail: string) =>
  new AppError(code, detail, { issues: [{ part, code: "not_found", detail }] });
