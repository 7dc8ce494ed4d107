import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type ApiProcess, freePort, openStack, type Stack, unlimited } from "../../support/stack.ts";

/** The running whole with a browser in front of it, before anybody can sign in. */
export interface EmptyConsole {
  readonly stack: Stack;
  readonly api: ApiProcess;
  /** Where the console is, without a slash at its end. */
  readonly url: string;
  readonly browser: Browser;
  /** A page in a browser profile of its own. What it does against its content-security policy fails the test file. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Somebody of the workspace, or of another one, who can sign in. */
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

const run = promisify(execFile);

export async function openConsole(settings: Record<string, string> = {}): Promise<Console> {
  const console = await openEmptyConsole(settings);
  return { ...console, admin: await console.addPerson("admin") };
}

export async function openEmptyConsole(settings: Record<string, string> = {}): Promise<EmptyConsole> {
  const port = await freePort();
  const stack = await openStack(undefined, { ...unlimited, PUBLIC_URL: `http://127.0.0.1:${port}`, ...settings });
  const api = await stack.startApi({ port });
  await stack.startWorker();
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
    // Without it Chromium does not read files whose names are not plain ASCII.
    env: { ...process.env, LANG: "C.UTF-8" },
  });

  async function addPerson(
    role: Role,
    email = `${role}@example.com`,
    workspaceId = stack.workspaceId,
  ): Promise<Person> {
    const password = `a long enough password of ${role}`;
    const name = `${role[0]?.toUpperCase()}${role.slice(1)} Martin`;
    const who = ["--workspace", workspaceId, "--email", email];
    await stack.command("user", "create", ...who, "--name", name, "--role", role, "--json");
    const child = run(process.execPath, ["server/src/main.ts", "user", "set-password", ...who], { env: stack.env });
    child.child.stdin?.end(`${password}\n`);
    await child;
    return { email, password, role };
  }

  const violations: string[] = [];
  return {
    ...{ stack, api, browser, addPerson },
    url: `${api.baseUrl}/console`,
    async openPage(options = {}) {
      // Nothing is caught half faded.
      const usual = { locale: "en-GB", timezoneId: "Europe/Paris", reducedMotion: "reduce" } as const;
      const context = await browser.newContext({ ...usual, ...options });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("console", (message) => {
        const ours = page.url().startsWith(api.baseUrl);
        if (ours && isViolation(message.text())) violations.push(`${page.url()}: ${message.text()}`);
      });
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

/** Signs in as a person does, at the keyboard. */
export async function signIn(page: Page, { url }: Pick<Console, "url">, person: Person): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.locator("input[autocomplete=username]").fill(person.email);
  await page.locator("input[autocomplete=current-password]").fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => !address.pathname.endsWith("/sign-in"));
}
