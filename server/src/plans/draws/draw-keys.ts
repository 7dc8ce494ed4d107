import type { App } from "../../platform/app.ts";
import type { SecretPlace } from "../../platform/secret-box.ts";
import type { DrawRow } from "./find-draw.ts";

type Place = Pick<DrawRow, "workspaceId" | "id">;

const placeOf = (column: "key" | "second_key", { workspaceId, id }: Place): SecretPlace => ({
  table: `review_draw.${column}`,
  workspaceId,
  rowId: id,
});

/** Encrypts the keys of a draw, which are secret until they are published. */
export const sealKeys = (
  { secretBox }: App,
  place: Place,
  keys: { readonly key: Buffer; readonly secondKey: Buffer },
) => ({
  sealedKey: secretBox.encrypt(keys.key.toString("hex"), placeOf("key", place)),
  sealedSecondKey: secretBox.encrypt(keys.secondKey.toString("hex"), placeOf("second_key", place)),
});

function open({ secretBox }: App, sealed: string | null, place: SecretPlace): Buffer | null {
  return sealed === null ? null : Buffer.from(secretBox.decrypt(sealed, place), "hex");
}

/** The key of a draw, also before it is published. */
export function openKey(app: App, draw: DrawRow): Buffer {
  const key = draw.key ?? open(app, draw.sealedKey, placeOf("key", draw));
  if (!key) throw new Error(`the draw ${draw.id} has no key`);
  return key;
}

/** The second key, also before it is published. Null: the draw is older than second keys. */
export const openSecondKey = (app: App, draw: DrawRow): Buffer | null =>
  draw.secondKey ?? open(app, draw.sealedSecondKey, placeOf("second_key", draw));

/** The sealed keys of a draw, encrypted with the current key of the service. */
export function resealKeys(
  app: App,
  draw: Place & Pick<DrawRow, "sealedKey" | "sealedSecondKey">,
): Pick<DrawRow, "sealedKey" | "sealedSecondKey"> {
  const reseal = (sealed: string | null, place: SecretPlace) =>
    sealed && app.secretBox.encrypt(app.secretBox.decrypt(sealed, place), place);
  return {
    sealedKey: reseal(draw.sealedKey, placeOf("key", draw)),
    sealedSecondKey: reseal(draw.sealedSecondKey, placeOf("second_key", draw)),
  };
}
