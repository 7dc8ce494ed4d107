import { useCallback, useSyncExternalStore } from "react";
import { onPreferences, readPreferences, writePreferences } from "../../preferences.ts";
import { type ColumnId, defaultColumns, maxColumns } from "./columns.ts";

const table = "calls";
const chosen = () => JSON.stringify(readPreferences().columns?.[table] ?? defaultColumns);

/** Columns stored in this browser. */
export function useColumnIds() {
  const text = useSyncExternalStore(onPreferences, chosen);
  const change = useCallback((ids: readonly ColumnId[]) => {
    writePreferences({ columns: { ...readPreferences().columns, [table]: ids.slice(0, maxColumns) } });
  }, []);
  return [read(text), change] as const;
}

/** Validates the stored value: at least one column, all strings. */
function read(text: string): readonly ColumnId[] {
  const kept: unknown = JSON.parse(text);
  const ids = Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  return ids.length > 0 ? ids : defaultColumns;
}
