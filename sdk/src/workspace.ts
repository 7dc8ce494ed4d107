import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { WorkspaceBody } from "./wire.ts";

export interface ChangeWorkspace extends RequestOptions {
  readonly name?: string | undefined;
  /** Those that are given are changed, and no other. */
  readonly settings?: { readonly timeZone?: string | undefined } | undefined;
}

export function openWorkspace(transport: Transport) {
  return {
    /** The workspace that the key belongs to. */
    find: (options: RequestOptions = {}): Promise<WorkspaceBody> =>
      transport.json({ method: "GET", path: "/workspace", ...options }),
    change: ({ signal, name, settings }: ChangeWorkspace): Promise<WorkspaceBody> => {
      const body = inSnakeCase({ name, settings: settings && inSnakeCase(settings) });
      return transport.json({ method: "PATCH", path: "/workspace", body, signal });
    },
  };
}
export type Workspace = ReturnType<typeof openWorkspace>;
