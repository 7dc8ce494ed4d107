import { z } from "zod";
import { cursor, exampleOf, integerUpTo, next } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";
import { secondFactors } from "./two-step.ts";
import { Email, Role } from "./users.ts";

export const passwordLength = { min: 12, max: 200 } as const;

/** A new password. The server also rejects passwords that are easy to guess. */
const NewPassword = text(passwordLength.min, passwordLength.max).meta({
  description:
    "12 to 200 characters of any kind. Common passwords, repeated or sequential characters, and passwords built from names or addresses are rejected.",
  example: "correct horse battery",
});
/** An existing password. No minimum length, so that a short guess is wrong rather than invalid. */
const CurrentPassword = text(1, passwordLength.max);

export const signInMethods = ["password", "oidc", "link", "passkey"] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const SessionOptionsBody = z
  .object({
    password: z.boolean().meta({ description: "Whether users can sign in with email and password." }),
    oidc: z
      .object({ name: z.string().meta({ description: "Name of the identity provider.", example: "Acme" }) })
      .nullable()
      .meta({
        description:
          "Sign-in through an OpenID Connect provider, started with GET /session/oidc. null: not configured.",
      }),
    passkeys: z.boolean().meta({
      description: "Whether passkeys are available. They need a host name, and https unless it is localhost.",
    }),
    setup_needed: z.boolean().meta({
      description: "true: no user can sign in yet. The server operator has to run `hearback-server setup`.",
    }),
    mail: z.boolean().meta({ description: "Whether a forgotten password can be reset by email." }),
  })
  .meta({
    id: "SessionOptions",
    examples: [{ password: true, oidc: { name: "Acme" }, passkeys: true, setup_needed: false, mail: true }],
  });
export type SessionOptionsBody = z.output<typeof SessionOptionsBody>;

export const SignInBody = z
  .strictObject({
    email: Email,
    password: CurrentPassword,
    workspace_id: z
      .uuid("must be the id of a workspace")
      .optional()
      .meta({ description: "The workspace to sign in to, if the same email and password are valid in several." }),
  })
  .meta({ id: "SignIn", examples: [{ email: "ann@example.com", password: "correct horse battery" }] });

/** Members that a session and an entry of the list of sessions share. */
const exampleSession = {
  id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
  user_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
  signed_in_by: "password",
  created_at: "2026-11-15T08:00:00.000Z",
  expires_at: "2026-11-29T08:00:00.000Z",
};
const WorkspaceRef = z.object({ id: z.uuid(), name: z.string() }).meta({ id: "WorkspaceRef" });
const exampleWorkspace = { id: "0b8f6a52-9d34-4a6e-8a2f-3c5d7e9f1a2b", name: "Acme" };

export const SessionBody = z
  .object({
    id: z.uuid(),
    user: z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: Role }),
    workspace: WorkspaceRef,
    signed_in_by: z.enum(signInMethods),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ description: "Latest end of the session. An idle session ends earlier." }),
    has_password: z.boolean().meta({ description: "false: the user has no password and signs in another way." }),
    password_sign_in: z.boolean().meta({
      description: "false: password sign-in is disabled for the workspace, and no password can be set or changed.",
    }),
    can_download: z.boolean().meta({
      description: "Whether the user can download original recordings. Agents need the workspace's permission.",
    }),
    can_hear_originals: z.boolean().meta({
      description: "Whether the user may hear the original recordings of calls whose sound is masked.",
    }),
    can_pick_calls: z.boolean().meta({
      description: "Whether the user can review any call. Reviewers need the workspace's permission.",
    }),
    review_email: z.boolean().meta({
      description: "Whether the user wants an email, at most once a day, about reviews of their calls. Sent to agents.",
    }),
    confirmed_until: z.iso.datetime().nullable().meta({
      description:
        "Requests that need a recent confirmation are accepted until this time. null: confirm with POST /session/confirm first.",
    }),
    second_factor: z.enum(secondFactors).nullable().meta({
      description: "The second factor that was used. null: none.",
    }),
    two_step_needed: z.boolean().meta({
      description:
        "true: the workspace requires two-step verification, and the user must set it up before anything else.",
    }),
  })
  .meta({
    id: "Session",
    examples: [
      {
        ...exampleSession,
        user: { id: exampleSession.user_id, email: "ann@example.com", name: "Ann Lee", role: "supervisor" },
        workspace: exampleWorkspace,
        has_password: true,
        password_sign_in: true,
        can_download: true,
        can_hear_originals: false,
        can_pick_calls: true,
        review_email: true,
        confirmed_until: "2026-11-15T08:10:00.000Z",
        second_factor: "totp",
        two_step_needed: false,
      },
    ],
  });
export type SessionBody = z.output<typeof SessionBody>;

export const ChangeSessionUserBody = z
  .strictObject({ review_email: SessionBody.shape.review_email })
  .meta({ id: "ChangeSessionUser", examples: [{ review_email: false }] });

/** 409: the password is valid in several workspaces. */
export const WorkspaceAmbiguousProblem = Problem.extend({
  workspaces: z
    .array(WorkspaceRef)
    .optional()
    .meta({ description: "Workspaces in which the password is valid. Retry with one of these as `workspace_id`." }),
}).meta({ id: "WorkspaceAmbiguousProblem" });

export const ListedSessionBody = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime().meta({ description: "Updated about once a minute." }),
    expires_at: z.iso.datetime(),
    signed_in_by: z.enum(signInMethods),
    user_agent: z.string().nullable().meta({ description: "The browser's User-Agent header." }),
    current: z.boolean().meta({ description: "Whether this is the session that made the request." }),
  })
  .meta({
    id: "ListedSession",
    examples: [
      { ...exampleSession, last_seen_at: "2026-11-15T09:30:00.000Z", user_agent: "Mozilla/5.0 …", current: true },
    ],
  });
export type ListedSessionBody = z.output<typeof ListedSessionBody>;

export const SessionPageBody = z
  .object({ sessions: z.array(ListedSessionBody), next })
  .meta({ id: "SessionPage", examples: [{ sessions: [exampleOf(ListedSessionBody)], next: null }] });
export type SessionPageBody = z.output<typeof SessionPageBody>;

export const ListSessionsQuery = z.object({
  user_id: z
    .uuid("must be the id of a user")
    .optional()
    .meta({ description: "List the sessions of another user. Administrators only." }),
  cursor,
  limit: integerUpTo(200, 50),
});

export const ChangePasswordBody = z
  .strictObject({
    current_password: CurrentPassword.optional().meta({ description: "Required if the user has a password." }),
    new_password: NewPassword,
  })
  .meta({
    id: "ChangePassword",
    examples: [{ current_password: "correct horse battery", new_password: "a longer horse, and a staple" }],
  });

export const ConfirmSessionBody = z
  .strictObject({ password: CurrentPassword })
  .meta({ id: "ConfirmSession", examples: [{ password: "correct horse battery" }] });

/** How a user can confirm their identity. */
export const confirmationMethods = ["password", "oidc"] as const;
export type ConfirmationMethod = (typeof confirmationMethods)[number];

/** 403: the request needs a recent confirmation. */
export const ConfirmationNeededProblem = Problem.extend({
  confirm_by: z.array(z.enum(confirmationMethods)).optional().meta({
    description: "password: POST /session/confirm. oidc: open GET /session/oidc?confirm=true in the browser.",
  }),
}).meta({ id: "ConfirmationNeededProblem" });

export const ForgotPasswordBody = z
  .strictObject({ email: Email })
  .meta({ id: "ForgotPassword", examples: [{ email: "ann@example.com" }] });

export const linkKinds = ["setup", "invitation", "reset", "sign_in"] as const;
export type LinkKind = (typeof linkKinds)[number];

const LinkToken = text(1, 100).meta({
  description: "The part of the link after the #.",
  example: "Zk3v0uJ8mQxT1r5yYw2nB7cH4sD9fG6aLpE0iKoRtUM",
});
const exampleToken = "Zk3v0uJ8mQxT1r5yYw2nB7cH4sD9fG6aLpE0iKoRtUM";

export const InspectLinkBody = z
  .strictObject({ token: LinkToken })
  .meta({ id: "InspectLink", examples: [{ token: exampleToken }] });

export const LinkBody = z
  .object({
    kind: z.enum(linkKinds),
    email: z.string().nullable(),
    name: z.string().nullable(),
    workspace_name: z.string().nullable(),
  })
  .meta({
    id: "Link",
    examples: [{ kind: "invitation", email: "ann@example.com", name: "Ann Lee", workspace_name: "Acme" }],
  });
export type LinkBody = z.output<typeof LinkBody>;

const forSetup = "Required for links of kind setup.";
export const RedeemLinkBody = z
  .strictObject({
    token: LinkToken,
    password: NewPassword.optional().meta({ description: "Required for every kind of link except sign_in." }),
    name: Name.optional().meta({ description: "The user's name. Omit to keep the name from the invitation." }),
    email: Email.optional().meta({ description: forSetup }),
    workspace_name: Name.optional().meta({ description: forSetup }),
  })
  .meta({ id: "RedeemLink", examples: [{ token: exampleToken, password: "correct horse battery" }] });
export type RedeemLinkBody = z.output<typeof RedeemLinkBody>;

export const SendInvitationBody = z
  .strictObject({
    by_mail: z
      .boolean("must be true or false")
      .default(true)
      .meta({ description: "false: send no email. The response contains the link, for you to pass on." }),
  })
  .meta({ id: "SendInvitation", examples: [{ by_mail: true }] });

export const InvitationBody = z
  .object({
    invitation: z.enum(["queued", "not_configured"]).meta({
      description:
        "not_configured: no email is sent, because the server has no mail configuration or `by_mail` is false.",
    }),
    link: z.string().nullable().meta({
      description:
        "The link, if no email is sent and the caller is an administrator or an API key with the `manage` scope.",
    }),
    expires_at: z.iso.datetime().nullable().meta({
      description: "When the link expires. null: no link was created, or it is the identity provider's page.",
    }),
  })
  .meta({ id: "Invitation", examples: [{ invitation: "queued", link: null, expires_at: "2026-11-22T08:00:00.000Z" }] });
export type InvitationBody = z.output<typeof InvitationBody>;
