import { type Items, paged } from "./pages.ts";
import { inSnakeCase, toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { InvitationBody, Role, UserBody, UserPageBody, UserStatus } from "./wire.ts";

export interface InviteUser extends RequestOptions {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** true if absent. */
  readonly sendInviteEmail?: boolean | undefined;
}

export interface ListUsers extends RequestOptions {
  readonly email?: string | undefined;
  /** What the name or the address has in it; case does not count. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserStatus | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ChangeUser extends RequestOptions {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  /** true: does not work here any more; the calls stay. */
  readonly deactivated?: boolean | undefined;
}

export function openUsers(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListUsers) =>
      transport.json<UserPageBody>({ method: "GET", path: "/users", query: toQuery(query), signal }),
    ({ users, next }) => ({ items: users, next }),
  );
  return {
    /**
     * Creates a person. One who exists already is left alone, and is a ServiceError with the code "user_exists": for
     * most callers that is as good, and it also comes if the answer to the first attempt was lost.
     */
    invite: ({ signal, ...user }: InviteUser): Promise<UserBody> =>
      transport.json(
        { method: "POST", path: "/users/invite", body: inSnakeCase(user), signal, repeatable: true },
        ({ id }) => id !== undefined,
      ),
    /** Has an invitation sent again. Where no mail is sent the answer holds the link, for who may see it. */
    sendInvitation: (
      id: string,
      { signal, ...how }: RequestOptions & { readonly byMail?: boolean | undefined } = {},
    ): Promise<InvitationBody> =>
      transport.json({ method: "POST", path: `${pathOf(id)}/invitation`, body: inSnakeCase(how), signal }),
    list: (filter: ListUsers = {}): Items<UserBody> => list.all(filter),
    page: (filter: ListUsers = {}): Promise<UserPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<UserBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    change: (id: string, { signal, ...change }: ChangeUser): Promise<UserBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
  };
}
export type Users = ReturnType<typeof openUsers>;

const pathOf = (id: string) => `/users/${encodeURIComponent(id)}`;
