import { useCallback, useSyncExternalStore } from "react";
import { onPreferences, readPreferences, writePreferences } from "../ui/preferences.ts";
import { type ColumnId, defaultColumns, mostColumns } from "./columns.ts";

const table = "calls";
const chosen = () => JSON.stringify(readPreferences().columns?.[table] ?? defaultColumns);

/** Which columns this browser shows, in their order. */
export function useColumnIds() {
  const text = useSyncExternalStore(onPreferences, chosen);
  const change = useCallback((ids: readonly ColumnId[]) => {
    writePreferences({ columns: { ...readPreferences().columns, [table]: ids.slice(0, mostColumns) } });
  }, []);
  return [read(text), change] as const;
}

/** Whatever the browser kept: at least one column, and all of them texts. */
function read(text: string): readonly ColumnId[] {
  const kept: unknown = JSON.parse(text);
  const ids = Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  return ids.length > 0 ? ids : defaultColumns;
}
