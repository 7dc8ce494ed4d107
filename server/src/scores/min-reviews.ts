import type { Db } from "../platform/database/database.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { toWorkspaceBody } from "../workspaces/workspace-body.ts";

/** Scored reviews below which an agent's score says too little. */
export const readMinReviews = async (tx: Db, workspaceId: string): Promise<number> =>
  toWorkspaceBody(await findWorkspace(tx, workspaceId)).settings.min_reviews;
