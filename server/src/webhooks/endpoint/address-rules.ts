import { BlockList, isIP } from "node:net";
import type { Network } from "../../platform/config.ts";

export interface AddressRules {
  /** True if the address is public and uses TLS, or is in a network that the operator allows. */
  allows(address: string, protocol: string): boolean;
  /** True if the operator allows any private network. */
  readonly anyNetworkAllowed: boolean;
}

const notPublic4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
];

/** Within 2000::/3: IETF assignments (Teredo, ORCHID, benchmarks), documentation, 6to4. */
const notPublic6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

function blockListOf(family: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const reserved4 = blockListOf("ipv4", notPublic4);
const reserved6 = blockListOf("ipv6", notPublic6);
const global6 = blockListOf("ipv6", ["2000::/3"]);
/** IPv6 ranges that embed or translate to IPv4 addresses. Always forbidden, because they would bypass the IPv4 rules. */
const embedded4 = blockListOf("ipv6", ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"]);

function isPublic(address: string, family: "ipv4" | "ipv6"): boolean {
  if (family === "ipv4") return !reserved4.check(address, family);
  return global6.check(address, family) && !reserved6.check(address, family);
}

/** SSRF protection: webhooks may only connect to addresses known to be public, or in the operator's allowed networks. */
export function openAddressRules(allowedNetworks: readonly Network[]): AddressRules {
  const allowed = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of allowedNetworks) allowed[family].addSubnet(address, prefix, family);
  return {
    anyNetworkAllowed: allowedNetworks.length > 0,
    allows(address, protocol) {
      const version = isIP(address);
      if (version === 0 || address.includes("%")) return false;
      const family = version === 4 ? "ipv4" : "ipv6";
      // ::1 lies in the range of IPv4-compatible addresses but is the loopback address.
      if (family === "ipv6" && address !== "::1" && embedded4.check(address, family)) return false;
      if (allowed[family].check(address, family)) return true;
      return protocol === "https:" && isPublic(address, family);
    },
  };
}
