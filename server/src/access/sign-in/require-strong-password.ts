import { fieldInvalid } from "../../platform/errors.ts";
import { type Weakness, weaknessOf } from "./weak-password.ts";

const details: Readonly<Record<Weakness, string>> = {
  password_common: "This password is too common. Choose several unrelated words.",
  password_repeated: "This password repeats the same characters. Choose several unrelated words.",
  password_sequential: "This password is a sequence of letters, digits or keys. Choose several unrelated words.",
  password_personal:
    "This password contains little more than your name, your email address or the workspace name. Choose other words.",
};

interface ChosenPassword {
  readonly password: string;
  /** The request field that contains the password. */
  readonly part: "password" | "new_password";
  /** The user's name and email address, and the workspace name. */
  readonly about: readonly string[];
}

/** Throws if the password is easy to guess. */
export function requireStrongPassword({ password, part, about }: ChosenPassword): void {
  const weakness = weaknessOf(password, about);
  if (!weakness) return;
  const detail = details[weakness];
  throw fieldInvalid(part, weakness, detail);
}
