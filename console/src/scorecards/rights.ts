import type { Role } from "@hearback/sdk";

/** Whether this role may change scorecards. Hides controls only; the server enforces the rights. */
export const mayManage = (role: Role): boolean => role === "supervisor" || role === "admin";
