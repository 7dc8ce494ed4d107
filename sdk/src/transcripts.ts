import type { Download } from "./download.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { TranscriptFormat } from "./wire.ts";

export const openTranscriptFiles = (transport: Transport) => ({
  /** Downloads the transcript as subtitles, as text or as JSON. */
  download: (
    callId: string,
    { format, signal }: RequestOptions & { readonly format: TranscriptFormat },
  ): Promise<Download> =>
    transport.download({
      method: "GET",
      path: `/calls/${encodeURIComponent(callId)}/transcript`,
      query: { format },
      signal,
    }),
});
