import { randomBytes } from "node:crypto";
import { decryptAesGcm, encryptAesGcm } from "./aes-gcm.ts";

/** A key of the ring. The id is stored with every ciphertext. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Where a secret is stored. Authenticated with the ciphertext: a copy in another row does not decrypt. */
export interface SecretPlace {
  readonly table: string;
  readonly workspaceId: string;
  readonly rowId: string;
}

/** Encrypts secrets at rest that the service must read again. */
export interface SecretBox {
  /** False without ENCRYPTION_KEYS: secrets are then stored in plain text. */
  readonly encrypts: boolean;
  /** Encrypts with the first key of the ring. */
  encrypt(plain: string, place: SecretPlace): string;
  /** Decrypts with the key named in the ciphertext. Returns plain text, stored before there was a key, unchanged. */
  decrypt(stored: string, place: SecretPlace): string;
  /** Prefix of everything that `encrypt` returns. Stored values with another prefix need rotation. */
  readonly prefix: string;
  /** Whether the key for this value is in the key ring. */
  canDecrypt(stored: string): boolean;
}

/** Format: aes256gcm.KEY-ID.BASE64URL(iv, tag, ciphertext). No plain-text secret starts with this prefix. */
const scheme = "aes256gcm.";
const form = /^aes256gcm\.([a-z0-9-]{1,32})\.([A-Za-z0-9_-]+)$/;

/** AES-256-GCM with a key ring: the first key encrypts, every key decrypts. */
export function openSecretBox(keys: readonly EncryptionKey[]): SecretBox {
  const [first] = keys;
  const keyById = new Map(keys.map(({ id, key }) => [id, key]));
  const keyIdOf = (stored: string) => form.exec(stored)?.[1];
  const prefix = first ? `${scheme}${first.id}.` : "";

  return {
    encrypts: first !== undefined,
    prefix,
    encrypt(plain, place) {
      if (!first) return plain;
      return `${prefix}${encryptAesGcm(first.key, plain, contextOf(place)).toString("base64url")}`;
    },
    decrypt(stored, place) {
      const [, keyId, content] = form.exec(stored) ?? [];
      if (keyId === undefined || content === undefined) return stored;
      const key = keyById.get(keyId);
      if (!key) throw new Error(`ENCRYPTION_KEYS lacks the key "${keyId}", which encrypted a stored secret`);
      const plain = decryptAesGcm(key, Buffer.from(content, "base64url"), contextOf(place));
      if (!plain) throw new Error(`A stored secret in ${place.table} was changed, or copied from another row`);
      return plain.toString("utf8");
    },
    canDecrypt(stored) {
      const keyId = keyIdOf(stored);
      return keyId === undefined || keyById.has(keyId);
    },
  };
}

const contextOf = ({ table, workspaceId, rowId }: SecretPlace) => [table, workspaceId, rowId].join("\0");

const keyBytes = 32;

/**
 * Parses "2027:BASE64,2026:BASE64". Returns undefined if malformed, rather than an error that could repeat the secret.
 */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] | undefined {
  const keys = text.split(",").map((entry) => {
    const [, id, encoded] = /^\s*([a-z0-9-]{1,32}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    return id && encoded ? { id, key: Buffer.from(encoded, "base64") } : undefined;
  });
  const valid = keys.filter((key) => key !== undefined && key.key.length === keyBytes) as EncryptionKey[];
  const ids = new Set(valid.map(({ id }) => id));
  return valid.length === keys.length && ids.size === valid.length ? valid : undefined;
}

/** Generates a key in the format of ENCRYPTION_KEYS. */
export const newEncryptionKey = (id: string) => `${id}:${randomBytes(keyBytes).toString("base64")}`;
