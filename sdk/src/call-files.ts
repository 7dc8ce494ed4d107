import type { CallFilter } from "./call-filter.ts";
import type { Download } from "./download.ts";
import { toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { SpeechBody } from "./wire.ts";

/** Bytes from `first` to `last`, both included; without `last` to the end. */
export interface ByteRange {
  readonly first: number;
  readonly last?: number | undefined;
}

export interface GetAudio extends RequestOptions {
  /** The recording as it came, instead of the playback copy. */
  readonly original?: boolean | undefined;
  readonly range?: ByteRange | undefined;
}

/** How a list of anything is written to a file. */
export interface ExportFormat {
  readonly format: "csv" | "jsonl";
  /** csv: begins with a byte order mark, by which Excel knows UTF-8. */
  readonly bom?: boolean | undefined;
  /** csv: what stands between cells. */
  readonly separator?: "comma" | "semicolon" | undefined;
}

export interface ExportCalls extends CallFilter, ExportFormat, RequestOptions {
  /** csv: keys of metadata that get a column of their own. */
  readonly metadataColumns?: readonly string[] | undefined;
}

/** What of a call is a file, and calls as a file. */
export function openCallFiles(transport: Transport) {
  return {
    /** The sound of a call. */
    audio: (id: string, { original, range, signal }: GetAudio = {}): Promise<Download> =>
      transport.download({
        ...{ method: "GET", path: `/calls/${encodeURIComponent(id)}/audio`, signal },
        ...{ query: toQuery({ original }), headers: rangeHeader(range) },
      }),
    /** Where the sound of a call is, for an audio element of a page that the service itself serves. */
    audioUrl: (id: string): string => transport.urlOf(`/calls/${encodeURIComponent(id)}/audio`),
    /** The picture of a call's loudness, in the format of docs/waveform.md. */
    waveform: async (
      id: string,
      options: RequestOptions & { readonly range?: ByteRange | undefined } = {},
    ): Promise<Uint8Array> => {
      const path = `/calls/${encodeURIComponent(id)}/waveform`;
      const headers = rangeHeader(options.range);
      const { body } = await transport.download({ method: "GET", path, headers, signal: options.signal });
      return new Uint8Array(await new Response(body).arrayBuffer());
    },
    /** When somebody speaks, on each side. */
    speech: (id: string, options: RequestOptions = {}): Promise<SpeechBody> =>
      transport.json({ method: "GET", path: `/calls/${encodeURIComponent(id)}/speech`, ...options }),
    /** All calls that match, as CSV or JSON lines. */
    export: ({ signal, ...query }: ExportCalls): Promise<Download> =>
      transport.download({ method: "GET", path: "/calls/export", signal, query: exportQuery(query) }),
    /** Where that file is, for a link on a page that the service itself serves. */
    exportUrl: ({ signal: _, ...query }: ExportCalls): string => transport.urlOf(`/calls/export?${exportQuery(query)}`),
  };
}

const exportQuery = ({ metadataColumns, ...query }: ExportCalls) =>
  toQuery({ ...query, metadataColumns: metadataColumns?.length ? metadataColumns.join(",") : undefined });

const rangeHeader = (range: ByteRange | undefined) =>
  range && { range: `bytes=${range.first}-${range.last === undefined ? "" : range.last}` };
