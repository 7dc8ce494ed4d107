import type { ErasureKind } from "@hearback/sdk";
import { type SearchParams, uuid } from "../search-params.ts";
import { useSearchParams } from "../ui/use-search-params.ts";

export const tabs = ["erasures", "holds", "retention"] as const;
export type Tab = (typeof tabs)[number];
export const erasureKinds = ["call", "agent", "metadata", "retention", "workspace"] as const satisfies ErasureKind[];

/** Call or agent passed in the URL from its own page. */
export interface SubjectParam {
  readonly type: "call" | "agent";
  readonly id: string;
}

/** State in the URL. Customer data never appears in it. */
export interface PrivacySearch {
  readonly tab: Tab;
  readonly kind: ErasureKind | undefined;
  /** ID of the selected erasure. */
  readonly erasure: string | undefined;
  readonly state: "active" | "all";
  readonly erase: SubjectParam | undefined;
  readonly hold: SubjectParam | undefined;
}

function named(value: unknown): SubjectParam | undefined {
  const [type, id = ""] = typeof value === "string" ? value.split(":") : [];
  return (type === "call" || type === "agent") && uuid.test(id) ? { type, id } : undefined;
}

export function readPrivacySearch(search: SearchParams): PrivacySearch {
  const { tab, kind, erasure, state, erase, hold } = search;
  return {
    tab: tabs.find((one) => one === tab) ?? "erasures",
    kind: erasureKinds.find((one) => one === kind),
    erasure: typeof erasure === "string" && uuid.test(erasure) ? erasure : undefined,
    state: state === "all" ? "all" : "active",
    erase: named(erase),
    hold: named(hold),
  };
}

export function usePrivacySearch() {
  const { params, change } = useSearchParams();
  return { search: readPrivacySearch(params), change };
}
