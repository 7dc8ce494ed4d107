import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { freePort } from "../../support/stack/free-port.ts";
import { runServerCommand } from "../../support/stack/server-command.ts";
import { sharedStack } from "../../support/stack/shared-stack.ts";
import { type ApiProcess, openStack, type Stack, type TestWorkspace, unlimited } from "../../support/stack/stack.ts";

type Api = Pick<ApiProcess, "baseUrl" | "port">;

/** A workspace without users, and a browser. */
export interface EmptyConsole<Within extends TestWorkspace = TestWorkspace, Serving extends Api = Api> {
  readonly stack: Within;
  readonly api: Serving;
  /** URL of the console, without a trailing slash. */
  readonly url: string;
  readonly browser: Browser;
  /** Page in a new browser profile, closed at the end of the test that opens it. CSP violations fail the test file. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Page in a browser profile that keeps its cookies, storage and cache from test to test, which saves loading time. */
  openTab(profile: string, options?: BrowserContextOptions): Promise<Page>;
  /** Creates a user who can sign in. */
  addPerson(role: Role, email?: string, workspaceId?: string): Promise<Person>;
  close(): Promise<void>;
}

export type Console = EmptyConsole & { readonly admin: Person };
/** Whose processes the test may stop and start. */
export type OwnConsole = EmptyConsole<Stack, ApiProcess> & { readonly admin: Person };

export type Role = "agent" | "reviewer" | "supervisor" | "admin";

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

async function withAdmin<Opened extends EmptyConsole>(console: Opened): Promise<Opened & { readonly admin: Person }> {
  return { ...console, admin: await console.addPerson("admin") };
}

/** Opens a workspace in the shared stack. */
export async function openConsole(): Promise<Console> {
  const stack = await sharedStack();
  // Signing in asks for the workspace if the address is known in several.
  const domain = `${randomBytes(4).toString("hex")}.example.com`;
  const uniqueEmail = (email: string) => email.replace(/@example[.]com$/, `@${domain}`);
  return withAdmin(await openBrowser({ stack, api: stack, origin: stack.baseUrl, uniqueEmail }));
}

export const openOwnConsole = async (settings?: Record<string, string>, host?: string): Promise<OwnConsole> =>
  withAdmin(await openEmptyConsole(settings, host));

/** A stack of its own. Passkeys need "localhost"; IP addresses do not work. */
export async function openEmptyConsole(
  settings: Record<string, string> = {},
  host = "127.0.0.1",
): Promise<EmptyConsole<Stack, ApiProcess>> {
  const port = await freePort();
  const origin = `http://${host}:${port}`;
  const stack = await openStack(undefined, { ...unlimited, PUBLIC_URL: origin, ...settings });
  const api = await stack.startApi({ port });
  await stack.startWorker();
  return openBrowser({ stack, api, origin, uniqueEmail: (email) => email });
}

interface Service<Within, Serving> {
  readonly stack: Within;
  readonly api: Serving;
  readonly origin: string;
  readonly uniqueEmail: (email: string) => string;
}

async function openBrowser<Within extends TestWorkspace, Serving extends Api>({
  stack,
  api,
  origin,
  uniqueEmail,
}: Service<Within, Serving>): Promise<EmptyConsole<Within, Serving>> {
  const browser = await launchBrowser();

  async function addPerson(
    role: Role,
    wanted = `${role}@example.com`,
    workspaceId = stack.workspaceId,
  ): Promise<Person> {
    const email = uniqueEmail(wanted);
    const password = `a long enough password of ${role}`;
    const name = `${role[0]?.toUpperCase()}${role.slice(1)} Martin`;
    const who = ["--workspace", workspaceId, "--email", email];
    await stack.command("user", "create", ...who, "--name", name, "--role", role, "--json");
    await runServerCommand(stack.env, ["user", "set-password", ...who], `${password}\n`);
    return { email, password, role };
  }

  const violations: string[] = [];
  async function openProfile(options: BrowserContextOptions): Promise<BrowserContext> {
    // No transitions in screenshots.
    const usual = { locale: "en-GB", timezoneId: "Europe/Paris", reducedMotion: "reduce" } as const;
    const context = await browser.newContext({ ...usual, ...options });
    context.setDefaultTimeout(60_000);
    return context;
  }
  async function openPageIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on("console", (message) => {
      const ours = page.url().startsWith(origin);
      if (ours && isViolation(message.text())) violations.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }
  /** Open pages use processor time: they poll and render. */
  function closeAfterTest(opened: Page | BrowserContext): void {
    if (TestRunner.getCurrentTest()) onTestFinished(() => opened.close());
  }
  const profiles = new Map<string, BrowserContext>();
  return {
    stack,
    api,
    browser,
    addPerson,
    url: `${origin}/console`,
    async openPage(options = {}) {
      const context = await openProfile(options);
      closeAfterTest(context);
      return openPageIn(context);
    },
    async openTab(profile, options = {}) {
      const context = profiles.get(profile) ?? (await openProfile(options));
      profiles.set(profile, context);
      const page = await openPageIn(context);
      closeAfterTest(page);
      return page;
    },
    async close() {
      await browser.close();
      await stack.stop();
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
}

const isViolation = (text: string) => /Content Security Policy|Trusted(HTML|Script|Type)/.test(text);

/** Signs in with the keyboard. */
export async function signIn(page: Page, { url }: Pick<Console, "url">, person: Person): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.locator("input[autocomplete=username]").fill(person.email);
  await page.locator("input[autocomplete=current-password]").fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => !address.pathname.endsWith("/sign-in"));
}

/** Signs in over HTTP, without loading the sign-in page. For tests that are not about signing in. */
export async function startSession(page: Page, { url }: Pick<Console, "url">, person: Person): Promise<void> {
  const { origin } = new URL(url);
  const { email, password } = person;
  const answer = await page
    .context()
    .request.post(`${origin}/session`, { data: { email, password }, headers: { origin } });
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()} ${await answer.text()}`);
}

/** Opens a page of the console. Follows a link if the console is loaded: loading it again takes most of a second. */
export async function visit(page: Page, { url }: Pick<Console, "url">, path: string): Promise<void> {
  const isLoaded = page.url().startsWith(`${url}/`) && !/[/](sign-in|welcome)/.test(page.url());
  // The router takes its history from this function, as it does for links.
  if (isLoaded) await page.evaluate(`history.pushState({}, "", ${JSON.stringify(url + path)})`);
  else await page.goto(url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
}
