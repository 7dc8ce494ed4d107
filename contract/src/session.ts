import { z } from "zod";
import { countTo } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";
import { Email, Role } from "./users.ts";

export const passwordLength = { min: 12, max: 200 } as const;

/** A password that somebody chooses: length is what makes it good, so nothing else is asked. */
const NewPassword = text(passwordLength.min, passwordLength.max).meta({
  description: "12 to 200 characters, whichever they are.",
  example: "correct horse battery",
});
/** A password as it is tried: whatever its length, it is right or wrong. */
const TriedPassword = text(1, passwordLength.max);

export const waysToSignIn = ["password", "oidc", "link"] as const;
export type WayToSignIn = (typeof waysToSignIn)[number];

export const SessionOptionsBody = z
  .object({
    password: z.boolean().meta({ description: "Whether one signs in with e-mail and password." }),
    oidc: z
      .object({ name: z.string().meta({ description: "What the provider is called.", example: "Acme" }) })
      .nullable()
      .meta({ description: "How else one signs in: GET /session/oidc leads there. null: not at all." }),
    setup_needed: z.boolean().meta({
      description: "Nobody can sign in yet: whoever runs the installation runs `hearback-server setup`.",
    }),
    mail: z.boolean().meta({ description: "Whether a forgotten password can be mended by mail." }),
  })
  .meta({ id: "SessionOptions" });
export type SessionOptionsBody = z.output<typeof SessionOptionsBody>;

export const SignInBody = z
  .strictObject({
    email: Email,
    password: TriedPassword,
    workspace_id: z
      .uuid("must be the id of a workspace")
      .optional()
      .meta({ description: "Where, if the person is in several workspaces with this password." }),
  })
  .meta({ id: "SignIn", examples: [{ email: "ann@example.com", password: "correct horse battery" }] });

export const SessionBody = z
  .object({
    id: z.uuid(),
    user: z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: Role }),
    workspace: z.object({ id: z.uuid(), name: z.string() }),
    signed_in_by: z.enum(waysToSignIn),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ description: "When it ends at the latest; unused, it ends earlier." }),
    has_password: z.boolean().meta({ description: "false: signs in in another way only." }),
  })
  .meta({ id: "Session" });
export type SessionBody = z.output<typeof SessionBody>;

/** 409: the password is right in several workspaces. */
export const WorkspaceAmbiguousProblem = Problem.extend({
  workspaces: z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .optional()
    .meta({ description: "Where the password is right: send it again with one of these as `workspace_id`." }),
}).meta({ id: "WorkspaceAmbiguousProblem" });

export const ListedSessionBody = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime().meta({ description: "Written about once a minute." }),
    expires_at: z.iso.datetime(),
    signed_in_by: z.enum(waysToSignIn),
    user_agent: z.string().nullable().meta({ description: "What the browser calls itself." }),
    current: z.boolean().meta({ description: "Whether it is the one that asks." }),
  })
  .meta({ id: "ListedSession" });
export type ListedSessionBody = z.output<typeof ListedSessionBody>;

export const SessionPageBody = z
  .object({
    sessions: z.array(ListedSessionBody),
    next: z.uuid().nullable().meta({ description: "What to send as `cursor` for the older ones; null: no more." }),
  })
  .meta({ id: "SessionPage" });
export type SessionPageBody = z.output<typeof SessionPageBody>;

const cursor = z.uuid("must be the `next` of an answer before").optional();
export const ListSessionsQuery = z.object({
  user_id: z.uuid("must be the id of a user").optional(),
  cursor,
  limit: countTo(200, 50),
});

/** The query as documented. */
export const ListSessionsParameters = z.object({
  user_id: z.uuid().optional().meta({ description: "Of another person: for administrators." }),
  cursor: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(200).default(50),
});

export const ChangePasswordBody = z
  .strictObject({
    current_password: TriedPassword.optional().meta({ description: "Needed by who has one." }),
    new_password: NewPassword,
  })
  .meta({
    id: "ChangePassword",
    examples: [{ current_password: "correct horse battery", new_password: "a longer horse, and a staple" }],
  });

export const ForgottenBody = z
  .strictObject({ email: Email })
  .meta({ id: "Forgotten", examples: [{ email: "ann@example.com" }] });

export const linkKinds = ["setup", "invitation", "reset"] as const;
export type LinkKind = (typeof linkKinds)[number];

const LinkToken = text(1, 100).meta({
  description: "What stands behind the # of the link.",
  example: "Zk3v0uJ8mQxT1r5yYw2nB7cH4sD9fG6aLpE0iKoRtUM",
});
const exampleToken = "Zk3v0uJ8mQxT1r5yYw2nB7cH4sD9fG6aLpE0iKoRtUM";

export const LookAtLinkBody = z
  .strictObject({ token: LinkToken })
  .meta({ id: "LookAtLink", examples: [{ token: exampleToken }] });

export const LinkBody = z
  .object({
    kind: z.enum(linkKinds),
    email: z.string().nullable(),
    name: z.string().nullable(),
    workspace_name: z.string().nullable(),
  })
  .meta({ id: "Link" });
export type LinkBody = z.output<typeof LinkBody>;

const forSetup = "For a link of the kind setup, which needs it.";
export const UseLinkBody = z
  .strictObject({
    token: LinkToken,
    password: NewPassword,
    name: Name.optional().meta({ description: "What the person is called; absent: as in the invitation." }),
    email: Email.optional().meta({ description: forSetup }),
    workspace_name: Name.optional().meta({ description: forSetup }),
  })
  .meta({ id: "UseLink", examples: [{ token: exampleToken, password: "correct horse battery" }] });
export type UseLinkBody = z.output<typeof UseLinkBody>;

export const SendInvitationBody = z
  .strictObject({
    by_mail: z
      .boolean("must be true or false")
      .default(true)
      .meta({ description: "false: no mail; the answer holds the link, to be handed over." }),
  })
  .meta({ id: "SendInvitation", examples: [{ by_mail: true }] });

export const InvitationBody = z
  .object({
    invitation: z.enum(["queued", "not_configured"]).meta({
      description: "not_configured: no mail is sent, for this installation sends none or `by_mail` is false.",
    }),
    link: z.string().nullable().meta({
      description: "The link, where no mail is sent, for an administrator or a key with the scope manage.",
    }),
    expires_at: z.iso.datetime().nullable().meta({ description: "Until when it works; null: none was made." }),
  })
  .meta({ id: "Invitation" });
export type InvitationBody = z.output<typeof InvitationBody>;
