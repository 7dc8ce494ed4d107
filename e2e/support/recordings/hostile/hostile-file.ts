/** A file that attacks its decoder. */
export interface HostileFile {
  readonly name: string;
  /** Format that the API would detect. */
  readonly format: string;
  readonly bytes: Buffer;
}

/** Targets of hostile files: a local server, a text file and a sound file. */
export interface Decoys {
  readonly url: string;
  readonly text: string;
  readonly sound: string;
}

/** Small valid files, to be modified. */
export type ValidFiles = Readonly<Record<"wav" | "mp3" | "m4a" | "ogg" | "shortOgg" | "flac" | "webm", Buffer>>;
