import type { Role } from "@hearback/sdk";
import type { TextKey } from "../i18n/use-texts.ts";
import type { IconName } from "../ui/icon.tsx";

interface Place {
  readonly to: string;
  readonly text: TextKey<"shell">;
  readonly icon: IconName;
  readonly roles: readonly Role[];
}

const everyone: readonly Role[] = ["agent", "reviewer", "supervisor", "admin"];
const leading: readonly Role[] = ["supervisor", "admin"];
const admin: readonly Role[] = ["admin"];

/** Where one can go, in the order of how often. The server decides what is allowed; this only spares dead ends. */
export const places: readonly Place[] = [
  { to: "/calls", text: "calls", icon: "calls", roles: everyone },
  { to: "/uploads", text: "uploads", icon: "upload", roles: leading },
  { to: "/imports", text: "imports", icon: "chart", roles: leading },
  { to: "/campaigns", text: "campaigns", icon: "campaign", roles: leading },
  { to: "/people", text: "people", icon: "people", roles: leading },
  { to: "/keys", text: "keys", icon: "key", roles: admin },
  { to: "/webhooks", text: "webhooks", icon: "webhook", roles: admin },
  { to: "/privacy", text: "privacy", icon: "shield", roles: admin },
  { to: "/audit", text: "audit", icon: "book", roles: admin },
  { to: "/workspace", text: "workspace", icon: "settings", roles: admin },
];

/** Whether a path is this place, or something in it. */
export const isAt = (path: string, { to }: Place) => path === to || path.startsWith(`${to}/`);
