import { ForgottenBody, LinkBody, LookAtLinkBody, SessionBody, UseLinkBody } from "@hearback/contract";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { refuseForeignOrigin } from "../platform/http/own-origin.ts";
import { jsonObject, missingMembers, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { askReset } from "./ask-reset.ts";
import { findLink, toLinkBody } from "./find-link.ts";
import { answerSession } from "./session-routes.ts";
import type { Guard } from "./sign-in.ts";
import { useLink } from "./use-link.ts";

const tags = ["Session"];
const config = { access: "public" } as const;
const members = { missingCode: "member_missing" } as const;
const ended = { 404: problemAnswer("The link does not work, or does not any more.", "link_ended") };

/** Coming in by a link: invited, because the password was forgotten, or as the first of all. */
export function linkRoutes(api: Api, app: App, { passwords, tries }: Guard): void {
  const { publicUrl } = app.config;

  api.post(
    "/session/forgotten",
    {
      config,
      schema: {
        operationId: "forgotPassword",
        summary: "Ask for a new password",
        description:
          "Mails a link that works for an hour to whoever has this address. The answer is the same if there is nobody, and where this installation sends no mail.",
        tags,
        security: [],
        body: ForgottenBody,
        response: {
          202: z.null().describe("If there is such a person, a letter is on its way."),
          ...errorAnswers(400, "origin_forbidden", 413, 422, "sign_in_limited", 500, 503),
        },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(request, publicUrl);
      const { email } = parseFields(ForgottenBody, jsonObject(request.body), members);
      await askReset(app, tries, { email, address: request.ip });
      // Nothing at all: with this status the null of the schema would be sent as JSON.
      return reply.code(202).send(undefined as unknown as null);
    },
  );

  api.post(
    "/session/link/look",
    {
      config,
      schema: {
        operationId: "lookAtLink",
        summary: "For whom a link is",
        description: "What a page needs to know of a link before it is used. Looking does not use it.",
        tags,
        security: [],
        body: LookAtLinkBody,
        response: {
          200: LinkBody.describe("What the link is."),
          ...errorAnswers(400, "origin_forbidden", 413, 422, 500, 503),
          ...ended,
        },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(request, publicUrl);
      const { token } = parseFields(LookAtLinkBody, jsonObject(request.body), members);
      reply.header("cache-control", "no-store");
      return toLinkBody(await findLink(app, token));
    },
  );

  api.post(
    "/session/link",
    {
      config,
      schema: {
        operationId: "useLink",
        summary: "Choose a password by a link, and sign in",
        description:
          "Works once. Sets the cookie by which the browser is known from now on, and ends every other session of the person. A link of the kind `setup` makes a workspace and its first administrator, and needs `email`, `name` and `workspace_name`.",
        tags,
        security: [],
        body: UseLinkBody,
        response: {
          200: SessionBody.describe("Who is signed in now."),
          ...errorAnswers(400, "origin_forbidden", 413, 422, 500, 503),
          ...ended,
        },
      },
    },
    async (request, reply) => {
      refuseForeignOrigin(request, publicUrl);
      const body = parseFields(UseLinkBody, jsonObject(request.body), members);
      const started = await useLink(app, passwords, {
        ...{ token: body.token, password: body.password, name: body.name },
        first: () => firstOf(body),
        userAgent: request.headers["user-agent"],
      });
      return answerSession(app, request, reply, started);
    },
  );
}

/** The first administrator, whose link knows nobody yet. */
function firstOf({ email, name, workspace_name: workspaceName }: UseLinkBody) {
  if (email === undefined || name === undefined || workspaceName === undefined) {
    const needed = { email, name, workspace_name: workspaceName };
    throw missingMembers(Object.entries(needed).flatMap(([member, value]) => (value === undefined ? [member] : [])));
  }
  return { email, name, workspaceName };
}
