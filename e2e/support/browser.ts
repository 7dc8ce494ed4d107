import { type Browser, chromium } from "playwright-core";

/**
 * Starts Chromium without its user interface. The complete browser renders hidden toolbars for every window, which takes three
 * times as long.
 */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    // A GPU process of its own, without a GPU, takes a tenth of the processor time of a page.
    args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--autoplay-policy=no-user-gesture-required"],
    // Chromium needs a UTF-8 locale for non-ASCII file names.
    env: { ...process.env, LANG: "C.UTF-8" },
  });
