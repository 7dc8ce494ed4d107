/** A lazily loaded chunk is missing: the network is down, or an update removed it. */
export class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
}
