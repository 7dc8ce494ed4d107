import { z } from "zod";
import { exampleOf, integerUpTo, opaqueCursor, opaqueNext } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const;
export const Role = z.enum(roles, `must be one of ${roles.join(", ")}`);
export type Role = z.output<typeof Role>;

// Deliberately permissive: one @ with text on both sides. Only delivery proves that an address works.
const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;

/** An email address, stored as sent and compared by `emailKey`. */
export const Email = text(3, 254)
  .refine((value) => emailForm.test(value.trim()), "must be an email address, such as ann@example.com")
  .meta({ format: "email", example: "ann@example.com" });

/**
 * Normalises an email address for comparison: trims it and lowercases A to Z. Other letters keep their case, because
 * Unicode case folding makes different addresses equal: the Kelvin sign becomes k.
 */
export const emailKey = (email: string) => email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const InviteUserBody = z
  .strictObject({
    email: Email,
    name: Name.meta({ description: "First and last name, separated by a space.", example: "Ann Lee" }),
    role: Role.meta({
      description: "An API key with only the `import` scope can create agents only.",
      example: "agent",
    }),
    send_invite_email: z
      .boolean("must be true or false")
      .default(true)
      .meta({ description: "false: do not send an invitation email." }),
  })
  .meta({
    id: "InviteUser",
    examples: [{ email: "ann@example.com", name: "Ann Lee", role: "agent", send_invite_email: false }],
  });
export type InviteUserBody = z.output<typeof InviteUserBody>;

export const userStatuses = ["active", "invited", "deactivated"] as const;
export type UserStatus = (typeof userStatuses)[number];

const userSignInMethods = ["password", "oidc"] as const;
export type UserSignInMethod = (typeof userSignInMethods)[number];

export const UserBody = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: Role,
    status: z.enum(userStatuses).meta({
      description: "deactivated: cannot sign in. The user's calls are kept, and the email address stays in use.",
    }),
    invitation: z.enum(["not_requested", "queued", "not_configured", "not_permitted"]).meta({
      description:
        "not_configured: the server has no mail configuration. not_permitted: the user was created, but the key may not send email; that needs the `manage` scope and no campaign restriction.",
    }),
    sign_in_methods: z.array(z.enum(userSignInMethods)).optional().meta({
      description:
        "How the user can sign in: `password` once they have chosen one, `oidc` once they have signed in at the provider. Empty: the user has not signed in yet. Omitted for API keys that cannot manage users, when they create an agent.",
    }),
    team_id: z.uuid().nullable().optional().meta({
      description:
        "The team of the user; null: none. Omitted for API keys that cannot manage users, when they create an agent.",
    }),
    listens_to_originals: z.boolean().optional().meta({
      description:
        "Whether the user may hear original recordings in campaigns whose sound is masked. Omitted for API keys that cannot manage users, when they create an agent.",
    }),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "User",
    examples: [
      {
        id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        email: "ann@example.com",
        name: "Ann Lee",
        role: "agent",
        status: "active",
        invitation: "not_requested",
        sign_in_methods: [],
        team_id: null,
        listens_to_originals: false,
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type UserBody = z.output<typeof UserBody>;

/** 409: includes the existing user, unchanged. */
export const UserExistsProblem = Problem.extend({
  user: UserBody.optional().meta({
    description:
      "The existing user. Unless the user is an agent, omitted for API keys that lack the `manage` scope or are restricted to campaigns.",
  }),
}).meta({ id: "UserExistsProblem" });

export const ChangeUserBody = z
  .strictObject({
    name: Name.optional(),
    role: Role.optional().meta({ description: "Imports can still name a former agent." }),
    deactivated: z.boolean("must be true or false").optional().meta({
      description:
        "true: the user can no longer sign in. Their calls are kept, and earlier calls can still be imported.",
    }),
    team_id: z.uuid("must be the id of a team, or null").nullable().optional().meta({
      description: "Moves the user to this team. null: no team.",
    }),
    listens_to_originals: z.boolean("must be true or false").optional().meta({
      description: "Whether the user may hear original recordings in campaigns whose sound is masked.",
    }),
  })
  .meta({ id: "ChangeUser", examples: [{ deactivated: true }] });

export const UserPageBody = z
  .object({ users: z.array(UserBody), next: opaqueNext })
  .meta({ id: "UserPage", examples: [{ users: [exampleOf(UserBody)], next: null }] });
export type UserPageBody = z.output<typeof UserPageBody>;

export const ListUsersQuery = z.object({
  email: Email.optional().meta({ description: "Only the user with this email address. Case-insensitive." }),
  search: text(1, 100).optional().meta({ description: "Only users whose name or email address contains this text." }),
  role: Role.optional(),
  status: z.enum(userStatuses, `must be one of ${userStatuses.join(", ")}`).optional(),
  team_id: z.uuid("must be the id of a team").optional().meta({ description: "Only the members of this team." }),
  cursor: opaqueCursor,
  limit: integerUpTo(500, 100),
});
