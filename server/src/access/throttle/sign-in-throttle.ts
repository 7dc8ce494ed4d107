import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { signInLimited } from "../errors.ts";
import { afterAttempt, blockedMs, type ThrottleKind, type ThrottleState, trustedMs } from "./sign-in-throttle-rules.ts";

/** The counters of an attempt, by kind. */
export type ThrottleKeys = Readonly<Partial<Record<ThrottleKind, Buffer>>>;

interface ThrottleKey {
  readonly kind: ThrottleKind;
  readonly digest: Buffer;
}

/** The counters that an attempt incremented, with the block that it started on each. */
export type Attempt = readonly (ThrottleKey & { readonly blockedUntil: Date | null })[];

/** Remaining block. 0: the attempt was counted and may proceed. */
type Outcome = { readonly waitMs: number; readonly taken: Attempt };

/** Counts attempts before they are made, so that concurrent requests on any process cannot exceed the limits. */
export interface SignInThrottle {
  take(keys: ThrottleKeys): Promise<Outcome>;
  /** Like `take`, but throws if blocked. */
  require(keys: ThrottleKeys): Promise<Attempt>;
  /** After success: clears the counter of the pair, marks it as trusted, and refunds the others. */
  reset(taken: Attempt): Promise<void>;
  /** Uncounts an attempt that was not made. */
  refund(taken: Attempt): Promise<void>;
}

const networkKinds = new Set<ThrottleKind>(["address", "passkey-address", "reset-address"]);
const isNetwork = ({ kind }: ThrottleKey) => networkKinds.has(kind);
/** A person from one network: cleared and trusted after success. */
const isPair = ({ kind }: ThrottleKey) => kind === "pair" || kind === "second-step";
/** Not checked for trusted pairs: attacks by others must not lock out users who have signed in from this network before. */
const skippedIfTrusted = new Set<ThrottleKind>(["address", "email", "second-step-user"]);

export function openSignInThrottle({ db, log }: App): SignInThrottle {
  const blockedNetworks = openBlockedNetworks();

  async function take(keys: ThrottleKeys): Promise<Outcome> {
    const all = inLockOrder(keys);
    const cachedBlockMs = blockedNetworks.blockedMs(all);
    // A flood from a blocked network causes no writes and takes no locks.
    const seen = await readRows(db, cachedBlockMs > 0 ? all.filter(isPair) : all);
    const trusted = seen.some(({ succeededAt, now }) => now.getTime() - (succeededAt?.getTime() ?? 0) < trustedMs);
    if (cachedBlockMs > 0 && !trusted) return { waitMs: cachedBlockMs, taken: [] };
    const counting = all.filter(({ kind }) => !(trusted && skippedIfTrusted.has(kind)));
    const blocked = seen.filter((row) => blockedMs(row, row.now) > 0 && counting.some((key) => matches(key, row)));
    if (blocked.length === 0) return count(db, counting);
    blockedNetworks.add(counting.filter(isNetwork).flatMap((key) => blocked.filter((row) => matches(key, row))));
    return { waitMs: Math.max(...blocked.map((row) => blockedMs(row, row.now))), taken: [] };
  }

  return {
    take,
    async require(keys) {
      const { waitMs, taken } = await take(keys);
      if (waitMs > 0) throw signInLimited(waitMs);
      return taken;
    },
    async reset(taken) {
      const cleared = { tries: 0, blockedUntil: null, succeededAt: sql<Date>`now()` };
      for (const { digest } of taken.filter(isPair)) {
        await db.updateTable("signInGuess").set(cleared).where("digest", "=", digest).execute();
      }
      const others = taken.filter((key) => !isPair(key));
      await decrement(db, others);
    },
    // Best effort: whatever prevented the attempt may prevent the refund too.
    refund: (taken) =>
      decrement(db, taken).catch((err) => log.warn({ err }, "could not refund a sign-in attempt that was not made")),
  };
}

interface Row extends ThrottleState {
  readonly digest: Buffer;
  readonly succeededAt: Date | null;
  readonly now: Date;
}

const matches = ({ digest }: ThrottleKey, row: Row) => row.digest.equals(digest);
const now = sql<Date>`clock_timestamp()`.as("now");

/** Consistent lock order prevents deadlocks. Networks first: if one is blocked, no other row is written. */
function inLockOrder(keys: ThrottleKeys): ThrottleKey[] {
  const all = (Object.entries(keys) as [ThrottleKind, Buffer][]).map(([kind, digest]) => ({ kind, digest }));
  return all.sort((a, b) => Number(isNetwork(b)) - Number(isNetwork(a)) || Buffer.compare(a.digest, b.digest));
}

async function readRows(db: Db, keys: readonly ThrottleKey[]): Promise<Row[]> {
  if (keys.length === 0) return [];
  const digests = keys.map(({ digest }) => digest);
  return db.selectFrom("signInGuess").selectAll().select(now).where("digest", "in", digests).execute();
}

/** Locks and re-reads each row, because concurrent attempts may have changed it, then increments all. */
function count(db: Db, counting: readonly ThrottleKey[]): Promise<Outcome> {
  return db.transaction().execute(async (tx) => {
    const rows: (ThrottleKey & { row: Row })[] = [];
    for (const key of counting) {
      const row = await lockRow(tx, key.digest);
      const waitMs = blockedMs(row, row.now);
      if (waitMs > 0) return { waitMs, taken: [] };
      rows.push({ ...key, row });
    }
    const taken = [];
    for (const { kind, digest, row } of rows) {
      const after = afterAttempt(kind, row, row.now);
      await tx.updateTable("signInGuess").set(after).where("digest", "=", digest).execute();
      taken.push({ kind, digest, blockedUntil: after.blockedUntil });
    }
    return { waitMs: 0, taken };
  });
}

const lockRow = (tx: Db, digest: Buffer): Promise<Row> =>
  tx
    .insertInto("signInGuess")
    .values({ digest })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ tries: sql<number>`sign_in_guess.tries` }))
    .returningAll()
    .returning(now)
    .executeTakeFirstOrThrow();

/** Keeps a block that another attempt started. */
async function decrement(db: Db, taken: Attempt): Promise<void> {
  for (const { digest, blockedUntil } of taken) {
    await db
      .updateTable("signInGuess")
      .set({
        tries: sql<number>`greatest(tries - 1, 0)`,
        blockedUntil: sql<Date | null>`nullif(blocked_until, ${blockedUntil}::timestamptz)`,
      })
      .where("digest", "=", digest)
      .execute();
  }
}

/** Cache TTL of blocked networks. Kept short, so that clearing the table takes effect soon. */
const blockedTtlMs = 10_000;
const maxNetworks = 10_000;

function openBlockedNetworks() {
  const until = new Map<string, number>();
  const nameOf = ({ digest }: { digest: Buffer }) => digest.toString("base64");
  return {
    blockedMs: (keys: readonly ThrottleKey[]) =>
      Math.max(0, ...keys.map((key) => (until.get(nameOf(key)) ?? 0) - Date.now())),
    add(rows: readonly Row[]): void {
      if (until.size >= maxNetworks) until.clear();
      for (const row of rows) until.set(nameOf(row), Date.now() + Math.min(blockedTtlMs, blockedMs(row, row.now)));
    },
  };
}
