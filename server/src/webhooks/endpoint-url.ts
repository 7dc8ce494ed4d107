import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";

/** The address in a URL's host, if it is one and no name. URL has turned every way to write it into this one. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}

export interface WrongUrl {
  readonly code: string;
  readonly detail: string;
}

/** Why events cannot be sent there, as far as the text tells; a name is looked at again with every connection. */
export function whyUrlIsWrong(text: string, rules: AddressRules): WrongUrl | undefined {
  if (!URL.canParse(text)) {
    return { code: "not_a_url", detail: "must be a URL such as https://example.com/hearback" };
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { code: "not_https", detail: "must begin with https://" };
  }
  if (url.username || url.password) {
    return {
      code: "has_credentials",
      detail: "must not contain a user name or password: verify the signature instead",
    };
  }
  const address = literalAddress(url);
  if (address !== undefined && !rules.allows(address, "https:")) {
    return {
      code: "address_forbidden",
      detail: `must not lead to ${address}, which is not a public address. The operator can allow a network with WEBHOOK_ALLOWED_NETWORKS`,
    };
  }
  const plain = url.protocol === "http:";
  if (plain && (address === undefined ? !rules.anyNetworkAllowed : !rules.allows(address, "http:"))) {
    return {
      code: "not_https",
      detail: "must begin with https://. http is for networks that the operator allows with WEBHOOK_ALLOWED_NETWORKS",
    };
  }
  return undefined;
}
