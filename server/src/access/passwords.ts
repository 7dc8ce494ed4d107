import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../platform/errors.ts";

const derive = promisify(argon2);

/** Argon2id: 19 MiB, two passes. What a stored password was made with stands in it, so these can grow. */
const present = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagLength = 32;
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,86})\$([A-Za-z0-9+/]{16,86})$/;

/** Each takes 19 MiB and a thread: so many at once, and so many who wait for their turn. */
const most = { atOnce: 2, waiting: 40 } as const;

/** Makes and checks what is stored of a password. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether it is the one that was stored. Where nothing is stored it takes as long to say no. */
  fits(password: string, stored: string | null): Promise<boolean>;
}

export function openPasswords(): Passwords {
  const inTurn = openTurns();
  const make = (password: string, nonce: Buffer, cost: typeof present | Cost) =>
    inTurn(() => derive("argon2id", { message: password.normalize("NFC"), nonce, tagLength, ...cost }));
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const { memory, passes, parallelism } = present;
      const tag = await make(password, salt, present);
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
    },
    async fits(password, stored) {
      const known = stored === null ? undefined : parse(stored);
      const tag = await make(password, known?.salt ?? randomBytes(saltBytes), known?.cost ?? present);
      return known !== undefined && known.tag.length === tag.length && timingSafeEqual(known.tag, tag);
    },
  };
}

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

function parse(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } | undefined {
  const [, memory, passes, parallelism, salt, tag] = form.exec(stored) ?? [];
  if (!salt || !tag) return undefined;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}

/** Does a few things at a time and lets a few wait; who comes then is told to come again. */
function openTurns() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most.atOnce) {
      if (waiting.length >= most.waiting) throw busy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The turn goes to the next one, or nobody has it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const busy = () =>
  new AppError("sign_in_busy", "Too many people sign in at this moment. Try again in a moment.", {
    retryAfterSeconds: 2,
  });
