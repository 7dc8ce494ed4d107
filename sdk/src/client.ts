import { openCalls } from "./calls.ts";
import { openEvents } from "./events.ts";
import { openResources } from "./generated/resources.ts";
import { openTranscriptFiles } from "./transcripts.ts";
import { type ClientOptions, openTransport, type Transport } from "./transport.ts";

function openGroups(transport: Transport) {
  const resources = openResources(transport);
  return {
    ...resources,
    calls: { ...resources.calls, ...openCalls(transport) },
    events: openEvents(transport),
    transcripts: { ...resources.transcripts, ...openTranscriptFiles(transport) },
  };
}

/** All API operations, grouped by resource. */
export interface Client extends Readonly<ReturnType<typeof openGroups>> {
  /** Closes idle upload connections. A program can also exit without it. */
  readonly close: () => void;
}

export function createClient(options: ClientOptions): Client {
  const transport = openTransport(options);
  return { ...openGroups(transport), close: transport.close };
}
