/** Minimal types; the package has none. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: string, listener: (ctx: unknown, error: Error) => void): this;
  }
}
