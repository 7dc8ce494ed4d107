import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../testing/run-command.ts";
import { findAccount } from "./connect.ts";
import { loginFile, readLogins, saveLogin } from "./login-file.ts";

const key = (letter: string) => `hb_c0_${letter.repeat(49)}`;
const login = { url: "https://a.example.com", apiKey: key("a") };

async function makeHome() {
  const env = { HOME: await makeFolder() };
  return { env, file: loginFile(env) };
}

test.each([
  [{ HOME: "/home/ann" }, "/home/ann/.config/hearback/login.json"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "/etc/ann" }, "/etc/ann/hearback/login.json"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "relative" }, "/home/ann/.config/hearback/login.json"],
])("with %o the login file is %s", (env, file) => expect(loginFile(env)).toBe(file));

test("only the owner can read the login file", async () => {
  const { env, file } = await makeHome();
  await saveLogin(file, "default", login);
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await readdir(dirname(file))).toEqual(["login.json"]);
  expect(await findAccount(env, undefined)).toMatchObject({ ...login, source: file });
});

test("stores several profiles", async () => {
  const { env, file } = await makeHome();
  await saveLogin(file, "default", login);
  await saveLogin(file, "test", { url: "http://127.0.0.1:1", apiKey: key("t") });
  expect(await findAccount(env, "test")).toMatchObject({ apiKey: key("t") });
  await saveLogin(file, "default", undefined);
  expect(Object.keys(await readLogins(file))).toEqual(["test"]);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({ code: "profile_unknown", fix: /test/ });
  await saveLogin(file, "test", undefined);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({ code: "not_logged_in" });
});

test("the environment overrides the login, a named profile overrides both", async () => {
  const { env, file } = await makeHome();
  await saveLogin(file, "default", login);
  const set = { ...env, HEARBACK_URL: "https://e.example.com", HEARBACK_API_KEY: key("e") };
  expect(await findAccount(set, undefined)).toMatchObject({ url: "https://e.example.com", apiKey: key("e") });
  expect(await findAccount(set, "default")).toMatchObject(login);
});

test.each([
  [{ HEARBACK_URL: "https://e.example.com" }, "HEARBACK_API_KEY is not"],
  [{ HEARBACK_API_KEY: key("e") }, "HEARBACK_URL is not"],
])("never combines %o with a saved login", async (half, message) => {
  const { env, file } = await makeHome();
  await saveLogin(file, "default", login);
  await expect(findAccount({ ...env, ...half }, undefined)).rejects.toThrow(message);
});

test("refuses a login file that others can read", async () => {
  const { env, file } = await makeHome();
  await saveLogin(file, "default", login);
  await chmod(file, 0o640);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({
    fix: expect.stringContaining(`chmod 600 ${file}`),
  });
  await expect(saveLogin(file, "other", login)).rejects.toThrow("Other users can read");
});

test.each([
  ["invalid JSON", `{"profiles": {"default": {"api_key": "${key("s")}"`, "not valid JSON"],
  ["no profiles", "{}", "no profiles"],
  ["a profile without a key", '{"profiles": {"default": {"url": "https://a"}}}', "lacks its URL or its API key"],
])("reports a file with %s without quoting its content", async (_, text, reason) => {
  const { env, file } = await makeHome();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { mode: 0o600 });
  await expect(findAccount(env, undefined)).rejects.toThrow(reason);
  await expect(findAccount(env, undefined)).rejects.not.toThrow("ssss");
  expect(await readFile(join(file), "utf8")).toBe(text);
});
