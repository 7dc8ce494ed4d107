import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AddressRules } from "../endpoint/address-rules.ts";

export type Resolve = (name: string) => Promise<LookupAddress[]>;

export class AddressForbidden extends Error {
  override name = "AddressForbidden";
  readonly code = "address_forbidden";
}

/**
 * DNS lookup for a connection. Checks the same addresses that the connection uses, which prevents DNS rebinding. One forbidden
 * address rejects the whole name.
 */
export function guardedLookup(resolve: Resolve, rules: AddressRules, protocol: string): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family);
        const [first] = wanted;
        if (found.some(({ address }) => !rules.allows(address, protocol))) {
          callback(new AddressForbidden("the host name resolves to a forbidden address"), "");
        } else if (!first) {
          callback(Object.assign(new Error("the host name has no address"), { code: "ENOTFOUND" }), "");
        } else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
}
