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
        /** Reviews below which the score of an agent says too little. */
        readonly minReviews?: number | undefined;
        /** true: calls of campaigns with a transcription language are transcribed. */
        readonly transcription?: boolean | undefined;
        /** Minutes of speech that are transcribed per day (UTC). null: no quota. */
        readonly transcriptionMinutesPerDay?: number | null | undefined;
        /** true: phone numbers are masked, too, where a campaign masks. */
        readonly maskPhoneNumbers?: boolean | undefined;
        /** true: email addresses are masked, too, where a campaign masks. */
        readonly maskEmails?: boolean | undefined;
        /** Words and phrases that are masked, too, where a campaign masks. */
        readonly maskedWords?: readonly string[] | undefined;
        /** Months that calls are found by what was said. null: as long as they are kept. */
        readonly searchableMonths?: number | null | undefined;
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
