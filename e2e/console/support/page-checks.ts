import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { scale } from "../../support/run-scale.ts";

const folder = join(import.meta.dirname, "../../../.data/screenshots");
const schemes = ["light", "dark"] as const;

/** E2E_PICTURES=no skips screenshots, for example in CI. */
const pictured = process.env.E2E_PICTURES === "no" ? [] : schemes;

const all = { widths: [1280, 390], schemes } as const;
/** Per change, only what fails most: the narrow window, and light mode. */
const checked = scale({ widths: [390], schemes: ["light"] } as const, all, all);

/** Takes screenshots in light and dark mode at both widths, into .data/screenshots. Fails on horizontal overflow. */
export async function screenshots(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of pictured.length > 0 ? all.widths : checked.widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
    for (const colorScheme of pictured) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), animations: "disabled" });
    }
    // Popovers are repositioned with a delay.
    await expect.poll(() => overflows(page), { message: `${name} scrolls sideways at ${width} pixels` }).toBe(false);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

const overflows = (page: Page) => page.evaluate("document.documentElement.scrollWidth > window.innerWidth");

const isChanging = (page: Page) =>
  page.evaluate("document.getAnimations().some((one) => one instanceof CSSTransition)");

/** Rules that depend on colours. The others give the same result in dark mode. */
const colourRules = ["color-contrast", "link-in-text-block"] as const;

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Runs axe in the page. Loads it once per document and returns only the violations: AxeBuilder loads it for every run and
 * returns everything, which takes longer than the run. Frames are not checked; the console has none.
 */
async function findViolations(page: Page, rules: RunOptions): Promise<AxeResults["violations"]> {
  const options: RunOptions = { ...rules, resultTypes: ["violations"], preload: false };
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  if ((await page.locator("iframe").count()) > 0) throw new Error("axe does not check frames");
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`);
}

/** Asserts that axe finds no violations, nightly in dark mode as well. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of checked.schemes) {
    await page.emulateMedia({ colorScheme });
    // Mantine reacts to the media query in the next frame.
    await page.evaluate("new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))");
    // Colours in transition fail the contrast rules.
    await expect.poll(() => isChanging(page), { timeout: 5_000 }).toBe(false);
    const violations = await findViolations(page, colorScheme === "dark" ? { runOnly: [...colourRules] } : {});
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      colorScheme,
      where: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary ?? ""}`).slice(0, 5),
    }));
    expect(found).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Picks an action from a row menu with the keyboard. */
export async function chooseFromMenu(page: Page, row: string, action: string): Promise<void> {
  await tabTo(page, `Actions for ${row}`);
  await page.keyboard.press("Enter");
  const wanted = page.getByRole("menuitem", { name: action, exact: true });
  await wanted.waitFor();
  for (let steps = 0; steps < 10; steps++) {
    await page.keyboard.press("ArrowDown");
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return page.keyboard.press("Enter");
  }
  throw new Error(`the keyboard does not reach ${action}`);
}

/** Tabs to a control. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  options: { readonly role?: string } = {},
): Promise<void> {
  const focused = page.locator(":focus");
  // Searches only beside the focus: the roles and names of a whole page take tens of milliseconds.
  const near = focused.locator("xpath=..");
  const named = options.role
    ? near.getByRole(options.role as "button", { name })
    : near.getByLabel(name).or(near.getByRole("button", { name })).or(near.getByRole("link", { name }));
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press("Tab");
    if ((await focused.and(named).count()) > 0) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
