import { expect, test } from "vitest";
import { newEncryptionKey, openSecretBox, parseEncryptionKeys, type SecretPlace } from "./secret-box.ts";

const place: SecretPlace = { table: "webhook_endpoint", workspaceId: "w1", rowId: "r1" };
const ring = (...texts: string[]) => openSecretBox(parseEncryptionKeys(texts.join(",")) ?? []);
const old = newEncryptionKey("2026");
const current = newEncryptionKey("2027");

test("encrypts with a random IV, names the key and decrypts again", () => {
  const box = ring(current);
  const stored = box.encrypt("whsec_é", place);
  expect(stored).toMatch(/^aes256gcm\.2027\.[A-Za-z0-9_-]+$/);
  expect(stored.startsWith(box.prefix)).toBe(true);
  expect(box.decrypt(stored, place)).toBe("whsec_é");
  expect(box.encrypt("whsec_é", place)).not.toBe(stored);
});

test("the first key encrypts, every key decrypts", () => {
  const stored = ring(old).encrypt("secret", place);
  const both = ring(current, old);
  expect(both.decrypt(stored, place)).toBe("secret");
  expect(both.encrypt("secret", place)).toMatch(/^aes256gcm\.2027\./);
  const without = ring(current);
  expect(without.canDecrypt(stored)).toBe(false);
  expect(() => without.decrypt(stored, place)).toThrow(/ENCRYPTION_KEYS lacks the key "2026"/);
});

test.each([
  ["another table", { ...place, table: "totp_factor" }],
  ["another workspace", { ...place, workspaceId: "w2" }],
  ["another row", { ...place, rowId: "r2" }],
])("a ciphertext copied to %s does not decrypt", (_name, otherPlace) => {
  const box = ring(current);
  expect(() => box.decrypt(box.encrypt("secret", place), otherPlace)).toThrow();
});

test("a changed or shortened ciphertext does not decrypt", () => {
  const box = ring(current);
  const stored = box.encrypt("secret", place);
  const other = stored.at(-2) === "A" ? "B" : "A";
  for (const wrong of [`${stored.slice(0, -2)}${other}${stored.at(-1)}`, stored.slice(0, -6), `${box.prefix}AAAA`]) {
    expect(() => box.decrypt(wrong, place)).toThrow();
  }
});

test("without keys, secrets are stored in plain text; existing plain text stays readable", () => {
  expect(openSecretBox([]).encrypt("whsec_abc", place)).toBe("whsec_abc");
  expect(openSecretBox([]).encrypts).toBe(false);
  expect(ring(current).decrypt("whsec_abc", place)).toBe("whsec_abc");
});

test.each([
  ["no id", newEncryptionKey("a").slice(2)],
  ["an id with capitals", newEncryptionKey("A")],
  ["a short key", `a:${Buffer.alloc(16).toString("base64")}`],
  ["a long key", `a:${Buffer.alloc(48).toString("base64")}`],
  ["the same id twice", [newEncryptionKey("a"), newEncryptionKey("a")].join(",")],
  ["a trailing comma", `${newEncryptionKey("a")},`],
])("rejects a key ring with %s", (_what, text) => {
  expect(parseEncryptionKeys(text)).toBeUndefined();
});
