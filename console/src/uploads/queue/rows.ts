import { type Item, type ResolveContext, resolveRow } from "./resolve-row.ts";

export type RowState =
  | { readonly kind: "listed" }
  | { readonly kind: "queued" }
  | { readonly kind: "sending" }
  | { readonly kind: "stopped" }
  | { readonly kind: "done"; readonly callId: string; readonly outcome: "imported" | "duplicate" | "erased" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface Row {
  readonly item: Item;
  readonly state: RowState;
}

/** Whether a row can be imported. */
export const isComplete = ({ item }: Row, context: ResolveContext) =>
  item.look !== undefined && !item.look.fault && resolveRow(item, context).missing.length === 0;
