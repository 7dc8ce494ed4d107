import type { ReplayEvents } from "@hearback/sdk";

interface Replayed {
  readonly queued: number;
  readonly next: string | null;
}

interface Wanted {
  readonly from: Date;
  readonly onProgress: (queued: number) => void;
}

/** Resends all events since a time in batches. Returns the number queued. */
export async function replayAll(
  replay: (part: ReplayEvents) => Promise<Replayed>,
  { from, onProgress }: Wanted,
): Promise<number> {
  let queued = 0;
  let after: string | undefined;
  do {
    const part = await replay({ from, after });
    queued += part.queued;
    onProgress(queued);
    after = part.next ?? undefined;
  } while (after !== undefined);
  return queued;
}
