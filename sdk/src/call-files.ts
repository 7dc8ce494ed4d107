import type { CallFilter } from "./call-filter.ts";
import type { Download } from "./download.ts";
import { toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";

/** Bytes from `first` to `last`, inclusive; without `last`, to the end. */
export interface ByteRange {
  readonly first: number;
  readonly last?: number | undefined;
}

export interface GetAudio extends RequestOptions {
  /** The original recording instead of the playback copy. */
  readonly original?: boolean | undefined;
  readonly range?: ByteRange | undefined;
}

/** Output options of an export. */
export interface ExportFormat {
  readonly format: "csv" | "jsonl";
  /** csv: start with a byte order mark, so that Excel reads the file as UTF-8. */
  readonly bom?: boolean | undefined;
  /** csv: the field separator. */
  readonly separator?: "comma" | "semicolon" | undefined;
}

export interface ExportCalls extends CallFilter, ExportFormat, RequestOptions {
  /** csv: metadata keys to export as separate columns. */
  readonly metadataColumns?: readonly string[] | undefined;
  /** Also what was said. */
  readonly transcripts?: boolean | undefined;
}

/** Audio, waveform, speech segments and exports of calls. */
export function openCallFiles(transport: Transport) {
  return {
    /** Downloads the audio of a call. */
    audio: (id: string, { original, range, signal }: GetAudio = {}): Promise<Download> =>
      transport.download({
        method: "GET",
        path: `/calls/${encodeURIComponent(id)}/audio`,
        signal,
        query: { original },
        headers: rangeHeader(range),
      }),
    /** URL of a call's audio, for an audio element on a page served by Hearback. */
    audioUrl: (id: string): string => transport.urlOf(`/calls/${encodeURIComponent(id)}/audio`),
    /** Downloads the waveform of a call, in the format described in docs/waveform.md. */
    waveform: async (
      id: string,
      options: RequestOptions & { readonly range?: ByteRange | undefined } = {},
    ): Promise<Uint8Array> => {
      const path = `/calls/${encodeURIComponent(id)}/waveform`;
      const headers = rangeHeader(options.range);
      const { body } = await transport.download({ method: "GET", path, headers, signal: options.signal });
      return new Uint8Array(await new Response(body).arrayBuffer());
    },
    /** Exports all matching calls as CSV or JSON lines. */
    export: ({ signal, ...query }: ExportCalls): Promise<Download> =>
      transport.download({ method: "GET", path: "/calls/export", signal, query: exportQuery(query) }),
    /** URL of an export, for a link on a page served by Hearback. */
    exportUrl: ({ signal: _, ...query }: ExportCalls): string =>
      transport.urlOf(`/calls/export?${toQuery(exportQuery(query))}`),
  };
}

const exportQuery = ({ metadataColumns, ...query }: ExportCalls) => ({
  ...query,
  metadataColumns: metadataColumns?.length ? metadataColumns.join(",") : undefined,
});

const rangeHeader = (range: ByteRange | undefined) =>
  range && { range: `bytes=${range.first}-${range.last === undefined ? "" : range.last}` };
