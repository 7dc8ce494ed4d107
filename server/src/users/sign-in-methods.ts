import type { UserSignInMethod } from "@hearback/contract";
import { sql } from "kysely";

/** Column for queries of app_user: how the user can sign in. Empty for users who were only created. */
export const signInMethods = sql<UserSignInMethod[]>`
  array_remove(array[
    case when exists (select from credential where (workspace_id, user_id) = (app_user.workspace_id, app_user.id))
      then 'password' end,
    case when exists (select from provider_identity where (workspace_id, user_id) = (app_user.workspace_id, app_user.id))
      then 'oidc' end
  ], null)`.as("signInMethods");
