export type Bytes = AsyncIterable<Uint8Array>;

/** Inclusive on both ends, as in an HTTP Range header. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Larger than any chunk read from a socket. */
export const maxChunkBytes = 256 * 1024;

/** Engines buffer this many bytes before they store anything, unless `finish` is called first. Callers rely on this. */
export const heldBytes = 4 * maxChunkBytes;

/** An object being uploaded. It exists only after `finish` has resolved. */
export interface Upload {
  /**
   * Accepts a chunk of at most `maxChunkBytes`. If it returns a promise, stop reading until it resolves; one more chunk
   * is allowed.
   */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Completes the object durably. */
  finish(): Promise<void>;
  /** Waits for pending writes and frees all resources. Use `Storage.delete` to remove what may have been stored. */
  abort(): Promise<void>;
}

/** Object storage for recordings. The server chooses all keys, and each key is written once. */
export interface Storage {
  /** Upload memory is shared fairly between owners. */
  create(key: string, owner: string): Upload;
  /** Reads the object, or a range of it. */
  get(key: string, range?: ByteRange): Promise<Bytes>;
  /** Size in bytes. Undefined if the object does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Deletes the object and the remains of an unfinished upload. Ignores missing objects. */
  delete(key: string): Promise<void>;
  /** Deletes completed objects, none of which is still being uploaded. Ignores missing objects. */
  deleteWhole(keys: readonly string[]): Promise<void>;
  /**
   * Lists keys with this prefix, in no particular order; with `after`, only greater ones. The prefix ends with a slash.
   */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** Lists the prefixes one level below, such as `recordings/a/` below `recordings/`. The prefix ends with a slash. */
  listFolders(prefix: string): AsyncIterable<string>;
  /** Creates a presigned URL that is valid for some seconds. Undefined if the engine does not support it. */
  readonly link?: (key: string, link: ObjectLink) => Promise<string>;
  /** Whether deleted objects can be brought back. Undefined if the engine cannot tell. */
  readonly findProtection?: () => Promise<"versioned" | "replicated" | "none">;
  /** Brings a deleted object back. Returns false if there is no version of it. Undefined if the engine keeps no versions. */
  readonly undelete?: (key: string) => Promise<boolean>;
  /** Throws with the reason unless objects can be written, read and deleted. */
  check(): Promise<void>;
  close(): void;
}

export interface ObjectLink {
  readonly seconds: number;
  /** Content-Type and Content-Disposition of the response. */
  readonly mediaType: string;
  readonly fileName: string;
}

export class ObjectMissing extends Error {
  override name = "ObjectMissing";
  constructor(key: string) {
    super(`the object ${key} does not exist`);
  }
}

/** A stored object that can be read in ranges, with its media type and file name. */
export interface StoredBytes {
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: number;
  read(range: ByteRange): Promise<Bytes>;
  /** Presigned URL to redirect the client to. Undefined: stream it through this server. */
  readonly link?: (() => Promise<string>) | undefined;
}
