import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { CallNoteBody, CallNoteListBody } from "./wire.ts";

export interface SaveNote extends RequestOptions {
  /** Position in the recording. */
  readonly positionMs: number;
  readonly text: string;
}

export function openCallNotes(transport: Transport) {
  return {
    /** The notes of a call by position. */
    list: async (callId: string, options: RequestOptions = {}): Promise<CallNoteBody[]> =>
      (await transport.json<CallNoteListBody>({ method: "GET", path: pathOf(callId), ...options })).notes,
    create: (callId: string, { signal, ...note }: SaveNote): Promise<CallNoteBody> =>
      transport.json({ method: "POST", path: pathOf(callId), body: inSnakeCase(note), signal }),
    change: (callId: string, id: string, { signal, ...note }: Partial<SaveNote>): Promise<CallNoteBody> =>
      transport.json({ method: "PATCH", path: pathOf(callId, id), body: inSnakeCase(note), signal }),
    delete: (callId: string, id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(pathOf(callId, id), options),
  };
}
export type CallNotes = ReturnType<typeof openCallNotes>;

const pathOf = (callId: string, id?: string) =>
  `/calls/${encodeURIComponent(callId)}/notes${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
