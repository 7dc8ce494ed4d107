import type { Role, UserBody } from "@hearback/contract";
import type { RequestOptions, Transport } from "./transport.ts";

export interface InviteUser extends RequestOptions {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** true if absent. */
  readonly sendInviteEmail?: boolean | undefined;
}

export function openUsers(transport: Transport) {
  return {
    /** Creates a person. One who exists already is a ServiceError with the code "user_exists". */
    invite: ({ email, name, role, sendInviteEmail = true, signal }: InviteUser): Promise<UserBody> =>
      transport.json({
        method: "POST",
        path: "/users/invite",
        body: { email, name, role, send_invite_email: sendInviteEmail },
        signal,
      }),
  };
}
