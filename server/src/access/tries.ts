import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { afterTry, blockedMs, type Guess, type GuessKind, trustedMs } from "./guess.ts";

/** What a try counts towards. */
export type Counts = Readonly<Partial<Record<GuessKind, Buffer>>>;

interface Count {
  readonly kind: GuessKind;
  readonly digest: Buffer;
}

/** What a try was counted for, with the pauses that it began there. */
export type TakenTry = readonly (Count & { readonly pausedUntil: Date | null })[];

/** For how long nothing more is tried; 0: the try was counted, and otherwise it was not. */
type Outcome = { readonly waitMs: number; readonly taken: TakenTry };

/** Counts tries before they are made, so that many at once are no more than so many, on whichever process. */
export interface Tries {
  take(counts: Counts): Promise<Outcome>;
  /** The same, with a refusal in the place of a pause. */
  require(counts: Counts): Promise<TakenTry>;
  /** It was no guess: what it counted for is taken back, and for the mailbox from there all that was. */
  forgive(taken: TakenTry): Promise<void>;
  /** It could not be made after all. */
  takeBack(taken: TakenTry): Promise<void>;
}

const isNetwork = ({ kind }: Count) => kind === "address" || kind === "reset-address";
const isPair = ({ kind }: Count) => kind === "pair";
/** Who came in from there before is kept out neither by what others guess there nor by what they guess elsewhere. */
const passed = new Set<GuessKind>(["address", "email"]);

export function openTries({ db, log }: App): Tries {
  const networks = openBlockedNetworks();

  async function take(counts: Counts): Promise<Outcome> {
    const all = inOrder(counts);
    const knownMs = networks.blockedMs(all);
    // A flood from a network that is blocked writes nothing, and waits for nobody.
    const seen = await look(db, knownMs > 0 ? all.filter(isPair) : all);
    const trusted = seen.some(({ succeededAt, now }) => now.getTime() - (succeededAt?.getTime() ?? 0) < trustedMs);
    if (knownMs > 0 && !trusted) return { waitMs: knownMs, taken: [] };
    const counting = all.filter(({ kind }) => !(trusted && passed.has(kind)));
    const blocked = seen.filter((row) => blockedMs(row, row.now) > 0 && counting.some((one) => isOf(one, row)));
    if (blocked.length === 0) return count(db, counting);
    networks.note(counting.filter(isNetwork).flatMap((one) => blocked.filter((row) => isOf(one, row))));
    return { waitMs: Math.max(...blocked.map((row) => blockedMs(row, row.now))), taken: [] };
  }

  return {
    take,
    async require(counts) {
      const { waitMs, taken } = await take(counts);
      if (waitMs > 0) throw tooMany(waitMs);
      return taken;
    },
    async forgive(taken) {
      const cleared = { tries: 0, blockedUntil: null, succeededAt: sql<Date>`now()` };
      for (const { digest } of taken.filter(isPair)) {
        await db.updateTable("signInGuess").set(cleared).where("digest", "=", digest).execute();
      }
      const others = taken.filter((one) => !isPair(one));
      await uncount(db, others);
    },
    // What kept the try from being made may keep us from this: the count then stands.
    takeBack: (taken) =>
      uncount(db, taken).catch((err) => log.warn({ err }, "a try that was not made is counted as a guess")),
  };
}

interface Row extends Guess {
  readonly digest: Buffer;
  readonly succeededAt: Date | null;
  readonly now: Date;
}

const isOf = ({ digest }: Count, row: Row) => row.digest.equals(digest);
const now = sql<Date>`clock_timestamp()`.as("now");

/** All take the rows in the same order. First the network: while it is blocked, nothing is written of what comes from it. */
function inOrder(counts: Counts): Count[] {
  const all = (Object.entries(counts) as [GuessKind, Buffer][]).map(([kind, digest]) => ({ kind, digest }));
  return all.sort(
    (one, other) => Number(isNetwork(other)) - Number(isNetwork(one)) || Buffer.compare(one.digest, other.digest),
  );
}

async function look(db: Db, counts: readonly Count[]): Promise<Row[]> {
  if (counts.length === 0) return [];
  const digests = counts.map(({ digest }) => digest);
  return db.selectFrom("signInGuess").selectAll().select(now).where("digest", "in", digests).execute();
}

/** Others may have tried since it was looked at: each row is looked at again, and held. */
function count(db: Db, counting: readonly Count[]): Promise<Outcome> {
  return db.transaction().execute(async (tx) => {
    const rows: (Count & { row: Row })[] = [];
    for (const one of counting) {
      const row = await hold(tx, one.digest);
      const waitMs = blockedMs(row, row.now);
      if (waitMs > 0) return { waitMs, taken: [] };
      rows.push({ ...one, row });
    }
    const taken = [];
    for (const { kind, digest, row } of rows) {
      const after = afterTry(kind, row, row.now);
      await tx.updateTable("signInGuess").set(after).where("digest", "=", digest).execute();
      taken.push({ kind, digest, pausedUntil: after.blockedUntil });
    }
    return { waitMs: 0, taken };
  });
}

const hold = (tx: Db, digest: Buffer): Promise<Row> =>
  tx
    .insertInto("signInGuess")
    .values({ digest })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ tries: sql<number>`sign_in_guess.tries` }))
    .returningAll()
    .returning(now)
    .executeTakeFirstOrThrow();

/** A pause that another try began stays. */
async function uncount(db: Db, taken: TakenTry): Promise<void> {
  for (const { digest, pausedUntil } of taken) {
    await db
      .updateTable("signInGuess")
      .set({
        tries: sql<number>`greatest(tries - 1, 0)`,
        blockedUntil: sql<Date | null>`nullif(blocked_until, ${pausedUntil}::timestamptz)`,
      })
      .where("digest", "=", digest)
      .execute();
  }
}

/** So long a blocked network is believed to be so: whoever empties the table does not wait for long. */
const believedMs = 10_000;
const mostRemembered = 10_000;

function openBlockedNetworks() {
  const until = new Map<string, number>();
  const nameOf = ({ digest }: { digest: Buffer }) => digest.toString("base64");
  return {
    blockedMs: (counts: readonly Count[]) =>
      Math.max(0, ...counts.map((one) => (until.get(nameOf(one)) ?? 0) - Date.now())),
    note(rows: readonly Row[]): void {
      if (until.size >= mostRemembered) until.clear();
      for (const row of rows) until.set(nameOf(row), Date.now() + Math.min(believedMs, blockedMs(row, row.now)));
    },
  };
}

function tooMany(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new AppError("sign_in_limited", `There were too many attempts. Wait ${wait}, then try again.`, {
    retryAfterSeconds: seconds,
  });
}
