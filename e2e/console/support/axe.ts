import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Rules that depend on colours. The others give the same result in dark mode. */
const colourRules = ["color-contrast", "link-in-text-block"];

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const isChanging = (page: Page) =>
  page.evaluate("document.getAnimations().some((one) => one instanceof CSSTransition)");

/**
 * Runs axe in the page. Loads it once per document and returns only the violations: AxeBuilder loads it for every run and
 * returns everything, which takes longer than the run. Frames are not checked; the console has none.
 */
async function findViolations(page: Page, context: string, rules: RunOptions): Promise<AxeResults["violations"]> {
  const options: RunOptions = { ...rules, resultTypes: ["violations"], preload: false };
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  if ((await page.locator("iframe").count()) > 0) throw new Error("axe does not check frames");
  return page.evaluate(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations)`);
}

/** Asserts that axe finds no violations of these rules in the page, or in the parts that match a selector. */
export async function expectNoViolations(page: Page, rules: "all" | "colours", selector?: string): Promise<void> {
  // Mantine reacts to the media query in the next frame.
  await page.evaluate("new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))");
  // Colours in transition fail the contrast rules.
  await expect.poll(() => isChanging(page), { timeout: 5_000 }).toBe(false);
  const context = selector ? JSON.stringify(selector) : "document";
  const violations = await findViolations(page, context, rules === "colours" ? { runOnly: colourRules } : {});
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary ?? ""}`).slice(0, 5),
  }));
  expect(found, new URL(page.url()).pathname).toEqual([]);
}
