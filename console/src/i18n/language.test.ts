import { afterAll, afterEach, expect, test, vi } from "vitest";
import { addFolder, changeLanguage, currentLanguage, type Language, withTexts } from "./language.ts";

vi.stubGlobal("document", { documentElement: {} });
afterEach(() => changeLanguage("en"));
afterAll(() => void vi.unstubAllGlobals());

/** Folder whose texts arrive when the test says so. */
function aFolder() {
  const waiting: (() => void)[] = [];
  const loaded = new Set<Language>();
  addFolder(async (language) => {
    if (loaded.has(language)) return;
    await new Promise<void>((resolve) => waiting.push(resolve));
    loaded.add(language);
  });
  const arrive = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { arrive, loaded };
}

test("the language changes when all texts have arrived", async () => {
  await changeLanguage("en");
  const { arrive, loaded } = aFolder();
  const changed = changeLanguage("fr");
  expect(currentLanguage()).toBe("en");
  await arrive();
  await changed;
  expect(currentLanguage()).toBe("fr");
  expect([...loaded]).toEqual(["fr"]);
  const back = changeLanguage("en");
  await arrive();
  await back;
});

test("code that arrives during a language change has its texts in both languages", async () => {
  await changeLanguage("en");
  const earlier = aFolder();
  const changed = changeLanguage("fr");
  const { arrive, loaded } = aFolder();
  let ready = false;
  const module = withTexts(Promise.resolve("module")).then((value) => {
    ready = true;
    return value;
  });
  await new Promise((resolve) => setTimeout(resolve));
  await arrive();
  await earlier.arrive();
  await changed;
  expect([...loaded, ready]).toEqual(["en", false]);
  await arrive();
  await earlier.arrive();
  expect(await module).toBe("module");
  expect([...loaded]).toEqual(["en", "fr"]);
});
