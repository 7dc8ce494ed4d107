import { z } from "zod";

/** Names of limits, as in the `limit` member of a 429 response. Stable: a name never changes its meaning. */
export const limitNames = [
  "address_requests",
  "key_requests",
  "workspace_requests",
  "workspace_imports",
  "key_uploads",
  "workspace_uploads",
  "key_downloads",
  "workspace_downloads",
  "workspace_calls_per_day",
  "workspace_stored_bytes",
  "workspace_invitation_mails_per_day",
  "workspace_new_months",
] as const;
export type LimitName = (typeof limitNames)[number];

const limit = z.number().int().nullable().meta({ description: "null: no limit.", example: 200 });
const Rate = z
  .object({
    limit,
    remaining: z.number().int().nullable().meta({ description: "Requests that can be sent right now." }),
  })
  .meta({ id: "RateLimit" });
const AtOnce = z
  .object({ limit, used: z.number().int().meta({ description: "Transfers in progress." }) })
  .meta({ id: "ConcurrencyLimit" });
const Quota = z
  .object({
    limit,
    used: z
      .number()
      .int()
      .nullable()
      .meta({ description: "null: not counted yet, or there is no quota and the key is restricted to campaigns." }),
  })
  .meta({ id: "Quota" });
const bytes = (description: string) => z.number().int().meta({ description });

export const LimitsBody = z
  .object({
    key: z
      .object({ requests_per_second: Rate, uploads_at_once: AtOnce, downloads_at_once: AtOnce })
      .meta({ description: "Limits of the calling API key. Each server process counts rates and uploads separately." }),
    workspace: z
      .object({
        requests_per_second: Rate,
        imports_per_second: Rate,
        uploads_at_once: AtOnce,
        downloads_at_once: AtOnce,
        calls_per_day: Quota.extend({
          resets_at: z.iso.datetime().meta({ description: "Start of the next day (UTC)." }),
        }),
        stored_bytes: Quota,
        invitation_mails_per_day: z.object({ limit }),
      })
      .meta({ description: "Limits shared by all API keys of the workspace." }),
    interface: z
      .object({
        recording_bytes: bytes("Maximum size of a recording."),
        json_body_bytes: bytes("Maximum size of a JSON body. Scorecards may be larger."),
        metadata_bytes: bytes("Maximum size of the `metadata` part."),
        metadata_entries: z.number().int(),
        metadata_key_characters: z.number().int(),
        metadata_value_characters: z.number().int(),
        page_size: z
          .number()
          .int()
          .meta({ description: "Maximum page size of any list. Some lists have a lower maximum." }),
        webhooks_per_workspace: z.number().int(),
        request_seconds: z.number().int().meta({ description: "Maximum duration of a request." }),
        body_bytes_per_second: bytes(
          "Minimum upload rate. A slower request body is aborted after `body_grace_seconds`.",
        ),
        body_grace_seconds: z
          .number()
          .int()
          .meta({ description: "How long an upload may stay below its minimum rate." }),
        response_bytes_per_second: bytes(
          "Minimum download rate. A response read more slowly is aborted after `response_grace_seconds`.",
        ),
        response_grace_seconds: z
          .number()
          .int()
          .meta({ description: "How long a download may stay below its minimum rate." }),
      })
      .meta({ description: "Limits that apply to every workspace." }),
  })
  .meta({
    id: "Limits",
    examples: [
      {
        key: {
          requests_per_second: { limit: 200, remaining: 187 },
          uploads_at_once: { limit: 50, used: 2 },
          downloads_at_once: { limit: 50, used: 0 },
        },
        workspace: {
          requests_per_second: { limit: 400, remaining: 371 },
          imports_per_second: { limit: 100, remaining: 96 },
          uploads_at_once: { limit: 100, used: 2 },
          downloads_at_once: { limit: 100, used: 1 },
          calls_per_day: { limit: 10_000, used: 1_204, resets_at: "2026-11-16T00:00:00.000Z" },
          stored_bytes: { limit: null, used: null },
          invitation_mails_per_day: { limit: 500 },
        },
        interface: {
          recording_bytes: 536_870_912,
          json_body_bytes: 65_536,
          metadata_bytes: 65_536,
          metadata_entries: 100,
          metadata_key_characters: 128,
          metadata_value_characters: 1_024,
          page_size: 500,
          webhooks_per_workspace: 50,
          request_seconds: 3_600,
          body_bytes_per_second: 1_024,
          body_grace_seconds: 30,
          response_bytes_per_second: 1_024,
          response_grace_seconds: 30,
        },
      },
    ],
  });
export type LimitsBody = z.output<typeof LimitsBody>;
