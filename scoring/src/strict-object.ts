import { z } from "zod";

interface ObjectIssue {
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** An object that refuses unknown members, with messages that a person understands. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  wrongType: string,
  unknownMember: (names: string) => string = (names) => `cannot have a member ${names}`,
) {
  const error = ({ code, keys = [] }: ObjectIssue) =>
    code === "unrecognized_keys" ? unknownMember(keys.map((key) => JSON.stringify(key)).join(", ")) : wrongType;
  return z.strictObject(shape, { error });
}
