import type { FileHandle } from "node:fs/promises";
import { openTemporary } from "../temporary-file.ts";
import { walkRecordings } from "./walk-recordings.ts";

/** A recording, or a folder that could not be read. */
export type Listed = { readonly file: string } | { readonly folder: string; readonly error: string };

export interface RecordingList {
  /** Yields the same names in the same order on every call. */
  read(signal?: AbortSignal): AsyncGenerator<readonly Listed[]>;
  close(): Promise<void>;
}

const chunkBytes = 16 * 1024;

/**
 * Takes a snapshot of the file names below a folder, in a temporary file: there may be millions. Files added later are not
 * listed; removed files stay listed.
 */
export async function listRecordings(root: string): Promise<RecordingList> {
  const list = await openTemporary();
  try {
    let unreadable = "";
    const onUnreadable = (folder: string, error: string) => {
      unreadable += serialize({ folder, error });
    };
    for await (const files of walkRecordings(root, { onUnreadable })) {
      await list.writeFile(unreadable + files.map((file) => serialize({ file })).join(""));
      unreadable = "";
    }
  } catch (error) {
    await list.close();
    throw error;
  }
  return { read: (signal) => readList(list, signal), close: () => list.close() };
}

// A relative path contains no NUL and does not start with a slash.
const serialize = (item: Listed) => ("file" in item ? `${item.file}\0` : `/${item.error}/${item.folder}\0`);

function parse(text: string): Listed {
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
    yield texts.map(parse);
  }
}
