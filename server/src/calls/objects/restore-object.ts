import type { App } from "../../platform/app.ts";
import type { Storage } from "../../platform/storage/types.ts";

/** Brings a lost object back under its own key. Returns false if the source does not have it either. */
export type RestoreObject = (key: string) => Promise<boolean>;

/** Restores from a copy of the object store. Replaces a damaged object. */
export const restoreFromCopy =
  ({ storage }: App, copy: Storage): RestoreObject =>
  async (key) => {
    if ((await copy.size(key)) === undefined) return false;
    await storage.delete(key);
    const upload = storage.create(key, "restore");
    try {
      for await (const chunk of await copy.get(key)) await upload.write(chunk);
      await upload.finish();
      return true;
    } catch (error) {
      await upload.abort().catch(() => {});
      throw error;
    }
  };
