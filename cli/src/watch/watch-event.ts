/** An event of the watcher, printed as text or as JSON. */
export type WatchEvent =
  | { readonly event: "imported" | "present" | "erased"; readonly file: string; readonly call: string | null }
  | {
      readonly event: "failed";
      readonly file: string;
      readonly code: string;
      readonly reason: string;
      readonly fix: string;
    }
  | { readonly event: "skipped"; readonly file: string }
  | { readonly event: "agent_created"; readonly email: string }
  | { readonly event: "waiting" | "problem" | "started" | "ended"; readonly detail: string };

const labels = { imported: "imported", present: "already imported", erased: "erased earlier, not imported" } as const;

/** Formats an event as a log line. */
export function formatEvent(event: WatchEvent): string {
  switch (event.event) {
    case "imported":
    case "present":
    case "erased":
      return `${labels[event.event]}: ${event.file}${event.call === null ? "" : ` (call ${event.call})`}`;
    case "failed":
      return `failed: ${event.file}: ${event.code}: ${event.reason} ${event.fix}`;
    case "skipped":
      return `skipped: ${event.file}: excluded by the mapping`;
    case "agent_created":
      return `created: agent ${event.email}`;
    default:
      return `${event.event}: ${event.detail}`;
  }
}
