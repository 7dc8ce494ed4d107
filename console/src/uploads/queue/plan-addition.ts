import { type AddedFile, maxFiles } from "../dropped-files.ts";
import { parseFileName } from "../names/parse-file-name.ts";
import type { Row } from "./rows.ts";

export interface Added {
  readonly added: number;
  /** Replaced a file that could not be imported. */
  readonly replaced: number;
  /** Already in the list. */
  readonly known: number;
  /** Over the limit. */
  readonly left: number;
}

interface Addition {
  readonly rows: readonly Row[];
  /** IDs of rows whose files need a check. */
  readonly fresh: readonly number[];
  readonly counts: Added;
}

const isRefused = (row: Row | undefined) => row?.item.look?.fault !== undefined || row?.state.kind === "failed";

/** Plans additions: a corrected file replaces the refused one, and duplicates are skipped. */
export function planAddition(before: readonly Row[], files: readonly AddedFile[], newId: () => number): Addition {
  const rows = [...before];
  const rowsByPath = new Map<string, number[]>();
  const remember = (path: string, index: number) => rowsByPath.set(path, [...(rowsByPath.get(path) ?? []), index]);
  for (const [index, row] of before.entries()) {
    const { path, file } = row.item;
    remember(path, index);
    // A corrected file from a folder is often added on its own.
    if (path !== file.name && isRefused(row)) remember(file.name, index);
  }
  const counts = { added: 0, replaced: 0, known: 0, left: 0 };
  const fresh: number[] = [];
  for (const { file, path } of files) {
    const sameName = rowsByPath.get(path) ?? [];
    const refused = sameName.find((index) => isRefused(rows[index]));
    const old = refused === undefined ? undefined : rows[refused];
    if (sameName.some((index) => isSame(rows[index]?.item.file, file))) counts.known += 1;
    else if (old && refused !== undefined) {
      const { look: _, ...item } = old.item;
      rows[refused] = { item: { ...item, file }, state: { kind: "listed" } };
      fresh.push(item.id);
      counts.replaced += 1;
    } else if (rows.length >= maxFiles) counts.left += 1;
    else {
      const item = { id: newId(), file, path, parts: parseFileName(path), overrides: {} };
      remember(path, rows.push({ item, state: { kind: "listed" } }) - 1);
      fresh.push(item.id);
      counts.added += 1;
    }
  }
  return { rows, fresh, counts };
}

const isSame = (a: File | undefined, b: File) => a?.size === b.size && a.lastModified === b.lastModified;
