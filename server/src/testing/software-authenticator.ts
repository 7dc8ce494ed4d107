import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** The CBOR values that WebAuthn uses. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

function toCbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [toCbor(key), toCbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();

interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** User verification flag. */
  readonly verified?: boolean;
}

/** A software authenticator with one passkey (ES256). */
export function openAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let count = 0;

  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = ({ rpId, verified = true }: Ceremony, flags: number, more = Buffer.alloc(0)) => {
    count += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flag = Buffer.from([0x01 | (verified ? 0x04 : 0) | flags]);
    return Buffer.concat([sha256(rpId), flag, counter, more]);
  };
  const shared = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };

  return {
    create(ceremony: Ceremony) {
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, toCbor(coseKey(publicKey))]);
      const attestation = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authenticatorData(ceremony, 0x40, attested)],
      ]);
      return {
        ...shared,
        response: {
          clientDataJSON: clientData("webauthn.create", ceremony).toString("base64url"),
          attestationObject: toCbor(attestation).toString("base64url"),
        },
      };
    },
    get(ceremony: Ceremony, userHandle: string) {
      const client = clientData("webauthn.get", ceremony);
      const data = authenticatorData(ceremony, 0);
      const signed = createSign("sha256").update(Buffer.concat([data, sha256(client)]));
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signed.sign(privateKey).toString("base64url"),
          userHandle,
        },
      };
    },
  };
}

/** kty EC2, alg ES256, crv P-256. */
function coseKey(key: KeyObject): Map<number, Cbor> {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return new Map<number, Cbor>([
    ...([
      [1, 2],
      [3, -7],
      [-1, 1],
    ] as const),
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
}
