import { z } from "zod";

/** Who did something. */
export const ActorRef = z
  .object({ type: z.enum(["key", "user", "operator", "system"]), id: z.uuid().nullable() })
  .meta({
    id: "ActorRef",
    description:
      "An API key or a user, by id. operator: a person using the server's command line. system: a background job of the service.",
  });
