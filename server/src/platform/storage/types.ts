export type Bytes = AsyncIterable<Uint8Array>;

/** Both ends included, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** More than a socket gives at once. */
export const maxChunkBytes = 256 * 1024;

/** No engine stores a byte before so many came or `finish` was called: time to prepare for what is stored. */
export const heldBytes = 4 * maxChunkBytes;

/** An object on its way into storage. It exists only once `finish` has answered. */
export interface Upload {
  /** Takes a chunk of at most `maxChunkBytes`. A promise means: read no more until it resolves; one more may still come. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Makes the object exist, whole and durable. */
  finish(): Promise<void>;
  /** Waits for what is under way, gives up and frees what the upload holds. Removing what may have been stored is `Storage.delete`'s. */
  abort(): Promise<void>;
}

/** Where recordings live. Keys are ours, never the client's, and each is written once. */
export interface Storage {
  /** Whoever owns it shares what uploads need with other owners. */
  create(key: string, owner: string): Upload;
  /** Reads the object, or the given bytes of it. */
  get(key: string, range?: ByteRange): Promise<Bytes>;
  /** Removes the object and whatever an unfinished upload left of it. An absent object is not an error. */
  delete(key: string): Promise<void>;
  /** Removes many objects, none of which is still being uploaded. Absent ones are not an error. */
  deleteWhole(keys: readonly string[]): Promise<void>;
  /** The keys that begin so, in no particular order. A prefix ends with a slash. */
  list(prefix: string): AsyncIterable<string>;
  /** An address at which anybody can read the object, for some seconds. Absent where an engine has no addresses. */
  readonly link?: (key: string, link: ObjectLink) => Promise<string>;
  /** Throws, saying what is wrong, unless objects can be written, read and removed. */
  check(): Promise<void>;
  close(): void;
}

export interface ObjectLink {
  readonly seconds: number;
  /** What the store is to say of the object to whoever reads it. */
  readonly mediaType: string;
  readonly fileName: string;
}

export class ObjectMissing extends Error {
  override name = "ObjectMissing";
  constructor(key: string) {
    super(`there is no object ${key}`);
  }
}

/** Something stored that can be read in pieces, and what it is to whoever gets it. */
export interface StoredBytes {
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: number;
  read(range: ByteRange): Promise<Bytes>;
  /** Where whoever gets it is to be sent for it. Absent: they get it from us. */
  readonly link?: (() => Promise<string>) | undefined;
}
