import { close, closeSync, lstat, lstatSync, open, openSync, read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";

type MaybePromise<Value> = Value | Promise<Value>;

/** File operations, synchronous or asynchronous. */
export interface FileAccess {
  lstat(path: string): MaybePromise<Stats>;
  open(path: string): MaybePromise<number>;
  /** Returns the number of bytes read. */
  read(file: number, into: Buffer, at: number): MaybePromise<number>;
  close(file: number): MaybePromise<void>;
}

/** Synchronous: four times as fast as the thread pool if the file system cache answers. */
export const syncAccess: FileAccess = {
  lstat: (path) => lstatSync(path),
  open: (path) => openSync(path, "r"),
  read: (file, into, at) => readSync(file, into, 0, into.length, at),
  close: (file) => closeSync(file),
};

const later = { lstat: promisify(lstat), open: promisify(open), read: promisify(read), close: promisify(close) };

/** Asynchronous: for slow disks and networks, where concurrent requests pay off. */
export const asyncAccess: FileAccess = {
  lstat: (path) => later.lstat(path),
  open: (path) => later.open(path, "r"),
  read: async (file, into, at) => (await later.read(file, into, 0, into.length, at)).bytesRead,
  close: (file) => later.close(file),
};
