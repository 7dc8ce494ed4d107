/** A file that somebody brings, and where it was below what they dropped. */
export interface BroughtFile {
  readonly file: File;
  readonly path: string;
}

/** More at once are for the command, which continues after a stop. */
export const mostFiles = 5_000;

/** What systems leave in folders without anybody wanting it. */
const isLitter = (path: string) => /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(path);

/** Beyond that it is not counted how many there are. */
const mostCounted = 50_000;

/** What somebody brings at once. */
export interface Brought {
  readonly files: readonly BroughtFile[];
  /** Files and folders that the browser could not read. */
  readonly unreadable: readonly string[];
  /** How many more there are than can be taken. */
  readonly left: number;
  /** There are even more than that: not all were counted. */
  readonly uncounted: boolean;
}

/** What was dropped, with everything in dropped folders. To be called while the drop is handled: later it is gone. */
export async function droppedFiles(data: DataTransfer): Promise<Brought> {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  // Both are asked for at once: after the first wait there is nothing to ask.
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const brought = { files: [] as BroughtFile[], unreadable: [] as string[], left: 0, uncounted: false };
  for (const { entry, file } of found) {
    if (entry) await walk(entry, brought);
    else if (file && !isLitter(file.name)) brought.files.push({ file, path: file.name });
  }
  return { ...brought, files: inOrder(brought.files) };
}

const names = new Intl.Collator(undefined, { numeric: true });
/** A folder gives its files in any order. */
const inOrder = (files: readonly BroughtFile[]) => files.toSorted((a, b) => names.compare(a.path, b.path));

type Walked = { -readonly [Name in keyof Brought]: Brought[Name] } & {
  readonly files: BroughtFile[];
  readonly unreadable: string[];
};

async function walk(entry: FileSystemEntry, brought: Walked): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) {
    if (isLitter(path)) return;
    if (brought.left >= mostCounted) brought.uncounted = true;
    else if (brought.files.length >= mostFiles) brought.left += 1;
    else {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject)).catch(() => undefined);
      if (file) brought.files.push({ file, path });
      else brought.unreadable.push(path);
    }
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    const next = () =>
      new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)).catch(() => {
        brought.unreadable.push(path);
        return [];
      });
    // It gives a hundred at a time, and none when there are no more.
    for (let some = await next(); some.length > 0 && !brought.uncounted; some = await next()) {
      for (const one of some) await walk(one, brought);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** What was chosen in a dialog of the browser. */
export function chosenFiles(list: FileList | null): Brought {
  const files = [...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  return { files: inOrder(files.filter(({ path }) => !isLitter(path))), unreadable: [], left: 0, uncounted: false };
}
