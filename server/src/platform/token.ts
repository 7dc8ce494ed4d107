import { hash, randomBytes } from "node:crypto";

const form = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits: what a cookie or a link holds. */
export const newToken = () => randomBytes(32).toString("base64url");

/** Whether it can be one at all. Refuses junk without asking the database. */
export const isToken = (text: string) => form.test(text);

/** What is stored of it: 256 random bits need no slow hash. */
export const hashToken = (token: string) => hash("sha256", token, "buffer");
