import { z } from "zod";

interface ObjectIssue {
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** At most three names, each shortened: an object can have thousands of unknown members. */
export function listMembers(keys: readonly string[]): string {
  const names = keys.slice(0, 3).map((key) => JSON.stringify(key.length > 60 ? `${key.slice(0, 59)}…` : key));
  return names.join(", ") + (keys.length > 3 ? " and more" : "");
}

/** An object that refuses unknown members, with messages that a person understands. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  wrongType: string,
  unknownMember: (names: string) => string = (names) => `cannot have a member ${names}`,
) {
  const error = ({ code, keys = [] }: ObjectIssue) =>
    code === "unrecognized_keys" ? unknownMember(listMembers(keys)) : wrongType;
  return z.strictObject(shape, { error });
}
