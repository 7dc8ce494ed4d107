import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  LinkBody,
  ListedSessionBody,
  PasskeyOptionsBody,
  SessionBody,
  SessionOptionsBody,
  SessionPageBody,
} from "./wire.ts";

export interface SignIn extends RequestOptions {
  readonly email: string;
  readonly password: string;
  /** The workspace to sign in to, if the password is valid in several ("workspace_ambiguous"). */
  readonly workspaceId?: string | undefined;
}

export interface RedeemLink extends RequestOptions {
  /** The part of the link after the #. */
  readonly token: string;
  /** Required for every kind of link except sign_in. */
  readonly password?: string | undefined;
  readonly name?: string | undefined;
  /** Required for links of kind setup. */
  readonly email?: string | undefined;
  readonly workspaceName?: string | undefined;
}

export interface ChangePassword extends RequestOptions {
  /** Required if the user has a password. */
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
}

export interface ChangeSessionUser extends RequestOptions {
  /** An email, at most once a day, about reviews of the user's calls. */
  readonly reviewEmail: boolean;
}

export interface ListSessions extends RequestOptions {
  /** List the sessions of another user. Administrators only. */
  readonly userId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
export interface SecondStep extends RequestOptions {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** Sign-in and sessions, for pages served by Hearback. The browser stores the session cookie. */
export function openSession(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListSessions) =>
      transport.json<SessionPageBody>({ method: "GET", path: "/sessions", query, signal }),
    ({ sessions, next }) => ({ items: sessions, next }),
  );
  return {
    /** Returns the available sign-in methods. */
    options: (options: RequestOptions = {}): Promise<SessionOptionsBody> =>
      transport.json({ method: "GET", path: "/session/options", ...options }),
    /**
     * Throws a ServiceError with code "second_step_needed" if the user has a second factor: continue with `secondStep`.
     */
    signIn: ({ signal, ...credentials }: SignIn): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session", body: inSnakeCase(credentials), signal }),
    secondStep: ({ signal, ...step }: SecondStep): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session/second-step", body: inSnakeCase(step), signal }),
    /** Returns the WebAuthn options for `navigator.credentials.get`. */
    beginPasskeySignIn: (options: RequestOptions = {}): Promise<PasskeyOptionsBody> =>
      transport.json({ method: "POST", path: "/session/passkey/options", ...options }),
    /** Signs in with the credential from `navigator.credentials.get`. */
    signInByPasskey: (credential: object, options: RequestOptions = {}): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session/passkey", body: { credential }, ...options }),
    /** Returns the current session. Throws a ServiceError with status 401 if not signed in. */
    find: (options: RequestOptions = {}): Promise<SessionBody> =>
      transport.json({ method: "GET", path: "/session", ...options }),
    /** Changes preferences of the signed-in user. */
    change: ({ signal, ...change }: ChangeSessionUser): Promise<SessionBody> =>
      transport.json({ method: "PATCH", path: "/session", body: inSnakeCase(change), signal }),
    signOut: (options: RequestOptions = {}): Promise<void> => transport.remove("/session", options),
    changePassword: ({ signal, ...change }: ChangePassword): Promise<void> =>
      transport.send({ method: "POST", path: "/session/password", body: inSnakeCase(change), signal }),
    /** Confirms the password, for requests that fail with code "confirmation_needed". */
    confirm: ({ signal, password }: RequestOptions & { readonly password: string }): Promise<void> =>
      transport.send({ method: "POST", path: "/session/confirm", body: { password }, signal }),
    /** Sends a password reset link by email, if a user with this address exists. */
    forgotPassword: ({ signal, email }: RequestOptions & { readonly email: string }): Promise<void> =>
      transport.send({ method: "POST", path: "/session/forgotten", body: { email }, signal }),
    /**
     * Returns the kind of a link and who it is for. Throws a ServiceError with code "link_ended" if it is no longer
     * valid.
     */
    inspectLink: (token: string, options: RequestOptions = {}): Promise<LinkBody> =>
      transport.json({ method: "POST", path: "/session/link/look", body: { token }, repeatable: true, ...options }),
    /** Redeems a link: sets a password and signs in. */
    redeemLink: ({ signal, ...link }: RedeemLink): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session/link", body: inSnakeCase(link), signal }),
    /** Iterates over active sessions, newest first. */
    list: (options: ListSessions = {}): Items<ListedSessionBody> => list.all(options),
    page: (options: ListSessions = {}): Promise<SessionPageBody> => list.page(options),
    end: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`/sessions/${encodeURIComponent(id)}`, options),
  };
}
export type Session = ReturnType<typeof openSession>;
