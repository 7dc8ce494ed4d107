import type { Role } from "../support/people.ts";

/*
 * What each role may, as docs/signing-in.md promises it: a = agent, r = reviewer, s = supervisor, d = admin. Written out by
 * hand: a route that is opened to somebody by mistake differs from it.
 */
const letters: Readonly<Record<string, Role>> = { a: "agent", r: "reviewer", s: "supervisor", d: "admin" };

/** "-": everybody, also who is not signed in. */
export const promised: Readonly<Record<string, string>> = {
  "GET /session/options": "-",
  "POST /session": "-",
  "POST /session/forgotten": "-",
  "POST /session/link/look": "-",
  "POST /session/link": "-",

  "GET /session": "arsd",
  "DELETE /session": "arsd",
  "POST /session/password": "arsd",
  "GET /sessions": "arsd",
  "DELETE /sessions/{id}": "arsd",
  "GET /calls": "arsd",
  "GET /calls/{id}": "arsd",
  "GET /calls/{id}/audio": "arsd",
  "GET /calls/{id}/waveform": "arsd",
  "GET /calls/{id}/speech": "arsd",
  "GET /campaigns": "arsd",
  "GET /campaigns/{id}": "arsd",

  "GET /calls/{id}/changes": "rsd",
  "GET /users": "rsd",
  "GET /users/{id}": "rsd",

  "POST /calls/audio": "sd",
  "POST /calls/lookup": "sd",
  "PATCH /calls/{id}": "sd",
  "POST /calls/{id}/prepare": "sd",
  "GET /calls/export": "sd",
  "POST /campaigns": "sd",
  "PATCH /campaigns/{id}": "sd",
  "POST /users/invite": "sd",
  "POST /users/{id}/invitation": "sd",
  "GET /workspace": "sd",
  "GET /imports/summary": "sd",

  "PATCH /users/{id}": "d",
  "PATCH /workspace": "d",
  "DELETE /calls/{id}": "d",
  "GET /audit": "d",
  "GET /audit/export": "d",
  "GET /events": "d",
  "GET /limits": "d",
  "GET /keys": "d",
  "POST /keys": "d",
  "GET /keys/{id}": "d",
  "PATCH /keys/{id}": "d",
  "DELETE /keys/{id}": "d",
  "POST /keys/{id}/rotate": "d",
  "GET /webhooks": "d",
  "POST /webhooks": "d",
  "GET /webhooks/{id}": "d",
  "PATCH /webhooks/{id}": "d",
  "DELETE /webhooks/{id}": "d",
  "POST /webhooks/{id}/rotate-secret": "d",
  "POST /webhooks/{id}/test": "d",
  "GET /webhooks/{id}/deliveries": "d",
  "POST /webhooks/{id}/replay": "d",
  "POST /erasures/preview": "d",
  "POST /erasures": "d",
  "GET /erasures": "d",
  "GET /erasures/{id}": "d",
  "GET /erasures/{id}/certificate": "d",
  "POST /holds": "d",
  "GET /holds": "d",
  "DELETE /holds/{id}": "d",
};

export const rolesThatMay = (route: string): Role[] =>
  [...(promised[route] ?? "")].flatMap((letter) => letters[letter] ?? []);
