import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AddressRules } from "./address-rules.ts";

export type Resolve = (name: string) => Promise<LookupAddress[]>;

export class AddressForbidden extends Error {
  override name = "AddressForbidden";
  readonly code = "address_forbidden";
}

/**
 * Resolves a name for a connection, once: what was looked at is what is connected to. One forbidden address forbids the
 * name, for nobody serves the public from there.
 */
export function guardedLookup(resolve: Resolve, rules: AddressRules, protocol: string): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family);
        const [first] = wanted;
        if (found.some(({ address }) => !rules.allows(address, protocol))) {
          callback(new AddressForbidden("the name leads to an address that is forbidden"), "");
        } else if (!first) {
          callback(Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" }), "");
        } else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
}
