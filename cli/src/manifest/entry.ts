/** One call to be imported, as a manifest, a file name or a sidecar says it. Everything in it has been checked. */
export interface Entry {
  /** Where it stands in the manifest, counted from 1 as an editor does; without a manifest, its place among the files. */
  readonly line: number;
  /** As the manifest names it. */
  readonly file: string;
  /** Where it is, absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly campaignId: string;
  readonly agentEmail: string;
  /** For an agent that has to be created. */
  readonly agentName: string | undefined;
  /** Unix time in seconds. */
  readonly happenedAt: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** The row as it was read, for the file of failures: its cells in the order of the manifest's columns. */
  readonly cells: readonly string[];
}
