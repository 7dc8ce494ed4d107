import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { aFolder } from "../testing/run-command.ts";
import { findAccount } from "./connect.ts";
import { loginFile, readLogins, saveLogin } from "./login-file.ts";

const key = (letter: string) => `hb_c0_${letter.repeat(49)}`;
const login = { url: "https://a.example.com", apiKey: key("a") };

async function aHome() {
  const env = { HOME: await aFolder() };
  return { env, file: loginFile(env) };
}

test.each([
  [{ HOME: "/home/ann" }, "/home/ann/.config/hearback/login.json"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "/etc/ann" }, "/etc/ann/hearback/login.json"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "relative" }, "/home/ann/.config/hearback/login.json"],
])("with %o a login is in %s", (env, file) => expect(loginFile(env)).toBe(file));

test("a login is kept where only its owner can read it", async () => {
  const { env, file } = await aHome();
  await saveLogin(file, "default", login);
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await readdir(dirname(file))).toEqual(["login.json"]);
  expect(await findAccount(env, undefined)).toMatchObject({ ...login, source: file });
});

test("several profiles live beside each other", async () => {
  const { env, file } = await aHome();
  await saveLogin(file, "default", login);
  await saveLogin(file, "test", { url: "http://127.0.0.1:1", apiKey: key("t") });
  expect(await findAccount(env, "test")).toMatchObject({ apiKey: key("t") });
  await saveLogin(file, "default", undefined);
  expect(Object.keys(await readLogins(file))).toEqual(["test"]);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({ code: "profile_unknown", fix: /test/ });
  await saveLogin(file, "test", undefined);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({ code: "not_logged_in" });
});

test("the environment wins over the login, a named profile over both", async () => {
  const { env, file } = await aHome();
  await saveLogin(file, "default", login);
  const set = { ...env, HEARBACK_URL: "https://e.example.com", HEARBACK_API_KEY: key("e") };
  expect(await findAccount(set, undefined)).toMatchObject({ url: "https://e.example.com", apiKey: key("e") });
  expect(await findAccount(set, "default")).toMatchObject(login);
});

test.each([
  [{ HEARBACK_URL: "https://e.example.com" }, "HEARBACK_API_KEY is not"],
  [{ HEARBACK_API_KEY: key("e") }, "HEARBACK_URL is not"],
])("half of the settings never meets half of a login: %o", async (half, message) => {
  const { env, file } = await aHome();
  await saveLogin(file, "default", login);
  await expect(findAccount({ ...env, ...half }, undefined)).rejects.toThrow(message);
});

test("a login that others can read is not read", async () => {
  const { env, file } = await aHome();
  await saveLogin(file, "default", login);
  await chmod(file, 0o640);
  await expect(findAccount(env, undefined)).rejects.toMatchObject({
    fix: expect.stringContaining(`chmod 600 ${file}`),
  });
  await expect(saveLogin(file, "other", login)).rejects.toThrow("Others can read");
});

test.each([
  ["no JSON", `{"profiles": {"default": {"api_key": "${key("s")}"`, "no JSON"],
  ["no profiles", "{}", "no profiles"],
  ["a profile without a key", '{"profiles": {"default": {"url": "https://a"}}}', "lacks its address or its key"],
])("a file with %s is told without its content", async (_, text, reason) => {
  const { env, file } = await aHome();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { mode: 0o600 });
  await expect(findAccount(env, undefined)).rejects.toThrow(reason);
  await expect(findAccount(env, undefined)).rejects.not.toThrow("ssss");
  expect(await readFile(join(file), "utf8")).toBe(text);
});
