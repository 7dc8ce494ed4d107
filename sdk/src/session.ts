import { type Items, paged } from "./pages.ts";
import { inSnakeCase, toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { LinkBody, ListedSessionBody, SessionBody, SessionOptionsBody, SessionPageBody } from "./wire.ts";

export interface SignIn extends RequestOptions {
  readonly email: string;
  readonly password: string;
  /** Where, if the service says that the password is right in several workspaces. */
  readonly workspaceId?: string | undefined;
}

export interface UseLink extends RequestOptions {
  /** What stands behind the # of the link. */
  readonly token: string;
  readonly password: string;
  readonly name?: string | undefined;
  /** For a link of the kind setup. */
  readonly email?: string | undefined;
  readonly workspaceName?: string | undefined;
}

export interface ChangePassword extends RequestOptions {
  /** Needed by who has one. */
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
}

export interface ListSessions extends RequestOptions {
  /** Of another person: for administrators. */
  readonly userId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Who is signed in, for a page that is served by the service itself: the browser keeps the cookie. */
export function openSession(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListSessions) =>
      transport.json<SessionPageBody>({ method: "GET", path: "/sessions", query: toQuery(query), signal }),
    ({ sessions, next }) => ({ items: sessions, next }),
  );
  return {
    /** How one can sign in here. */
    options: (options: RequestOptions = {}): Promise<SessionOptionsBody> =>
      transport.json({ method: "GET", path: "/session/options", ...options }),
    signIn: ({ signal, ...who }: SignIn): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session", body: inSnakeCase(who), signal }),
    /** Who is signed in; nobody is a ServiceError with the status 401. */
    find: (options: RequestOptions = {}): Promise<SessionBody> =>
      transport.json({ method: "GET", path: "/session", ...options }),
    signOut: (options: RequestOptions = {}): Promise<void> => transport.remove("/session", options),
    changePassword: ({ signal, ...change }: ChangePassword): Promise<void> =>
      transport.send({ method: "POST", path: "/session/password", body: inSnakeCase(change), signal }),
    /** Has a link for a new password mailed, if there is somebody with this address. */
    forgotPassword: ({ signal, email }: RequestOptions & { readonly email: string }): Promise<void> =>
      transport.send({ method: "POST", path: "/session/forgotten", body: { email }, signal }),
    /** What a link is; one that does not work any more is a ServiceError with the code "link_ended". */
    lookAtLink: (token: string, options: RequestOptions = {}): Promise<LinkBody> =>
      transport.json({ method: "POST", path: "/session/link/look", body: { token }, repeatable: true, ...options }),
    /** Chooses a password by a link and signs in. */
    useLink: ({ signal, ...use }: UseLink): Promise<SessionBody> =>
      transport.json({ method: "POST", path: "/session/link", body: inSnakeCase(use), signal }),
    /** Where the person is signed in, newest first. */
    list: (options: ListSessions = {}): Items<ListedSessionBody> => list.all(options),
    page: (options: ListSessions = {}): Promise<SessionPageBody> => list.page(options),
    end: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`/sessions/${encodeURIComponent(id)}`, options),
  };
}
export type Session = ReturnType<typeof openSession>;
