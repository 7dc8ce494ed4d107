import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { KeyBody, KeyPageBody, NewKeyBody, Scope } from "./wire.ts";

export interface CreateKey extends RequestOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Restricts the key to these campaigns. Default: all campaigns. */
  readonly campaignIds?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

export interface ChangeKey extends RequestOptions {
  readonly name?: string | undefined;
  /** null: the key does not expire. */
  readonly expiresAt?: Date | null | undefined;
}

export interface RotateKey extends RequestOptions {
  /** How long the old key keeps working. Default: 24. */
  readonly overlapHours?: number | undefined;
  readonly expiresAt?: Date | null | undefined;
}

export interface ListKeys extends RequestOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openKeys(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListKeys) => transport.json<KeyPageBody>({ method: "GET", path: "/keys", query, signal }),
    ({ keys, next }) => ({ items: keys, next }),
  );
  return {
    list: (options: ListKeys = {}): Items<KeyBody> => list.all(options),
    page: (options: ListKeys = {}): Promise<KeyPageBody> => list.page(options),
    /** Creates an API key. Only this response contains the secret key. */
    create: ({ signal, ...key }: CreateKey): Promise<NewKeyBody> =>
      transport.json({ method: "POST", path: "/keys", body: inSnakeCase(key), signal }),
    find: (id: string, options: RequestOptions = {}): Promise<KeyBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    change: (id: string, { signal, ...change }: ChangeKey): Promise<KeyBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
    revoke: (id: string, options: RequestOptions = {}): Promise<void> => transport.remove(pathOf(id), options),
    /** Replaces the key with a new one. The old key keeps working for `overlapHours`. */
    rotate: (id: string, { signal, ...how }: RotateKey = {}): Promise<NewKeyBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/rotate"), body: inSnakeCase(how), signal }),
  };
}
export type Keys = ReturnType<typeof openKeys>;

const pathOf = (id: string, rest = "") => `/keys/${encodeURIComponent(id)}${rest}`;
