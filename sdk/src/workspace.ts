import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { TwoStepCountsBody, TwoStepRule, WorkspaceBody } from "./wire.ts";

export interface ChangeWorkspace extends RequestOptions {
  readonly name?: string | undefined;
  /** Settings to change. Omitted settings keep their value. */
  readonly settings?:
    | {
        readonly timeZone?: string | undefined;
        /** A date such as 2020-01-01. Earlier calls are refused. */
        readonly earliestConversation?: string | undefined;
        readonly twoStep?: TwoStepRule | undefined;
        /** false: users sign in only through the identity provider. */
        readonly passwordSignIn?: boolean | undefined;
        /** true: agents can download the original recordings of their calls. */
        readonly agentsCanDownload?: boolean | undefined;
        /** false: reviewers may review only calls that are assigned to them. */
        readonly reviewersPickCalls?: boolean | undefined;
        /** Days until an open dispute is overdue. */
        readonly disputeDueDays?: number | undefined;
        /** Months that reviews are kept after they were submitted. null: as long as their agent. */
        readonly reviewRetentionMonths?: number | null | undefined;
      }
    | undefined;
}

export function openWorkspace(transport: Transport) {
  return {
    /** Returns the workspace of the API key or user. */
    find: (options: RequestOptions = {}): Promise<WorkspaceBody> =>
      transport.json({ method: "GET", path: "/workspace", ...options }),
    /** Counts users who sign in with a password and have no second factor. */
    countWithoutTwoStep: (options: RequestOptions = {}): Promise<TwoStepCountsBody> =>
      transport.json({ method: "GET", path: "/workspace/two-step", ...options }),
    change: ({ signal, name, settings }: ChangeWorkspace): Promise<WorkspaceBody> => {
      const body = inSnakeCase({ name, settings: settings && inSnakeCase(settings) });
      return transport.json({ method: "PATCH", path: "/workspace", body, signal });
    },
  };
}
export type Workspace = ReturnType<typeof openWorkspace>;
