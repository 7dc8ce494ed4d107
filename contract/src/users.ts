import { z } from "zod";
import { Problem } from "./problem.ts";
import { text } from "./text.ts";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const;
export const Role = z.enum(roles, `must be one of ${roles.join(", ")}`);
export type Role = z.output<typeof Role>;

// Deliberately plain: one @ with something before it and a name or address after it. Whether mail arrives is for mail to tell.
const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;

/** An e-mail address, kept as sent and compared by `emailKey`. */
export const Email = text(3, 254)
  .refine((value) => emailForm.test(value.trim()), "must be an e-mail address, such as ann@example.com")
  .meta({ format: "email", example: "ann@example.com" });

/** What makes two e-mail addresses the same: case and surrounding space do not count. */
export const emailKey = (email: string) => email.trim().toLowerCase();

export const InviteUserBody = z
  .object({
    email: Email,
    name: text(1, 200)
      .refine((name) => name.trim() !== "", "must not be blank")
      .meta({ description: "First and last name joined by a space.", example: "Ann Lee" }),
    role: Role.meta({ description: "A key with the scope `import` creates agents only.", example: "agent" }),
    send_invite_email: z
      .boolean("must be true or false")
      .default(true)
      .meta({ description: "false: no invitation e-mail is sent." }),
  })
  .meta({
    id: "InviteUser",
    examples: [{ email: "ann@example.com", name: "Ann Lee", role: "agent", send_invite_email: false }],
  });
export type InviteUserBody = z.output<typeof InviteUserBody>;

export const UserBody = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: Role,
    status: z.enum(["active", "invited"]),
    invitation: z
      .enum(["not_requested", "queued", "not_configured"])
      .meta({ description: "not_configured: this installation sends no mail." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "User" });
export type UserBody = z.output<typeof UserBody>;

/** 409: the user as it stands, unchanged. */
export const UserExistsProblem = Problem.extend({ user: UserBody }).meta({ id: "UserExistsProblem" });
