export * from "./audit.ts";
export * from "./calls.ts";
export * from "./events.ts";
export * from "./privacy.ts";
export * from "./problem.ts";
export * from "./text.ts";
export * from "./users.ts";
export * from "./webhooks.ts";
