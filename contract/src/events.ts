import { z } from "zod";
import { failureCodes } from "./calls.ts";

const CallSubject = z.object({ call_id: z.uuid(), campaign_id: z.string(), agent_id: z.uuid() });

/** What can happen, and what is told of it: ids and states. Whoever may know more asks for it by the id. */
export const eventData = {
  "call.imported": CallSubject,
  "call.ready": CallSubject,
  "call.failed": CallSubject.extend({ failure: z.object({ code: z.enum(failureCodes), detail: z.string() }) }),
  "call.changed": CallSubject.extend({ changed: z.array(z.string()) }),
  "user.created": z.object({ user_id: z.uuid(), role: z.string() }),
  "webhook.test": z.object({ webhook_id: z.uuid() }),
} as const;

export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.output<(typeof eventData)[Type]>;
export const eventTypes = Object.keys(eventData) as [EventType, ...EventType[]];
