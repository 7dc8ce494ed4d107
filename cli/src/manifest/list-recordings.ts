import type { FileHandle } from "node:fs/promises";
import { openTemporary } from "./temporary-file.ts";
import { walkRecordings } from "./walk-recordings.ts";

/** A recording, or a folder of which the recordings are not known. */
export type Listed = { readonly file: string } | { readonly folder: string; readonly error: string };

export interface RecordingList {
  /** The same names in the same order, however often it is asked and whatever happens in the folder. */
  read(signal?: AbortSignal): AsyncGenerator<readonly Listed[]>;
  close(): Promise<void>;
}

const chunkBytes = 16 * 1024;

/**
 * Goes through a folder once and keeps the names, outside of memory: there may be millions. A file that comes later is not
 * among them, and one that is removed still has its place.
 */
export async function listRecordings(root: string): Promise<RecordingList> {
  const list = await openTemporary();
  try {
    let unreadable = "";
    const onUnreadable = (folder: string, error: string) => {
      unreadable += asText({ folder, error });
    };
    for await (const files of walkRecordings(root, { onUnreadable })) {
      await list.writeFile(unreadable + files.map((file) => asText({ file })).join(""));
      unreadable = "";
    }
  } catch (error) {
    await list.close();
    throw error;
  }
  return { read: (signal) => readList(list, signal), close: () => list.close() };
}

// No name below a folder has a NUL in it or begins with a slash.
const asText = (one: Listed) => ("file" in one ? `${one.file}\0` : `/${one.error}/${one.folder}\0`);

function fromText(text: string): Listed {
  if (!text.startsWith("/")) return { file: text };
  const cut = text.indexOf("/", 1);
  return { error: text.slice(1, cut), folder: text.slice(cut + 1) };
}

async function* readList(list: FileHandle, signal?: AbortSignal): AsyncGenerator<readonly Listed[]> {
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(chunkBytes);
  let begun = "";
  for (let at = 0; ; ) {
    const { bytesRead } = await list.read(buffer, 0, chunkBytes, at);
    if (bytesRead === 0) return;
    signal?.throwIfAborted();
    at += bytesRead;
    const texts = (begun + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split("\0");
    begun = texts.pop() ?? "";
    yield texts.map(fromText);
  }
}
