import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { InvitationBody, Role, UserBody, UserPageBody, UserStatus } from "./wire.ts";

export interface InviteUser extends RequestOptions {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Default: true. */
  readonly sendInviteEmail?: boolean | undefined;
}

export interface ListUsers extends RequestOptions {
  readonly email?: string | undefined;
  /** Text that the name or email address contains. Case-insensitive. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserStatus | undefined;
  readonly teamId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ChangeUser extends RequestOptions {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  /** true: the user can no longer sign in. Their calls are kept. */
  readonly deactivated?: boolean | undefined;
  /** null: no team. */
  readonly teamId?: string | null | undefined;
  /** true: the user may hear original recordings in campaigns whose sound is masked. */
  readonly listensToOriginals?: boolean | undefined;
}

export function openUsers(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListUsers) => transport.json<UserPageBody>({ method: "GET", path: "/users", query, signal }),
    ({ users, next }) => ({ items: users, next }),
  );
  return {
    /**
     * Creates a user. If the user already exists, nothing changes and it throws a ServiceError with code "user_exists".
     * Most callers can treat that as success: it also happens if the response to the first attempt was lost.
     */
    invite: ({ signal, ...user }: InviteUser): Promise<UserBody> =>
      transport.json(
        { method: "POST", path: "/users/invite", body: inSnakeCase(user), signal, repeatable: true },
        ({ id }) => id !== undefined,
      ),
    /** Sends an invitation again. If no email is sent, the response contains the link, if the caller may see it. */
    sendInvitation: (
      id: string,
      { signal, ...how }: RequestOptions & { readonly byMail?: boolean | undefined } = {},
    ): Promise<InvitationBody> =>
      transport.json({ method: "POST", path: `${pathOf(id)}/invitation`, body: inSnakeCase(how), signal }),
    /** Removes a user's second factors, for example after they lost them, and ends their sessions. */
    resetTwoStep: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`${pathOf(id)}/two-step`, options),
    list: (filter: ListUsers = {}): Items<UserBody> => list.all(filter),
    page: (filter: ListUsers = {}): Promise<UserPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<UserBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /**
     * Unlinks the user's account at the identity provider. The next sign-in with the user's email address links it
     * again.
     */
    unlinkProvider: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`${pathOf(id)}/provider`, options),
    change: (id: string, { signal, ...change }: ChangeUser): Promise<UserBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
  };
}
export type Users = ReturnType<typeof openUsers>;

const pathOf = (id: string) => `/users/${encodeURIComponent(id)}`;
