import { z } from "zod";
import { countTo } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";

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
    name: Name.meta({ description: "First and last name joined by a space.", example: "Ann Lee" }),
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

export const userStatuses = ["active", "invited", "deactivated"] as const;
export type UserStatus = (typeof userStatuses)[number];

export const UserBody = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: Role,
    status: z
      .enum(userStatuses)
      .meta({ description: "deactivated: does not work here any more; keeps the calls, and the address stays taken." }),
    invitation: z
      .enum(["not_requested", "queued", "not_configured"])
      .meta({ description: "not_configured: this installation sends no mail." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "User" });
export type UserBody = z.output<typeof UserBody>;

/** 409: the user as it stands, unchanged. */
export const UserExistsProblem = Problem.extend({
  user: UserBody.optional().meta({
    description: "The user as it stands; absent for a key that is restricted to campaigns if it is no agent.",
  }),
}).meta({ id: "UserExistsProblem" });

export const ChangeUserBody = z
  .strictObject({
    name: Name.optional(),
    role: Role.optional().meta({ description: "Who was an agent once can still be named by imports." }),
    deactivated: z.boolean("must be true or false").optional().meta({
      description: "true: does not work here any more. The calls stay, and calls of before may still be imported.",
    }),
  })
  .meta({ id: "ChangeUser", examples: [{ deactivated: true }] });

export const UserPageBody = z
  .object({
    users: z.array(UserBody),
    next: z.uuid().nullable().meta({ description: "What to send as `cursor` for the next page; null: no more." }),
  })
  .meta({ id: "UserPage" });
export type UserPageBody = z.output<typeof UserPageBody>;

export const ListUsersQuery = z.object({
  email: Email.optional(),
  search: text(1, 100).optional(),
  role: Role.optional(),
  status: z.enum(userStatuses, `must be one of ${userStatuses.join(", ")}`).optional(),
  cursor: z.uuid("must be the `next` of an answer before").optional(),
  limit: countTo(500, 100),
});

/** The query as documented. */
export const ListUsersParameters = z.object({
  email: z.string().max(254).optional().meta({ description: "The user with this address; case does not count." }),
  search: z.string().min(1).max(100).optional().meta({ description: "Whose name or address has this in it." }),
  role: z.enum(roles).optional(),
  status: z.enum(userStatuses).optional(),
  cursor: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(500).default(100),
});
