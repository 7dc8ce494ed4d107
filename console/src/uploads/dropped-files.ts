/** File with its path relative to the drop. */
export interface AddedFile {
  readonly file: File;
  readonly path: string;
}

/** Larger imports need the CLI, which can resume. */
export const maxFiles = 5_000;

/** Files created by operating systems. */
const isSystemFile = (path: string) => /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(path);

/** Stop counting here. */
const maxCounted = 50_000;

/** Files from one drop or dialog. */
export interface AddedFiles {
  readonly files: readonly AddedFile[];
  readonly unreadable: readonly string[];
  /** Files beyond the limit. */
  readonly left: number;
  /** Whether counting stopped early. */
  readonly uncounted: boolean;
}

/**
 * Collects dropped files, including folders. Call it synchronously in the drop handler: the data is cleared afterwards.
 */
export async function droppedFiles(data: DataTransfer): Promise<AddedFiles> {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  // Both must be read before the first await.
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const added = { files: [] as AddedFile[], unreadable: [] as string[], left: 0, uncounted: false };
  for (const { entry, file } of found) {
    if (entry) await walk(entry, added);
    else if (file && !isSystemFile(file.name)) added.files.push({ file, path: file.name });
  }
  return { ...added, files: inOrder(added.files) };
}

const names = new Intl.Collator(undefined, { numeric: true });
/** Folder entries are unordered. */
const inOrder = (files: readonly AddedFile[]) => files.toSorted((a, b) => names.compare(a.path, b.path));

type Walked = { -readonly [Name in keyof AddedFiles]: AddedFiles[Name] } & {
  readonly files: AddedFile[];
  readonly unreadable: string[];
};

async function walk(entry: FileSystemEntry, added: Walked): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) {
    if (isSystemFile(path)) return;
    if (added.left >= maxCounted) added.uncounted = true;
    else if (added.files.length >= maxFiles) added.left += 1;
    else {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject)).catch(() => undefined);
      if (file) added.files.push({ file, path });
      else added.unreadable.push(path);
    }
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    const next = () =>
      new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)).catch(() => {
        added.unreadable.push(path);
        return [];
      });
    // Returns up to 100 entries per call, then none.
    for (let some = await next(); some.length > 0 && !added.uncounted; some = await next()) {
      for (const one of some) await walk(one, added);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Files chosen in a file dialog. */
export function chosenFiles(list: FileList | null): AddedFiles {
  const files = [...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  return { files: inOrder(files.filter(({ path }) => !isSystemFile(path))), unreadable: [], left: 0, uncounted: false };
}
