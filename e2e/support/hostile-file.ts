/** A file that is made to do harm to whoever decodes it. */
export interface HostileFile {
  readonly name: string;
  /** As what it is put before the worker: what the importer would have taken it for. */
  readonly format: string;
  readonly bytes: Buffer;
}

/** What a hostile file tries to reach: a server of this machine, a text and a sound that are nobody's business. */
export interface Prey {
  readonly url: string;
  readonly text: string;
  readonly sound: string;
}

/** Small files that are what they say, to be spoiled. */
export type Honest = Readonly<Record<"wav" | "mp3" | "m4a" | "ogg" | "shortOgg" | "flac" | "webm", Buffer>>;
