import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { exampleOf } from "./page.ts";
import { text } from "./text.ts";

const NoteText = text(1, 2000).refine((value) => value.trim() !== "", "must not be blank");
const Position = z
  .int("must be a whole number of milliseconds")
  .min(0, "must not be negative")
  .max(7 * 24 * 60 * 60 * 1000, "must be at most 604800000")
  .meta({ description: "Position in the recording, in milliseconds." });

export const CreateNoteBody = z
  .strictObject({ position_ms: Position, text: NoteText })
  .meta({ id: "CreateNote", examples: [{ position_ms: 12_000, text: "Customer asks for a refund." }] });

export const ChangeNoteBody = z
  .strictObject({ position_ms: Position.optional(), text: NoteText.optional() })
  .meta({ id: "ChangeNote", examples: [{ text: "Customer asks for a full refund." }] });

export const CallNoteBody = z
  .object({
    id: z.uuid(),
    call_id: z.uuid(),
    position_ms: z.int(),
    text: z.string(),
    author: ActorRef,
    created_at: z.iso.datetime(),
    changed_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "CallNote",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c",
        call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
        position_ms: 12_000,
        text: "Customer asks for a refund.",
        author: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        created_at: "2026-11-15T08:00:00.000Z",
        changed_at: null,
      },
    ],
  });
export type CallNoteBody = z.output<typeof CallNoteBody>;

export const CallNoteListBody = z
  .object({ notes: z.array(CallNoteBody) })
  .meta({ id: "CallNoteList", examples: [{ notes: [exampleOf(CallNoteBody)] }] });
export type CallNoteListBody = z.output<typeof CallNoteListBody>;
