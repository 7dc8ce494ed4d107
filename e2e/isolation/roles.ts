import type { Role } from "../support/http/users.ts";

/*
 * Roles allowed on each route (docs/signing-in.md): a = agent, r = reviewer, s = supervisor, d = admin. Written by hand, so
 * that the test finds routes that are opened by mistake.
 */
const letters: Readonly<Record<string, Role>> = { a: "agent", r: "reviewer", s: "supervisor", d: "admin" };

/** "-": public. */
export const allowedRoles: Readonly<Record<string, string>> = {
  "GET /session/options": "-",
  "POST /session": "-",
  "POST /session/forgotten": "-",
  "POST /session/link/look": "-",
  "POST /session/link": "-",
  "POST /session/second-step": "-",
  "POST /session/passkey/options": "-",
  "POST /session/passkey": "-",

  "GET /session": "arsd",
  "DELETE /session": "arsd",
  "POST /session/password": "arsd",
  "POST /session/confirm": "arsd",
  "GET /session/two-step": "arsd",
  "POST /session/two-step/totp": "arsd",
  "POST /session/two-step/totp/confirm": "arsd",
  "DELETE /session/two-step/totp": "arsd",
  "POST /session/two-step/passkeys/options": "arsd",
  "POST /session/two-step/passkeys": "arsd",
  "DELETE /session/two-step/passkeys/{id}": "arsd",
  "POST /session/two-step/recovery-codes": "arsd",
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
  "DELETE /users/{id}/provider": "d",
  "GET /workspace": "sd",
  "GET /imports/summary": "sd",

  "PATCH /users/{id}": "d",
  "DELETE /users/{id}/two-step": "d",
  "GET /workspace/two-step": "d",
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

export const rolesAllowedOn = (route: string): Role[] =>
  [...(allowedRoles[route] ?? "")].flatMap((letter) => letters[letter] ?? []);
