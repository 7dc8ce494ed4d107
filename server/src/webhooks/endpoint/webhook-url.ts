import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";

/** The IP address in a URL's host, or undefined if it is a name. `URL` has already normalised the notation. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}

export interface InvalidUrl {
  readonly code: string;
  readonly detail: string;
}

/** Returns what is wrong with a URL, judging by its text. Host names are checked again on every connection. */
export function validateWebhookUrl(text: string, rules: AddressRules): InvalidUrl | undefined {
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
      detail: "must not contain a user name or password. Verify the signature instead",
    };
  }
  const address = literalAddress(url);
  if (address !== undefined && !rules.allows(address, "https:")) {
    return {
      code: "address_forbidden",
      detail: `must not use ${address}, which is not a public address. The server operator can allow private networks with WEBHOOK_ALLOWED_NETWORKS`,
    };
  }
  const plain = url.protocol === "http:";
  if (plain && (address === undefined ? !rules.anyNetworkAllowed : !rules.allows(address, "http:"))) {
    return {
      code: "not_https",
      detail:
        "must begin with https://. http is only allowed for networks in WEBHOOK_ALLOWED_NETWORKS, which the server operator sets",
    };
  }
  return undefined;
}
