import { type WorkspaceBody, WorkspaceSettings } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Workspace as WorkspaceTable } from "../platform/database/tables.ts";

export type Workspace = Selectable<WorkspaceTable>;

export function toWorkspaceBody({ id, name, settings, createdAt }: Workspace): WorkspaceBody {
  return { id, name, settings: WorkspaceSettings.parse(settings), created_at: createdAt.toISOString() };
}
