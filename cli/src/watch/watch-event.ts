/** One thing that happened, as a log tells it. */
export type WatchEvent =
  | { readonly event: "imported" | "present" | "erased"; readonly file: string; readonly call: string | null }
  | {
      readonly event: "failed";
      readonly file: string;
      readonly code: string;
      readonly reason: string;
      readonly fix: string;
    }
  | { readonly event: "left_out"; readonly file: string }
  | { readonly event: "agent_created"; readonly email: string }
  | { readonly event: "waiting" | "trouble" | "started" | "ended"; readonly detail: string };

const words = { imported: "imported", present: "already there", erased: "erased before, not taken again" } as const;

/** An event as a line that a person reads in a log. */
export function tellEvent(event: WatchEvent): string {
  switch (event.event) {
    case "imported":
    case "present":
    case "erased":
      return `${words[event.event]}: ${event.file}${event.call === null ? "" : ` (call ${event.call})`}`;
    case "failed":
      return `failed: ${event.file}: ${event.code}: ${event.reason} ${event.fix}`;
    case "left_out":
      return `left out: ${event.file}: by what the mapping says it is no call to be imported`;
    case "agent_created":
      return `created: agent ${event.email}`;
    default:
      return `${event.event}: ${event.detail}`;
  }
}
