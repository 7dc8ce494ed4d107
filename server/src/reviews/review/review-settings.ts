import type { Db } from "../../platform/database/database.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { toWorkspaceBody } from "../../workspaces/workspace-body.ts";

export interface ReviewSettings {
  /** Whether reviewers may review any call, not only assigned ones. */
  readonly reviewersPickCalls: boolean;
  /** Days until an open dispute is overdue. */
  readonly disputeDueDays: number;
}

export async function readReviewSettings(tx: Db, workspaceId: string): Promise<ReviewSettings> {
  const { settings } = toWorkspaceBody(await findWorkspace(tx, workspaceId));
  return { reviewersPickCalls: settings.reviewers_pick_calls, disputeDueDays: settings.dispute_due_days };
}
