import { expect, test } from "vitest";
import { readConfig } from "../../platform/config.ts";
import { openAddressRules } from "./address-rules.ts";
import { validateWebhookUrl } from "./webhook-url.ts";

const rulesFor = (networks: string) =>
  openAddressRules(
    readConfig({
      DATABASE_URL: "postgres://a:b@127.0.0.1/c",
      STORAGE: "filesystem",
      STORAGE_DIR: "/x",
      WEBHOOK_ALLOWED_NETWORKS: networks,
    }).webhooks.allowedNetworks,
  );
const strict = rulesFor("");

test.each([
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8"],
  ...["169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1"],
  ...["192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255"],
  ...["240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1"],
  ...["::ffff:0:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "fc00::1", "fd12::1"],
  ...["fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:20::1"],
  ...["2001:2::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "4000::1", "5f00::1", "localhost", "", "127.1", "0x7f.1"],
])("%j is not a public address", (address) => {
  expect(strict.allows(address, "https:")).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001:80b::200e"])(
  "%s is public, with TLS",
  (address) => {
    expect(strict.allows(address, "https:")).toBe(true);
    expect(strict.allows(address, "http:")).toBe(false);
  },
);

test("allows only the operator's networks, also without TLS", () => {
  const rules = rulesFor("10.1.0.0/16, fd12::/32,::1/128");
  for (const address of ["10.1.2.3", "fd12::9", "::1"]) expect(rules.allows(address, "http:")).toBe(true);
  for (const address of ["10.2.0.1", "127.0.0.1", "fd13::1", "::ffff:10.1.2.3", "8.8.8.8"]) {
    expect(rules.allows(address, "http:")).toBe(false);
  }
});

test("IPv4 addresses embedded in IPv6 are forbidden even if the operator allows all networks", () => {
  const rules = rulesFor("0.0.0.0/0,::/0");
  for (const address of ["::ffff:127.0.0.1", "::7f00:1", "64:ff9b::7f00:1"]) {
    expect(rules.allows(address, "https:")).toBe(false);
  }
});

test.each([
  ["https://127.0.0.1/", "address_forbidden"],
  ["https://2130706433/", "address_forbidden"],
  ["https://0x7f000001/", "address_forbidden"],
  ["https://0177.0.0.1/", "address_forbidden"],
  ["https://127.1/", "address_forbidden"],
  ["https://127.0.0.1./", "address_forbidden"],
  ["https://１２７.0.0.1/", "address_forbidden"],
  ["https://[::1]/", "address_forbidden"],
  ["https://[::ffff:127.0.0.1]/", "address_forbidden"],
  ["https://169.254.169.254/latest/meta-data", "address_forbidden"],
  ["http://example.com/", "not_https"],
  ["http://8.8.8.8/", "not_https"],
  ["ftp://example.com/", "not_https"],
  ["file:///etc/passwd", "not_https"],
  ["https://user@example.com/", "has_credentials"],
  ["https://:secret@example.com/", "has_credentials"],
  ["example.com", "not_a_url"],
  ["https://", "not_a_url"],
  ["https://999.999.999.999/", "not_a_url"],
])("%s is rejected: %s", (url, code) => {
  expect(validateWebhookUrl(url, strict)?.code).toBe(code);
});

test.each(["https://example.com/hooks?token=1", "https://8.8.8.8:8443/", "https://[2606:4700::1111]/"])(
  "%s is accepted",
  (url) => {
    expect(validateWebhookUrl(url, strict)).toBeUndefined();
  },
);

test("http is accepted for networks that the operator allows", () => {
  const rules = rulesFor("10.1.0.0/16");
  expect(validateWebhookUrl("http://10.1.2.3/", rules)).toBeUndefined();
  expect(validateWebhookUrl("http://receiver.internal/", rules)).toBeUndefined();
  expect(validateWebhookUrl("http://8.8.8.8/", rules)?.code).toBe("not_https");
  expect(validateWebhookUrl("http://10.2.2.3/", rules)?.code).toBe("address_forbidden");
});

test.each(["10.0.0.0", "10.0.0.0/33", "x/8", "::/129", "10.0.0.0/8;11.0.0.0/8"])(
  "%s is not a list of networks",
  (networks) => {
    expect(() => rulesFor(networks)).toThrow(/WEBHOOK_ALLOWED_NETWORKS: must be a list of networks/);
  },
);
