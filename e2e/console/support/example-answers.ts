import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import type { Role } from "./console.ts";

/** Examples; the same with empty lists and zeros; refusals. */
export type Answers = "examples" | "empty" | "refused";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly object[] }>> };
}
type Responses = Readonly<Record<string, { readonly content?: { readonly [json]?: { readonly schema: Reference } } }>>;
interface Reference {
  readonly $ref?: string;
}

const json = "application/json";
const root = join(import.meta.dirname, "../../..");
const document: Document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));

/** The documented path with the fewest parameters that matches, such as "/calls/{id}". */
const templates = Object.keys(document.paths)
  .toSorted((a, b) => a.split("{").length - b.split("{").length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/[{][^}]+[}]/g, "[^/]+")}$`) }));

/** The documented example of a response. Undefined if the path or a JSON response is not documented. */
function exampleAnswer(method: string, pathname: string): object | undefined {
  const template = templates.find(
    ({ path, pattern }) => pattern.test(pathname) && document.paths[path]?.[method.toLowerCase()],
  );
  const responses = template && document.paths[template.path]?.[method.toLowerCase()]?.responses;
  const [, success] = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2")) ?? [];
  const name = success?.content?.[json]?.schema.$ref?.split("/").at(-1);
  return name === undefined ? undefined : document.components.schemas[name]?.examples?.[0];
}

/** The same with empty lists, and zero for every number. */
function withoutContent(example: object): object {
  const empty = (value: unknown): unknown => {
    if (Array.isArray(value)) return [];
    if (typeof value === "number") return 0;
    return typeof value === "object" && value !== null ? withoutContent(value) : value;
  };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, empty(value)]));
}

const refuse = (route: Route, status: number, code: string) =>
  route.fulfill({
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ code, detail: "Refused." }),
  });

/** Whether the example is part of the list: the first page of active people who can review, and of active scorecards. */
const matches = (search: URLSearchParams) =>
  !search.has("cursor") && !search.has("before") && search.get("retired") !== "true" && isReviewer(search.get("role"));
const isReviewer = (role: string | null) => role === null || role === "reviewer";

interface Chosen {
  readonly answers: Answers;
  readonly role: Role;
}

function answer(route: Route, { answers, role }: Chosen): Promise<void> {
  const request = route.request();
  const { pathname, searchParams } = new URL(request.url());
  const example = exampleAnswer(request.method(), pathname);
  if (pathname === "/session") {
    const session = example as { readonly user: object };
    // Not the person of the other examples: nobody reviews their own call.
    const user = { ...session.user, id: "00000000-0000-4000-8000-000000000000", role };
    return route.fulfill({ json: { ...session, user } });
  }
  if (example === undefined) return refuse(route, 404, "not_found");
  if (answers === "refused") return refuse(route, 422, "fields_invalid");
  const isCount = pathname !== "/limits" && pathname !== "/workspace";
  const isEmpty = (answers === "empty" && isCount) || !matches(searchParams);
  return route.fulfill({ json: isEmpty ? { ...withoutContent(example), next: null } : example });
}

/** Answers the requests of a page for data. Pages and assets come from the server. */
export async function answerWithExamples(page: Page, chosen: Chosen): Promise<void> {
  await page.route(
    ({ pathname }) => !pathname.startsWith("/console"),
    (route) => answer(route, chosen),
  );
}
