import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { freePort } from "../../support/stack/free-port.ts";
import { runServerCommand } from "../../support/stack/server-command.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../../support/stack/stack.ts";

/** Running stack and browser, without users. */
export interface EmptyConsole {
  readonly stack: Stack;
  readonly api: ApiProcess;
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

export interface Console extends EmptyConsole {
  readonly admin: Person;
}

export type Role = "agent" | "reviewer" | "supervisor" | "admin";

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

export async function openConsole(settings: Record<string, string> = {}, host = "127.0.0.1"): Promise<Console> {
  const console = await openEmptyConsole(settings, host);
  return { ...console, admin: await console.addPerson("admin") };
}

/** Passkeys need "localhost"; IP addresses do not work. */
export async function openEmptyConsole(
  settings: Record<string, string> = {},
  host = "127.0.0.1",
): Promise<EmptyConsole> {
  const port = await freePort();
  const origin = `http://${host}:${port}`;
  const stack = await openStack(undefined, { ...unlimited, PUBLIC_URL: origin, ...settings });
  const api = await stack.startApi({ port });
  await stack.startWorker();
  const browser = await launchBrowser();

  async function addPerson(
    role: Role,
    email = `${role}@example.com`,
    workspaceId = stack.workspaceId,
  ): Promise<Person> {
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
