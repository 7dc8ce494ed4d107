import { openCalls } from "./calls.ts";
import { openEvents } from "./events.ts";
import { openResources, type Resources } from "./generated/resources.ts";
import { openTranscriptFiles } from "./transcripts.ts";
import { type ClientOptions, openTransport } from "./transport.ts";

/** All API operations, grouped by resource. */
export interface Client extends Resources {
  readonly calls: Resources["calls"] & ReturnType<typeof openCalls>;
  readonly events: ReturnType<typeof openEvents>;
  readonly transcripts: Resources["transcripts"] & ReturnType<typeof openTranscriptFiles>;
  /** Closes idle upload connections. A program can also exit without it. */
  readonly close: () => void;
}

export function createClient(options: ClientOptions): Client {
  const transport = openTransport(options);
  const resources = openResources(transport);
  return {
    ...resources,
    calls: { ...resources.calls, ...openCalls(transport) },
    events: openEvents(transport),
    transcripts: { ...resources.transcripts, ...openTranscriptFiles(transport) },
    close: transport.close,
  };
}
