import { z } from "zod";
import { Name, text } from "./text.ts";

function isTimeZone(name: string): boolean {
  try {
    // An offset is no zone: it does not know of summer.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** What a customer decides for the whole workspace, each with what holds until then. */
export const WorkspaceSettings = z
  .object({
    time_zone: text(1, 64)
      .refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Paris or UTC")
      .default("UTC")
      .meta({ description: "In which days and hours reports are made.", example: "Europe/Paris" }),
  })
  .meta({ id: "WorkspaceSettings" });
export type WorkspaceSettings = z.output<typeof WorkspaceSettings>;

export const ChangeWorkspaceBody = z
  .strictObject({
    name: Name.optional(),
    settings: z
      .strictObject(
        { time_zone: WorkspaceSettings.shape.time_zone.unwrap().optional() },
        "must be an object of settings",
      )
      .optional()
      .meta({ description: "Those that are given are changed, and no other." }),
  })
  .meta({ id: "ChangeWorkspace", examples: [{ name: "Acme", settings: { time_zone: "Europe/Paris" } }] });

export const WorkspaceBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    settings: WorkspaceSettings,
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Workspace" });
export type WorkspaceBody = z.output<typeof WorkspaceBody>;
