import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = (callId: string) => ["notes", callId];

export const noteQueries = {
  /** Notes of a call by position. There are at most 500. */
  list: (callId: string) =>
    queryOptions({ queryKey: all(callId), queryFn: ({ signal }) => client.callNotes.list(callId, { signal }) }),
};

interface SavedNote {
  /** Absent: a new note. */
  readonly id?: string | undefined;
  readonly positionMs: number;
  readonly text: string;
}

export const useSaveNote = (callId: string) =>
  useMutationWithInvalidate(all(callId), ({ id, ...note }: SavedNote) =>
    id ? client.callNotes.change(callId, id, { text: note.text }) : client.callNotes.create(callId, note),
  );

export const useDeleteNote = (callId: string) =>
  useMutationWithInvalidate(all(callId), (id: string) => client.callNotes.delete(callId, id));
