import { hash, randomBytes } from "node:crypto";

const form = /^[A-Za-z0-9_-]{43}$/;

/** Random 256-bit token for cookies and links. */
export const newToken = () => randomBytes(32).toString("base64url");

/** Whether the text has the form of a token. Rejects invalid input without a database query. */
export const isToken = (text: string) => form.test(text);

/** Hash for storage. A 256-bit random token needs no slow password hash. */
export const hashToken = (token: string) => hash("sha256", token, "buffer");
