import type { Role } from "@hearback/sdk";
import { isFromQueue } from "../queue/queue-link.ts";
import type { SearchParams } from "../search-params.ts";
import type { IconName } from "../ui/icon.tsx";
import type { TextKey } from "./texts.ts";

export const navigationGroups = ["work", "setup", "compliance"] as const;
type NavigationGroup = (typeof navigationGroups)[number];

export interface NavigationItem {
  readonly to: string;
  readonly text: TextKey;
  readonly icon: IconName;
  readonly group: NavigationGroup;
  readonly roles: readonly Role[];
}

const everyone: readonly Role[] = ["agent", "reviewer", "supervisor", "admin"];
const agent: readonly Role[] = ["agent"];
const reviewing: readonly Role[] = ["reviewer", "supervisor", "admin"];
const leading: readonly Role[] = ["supervisor", "admin"];
const admin: readonly Role[] = ["admin"];

/** Navigation by group, most used first. Hides links only; the server enforces the rights. */
export const navigationItems: readonly NavigationItem[] = [
  { to: "/queue", text: "queue", icon: "queue", group: "work", roles: reviewing },
  { to: "/calls", text: "calls", icon: "calls", group: "work", roles: everyone },
  { to: "/reviews", text: "reviews", icon: "review", group: "work", roles: reviewing },
  { to: "/reviews", text: "myReviews", icon: "review", group: "work", roles: agent },
  { to: "/my-scores", text: "myScores", icon: "chart", group: "work", roles: agent },
  { to: "/how-i-am-reviewed", text: "myDraws", icon: "draw", group: "work", roles: agent },
  { to: "/disputes", text: "disputes", icon: "dispute", group: "work", roles: reviewing },
  { to: "/scores", text: "scores", icon: "trend", group: "work", roles: leading },
  { to: "/calibrations", text: "calibrations", icon: "calibration", group: "work", roles: reviewing },
  { to: "/plans", text: "plans", icon: "draw", group: "work", roles: leading },
  { to: "/uploads", text: "uploads", icon: "upload", group: "work", roles: leading },
  { to: "/imports", text: "imports", icon: "chart", group: "work", roles: leading },
  { to: "/scorecards", text: "scorecards", icon: "scorecard", group: "work", roles: everyone },
  { to: "/campaigns", text: "campaigns", icon: "campaign", group: "setup", roles: leading },
  { to: "/people", text: "people", icon: "people", group: "setup", roles: leading },
  { to: "/keys", text: "keys", icon: "key", group: "setup", roles: admin },
  { to: "/webhooks", text: "webhooks", icon: "webhook", group: "setup", roles: admin },
  { to: "/workspace", text: "workspace", icon: "settings", group: "setup", roles: admin },
  { to: "/privacy", text: "privacy", icon: "shield", group: "compliance", roles: admin },
  { to: "/audit", text: "audit", icon: "book", group: "compliance", roles: admin },
];

/** Whether the path is within this item. */
export const isCurrent = (path: string, { to }: NavigationItem) => path === to || path.startsWith(`${to}/`);

/** The path of the navigation item to mark. A call that is reviewed for the queue or for a session belongs to those. */
export function placeOf(path: string, search: SearchParams): string {
  if (!/^\/calls\/[^/]+\/review$/.test(path)) return path;
  if (search.calibration) return "/calibrations";
  return isFromQueue(search) ? "/queue" : path;
}
