/** A part of the console could not be fetched: the network is away, or it is not there any more after an update. */
export class PartMissing extends Error {
  override name = "PartMissing";
}
