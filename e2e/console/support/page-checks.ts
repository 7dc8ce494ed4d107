import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { scale } from "../../support/run-scale.ts";
import { expectNoViolations } from "./axe.ts";

const folder = join(import.meta.dirname, "../../../.data/screenshots");
const schemes = ["light", "dark"] as const;

/** E2E_PICTURES=no skips screenshots, for example in CI. */
const pictured = process.env.E2E_PICTURES === "no" ? [] : schemes;

const all = { widths: [1280, 390], schemes } as const;
/** Per change, pages.test.ts checks every page in its states, which takes a tenth of the time. */
const checked = scale({ widths: [], schemes: [] } as const, all, all);

/**
 * Takes screenshots in light and dark mode at both widths, into .data/screenshots. Fails on horizontal overflow. Per change,
 * does nothing with E2E_PICTURES=no.
 */
export async function screenshots(page: Page, name: string): Promise<void> {
  const widths = pictured.length > 0 ? all.widths : checked.widths;
  if (widths.length === 0) return;
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of widths) {
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

export const overflows = (page: Page) =>
  page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");

/** Asserts, nightly, that axe finds no violations in light and dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of checked.schemes) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, colorScheme === "dark" ? "colours" : "all");
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

/** Picks an option of the open list with the keyboard. */
export async function chooseOption(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole("option", { name });
  await wanted.waitFor();
  // The list, when it opens, marks the present value in a timer, which a key must not overtake.
  await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
  for (let steps = 0; steps < 10; steps++) {
    await page.keyboard.press("ArrowDown");
    if ((await wanted.getAttribute("data-combobox-selected")) !== null) return page.keyboard.press("Enter");
  }
  throw new Error(`the keyboard does not reach ${name}`);
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
