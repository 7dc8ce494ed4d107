import { z } from "zod";

/** What can be reached, for programs. A name once given never changes its meaning. */
export const limitNames = [
  "key_requests",
  "workspace_requests",
  "workspace_imports",
  "key_uploads",
  "workspace_uploads",
  "workspace_calls_per_day",
  "workspace_stored_bytes",
] as const;
export type LimitName = (typeof limitNames)[number];

const limit = z.number().int().nullable().meta({ description: "null: no limit.", example: 200 });
const Rate = z.object({
  limit,
  remaining: z.number().int().nullable().meta({ description: "What may be sent at once at this moment." }),
});
const AtOnce = z.object({ limit, used: z.number().int().meta({ description: "Under way at this moment." }) });
const Quota = z.object({
  limit,
  used: z.number().int().nullable().meta({ description: "null: not counted, for there is no limit." }),
});
const bytes = (description: string) => z.number().int().meta({ description });

export const LimitsBody = z
  .object({
    key: z
      .object({ requests_per_second: Rate, uploads_at_once: AtOnce })
      .meta({ description: "Of the key that asks. Rates and uploads are counted by each process of the service." }),
    workspace: z
      .object({
        requests_per_second: Rate,
        imports_per_second: Rate,
        uploads_at_once: AtOnce,
        calls_per_day: Quota.extend({
          resets_at: z.iso.datetime().meta({ description: "When the next day (UTC) begins." }),
        }),
        stored_bytes: Quota,
      })
      .meta({ description: "Of all keys of the workspace together." }),
    interface: z
      .object({
        recording_bytes: bytes("The largest recording."),
        json_body_bytes: bytes("The largest JSON body."),
        metadata_bytes: bytes("The part `metadata` as a whole."),
        metadata_entries: z.number().int(),
        metadata_key_characters: z.number().int(),
        metadata_value_characters: z.number().int(),
        page_size: z.number().int().meta({ description: "No page of any list holds more; some hold fewer." }),
        webhooks_per_workspace: z.number().int(),
        request_seconds: z.number().int().meta({ description: "How long a whole request may take." }),
        body_bytes_per_second: bytes("A slower body is cut …"),
        body_grace_seconds: z.number().int().meta({ description: "… after this long." }),
      })
      .meta({ description: "The same for all." }),
  })
  .meta({ id: "Limits" });
export type LimitsBody = z.output<typeof LimitsBody>;
