import { z } from "zod";

interface ObjectIssue {
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** At most three names, each shortened: an object can have thousands of unknown members. */
export function listMembers(keys: readonly string[]): string {
  const names = keys.slice(0, 3).map((key) => JSON.stringify(key.length > 60 ? `${key.slice(0, 59)}…` : key));
  return names.join(", ") + (keys.length > 3 ? ` and ${keys.length - 3} more` : "");
}

/** The members that an object can have, by the list of unknown ones in the issue: an issue does not name its schema. */
const membersByIssue = new WeakMap<readonly string[], readonly string[]>();

export const knownMembers = (unknown: readonly string[]): readonly string[] => membersByIssue.get(unknown) ?? [];

/** An object that refuses unknown members, with messages that a person understands. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  wrongType: string,
  unknownMember: (names: string) => string = (names) => `cannot have a member ${names}`,
) {
  const error = ({ code, keys = [] }: ObjectIssue) => {
    if (code !== "unrecognized_keys") return wrongType;
    membersByIssue.set(keys, Object.keys(shape));
    return unknownMember(listMembers(keys));
  };
  return z.strictObject(shape, { error });
}
