import type { StorageConfig } from "../config.ts";
import { openFilesystem } from "./filesystem.ts";
import { openS3 } from "./s3.ts";
import type { Storage } from "./types.ts";

export function openStorage(config: StorageConfig): Storage {
  return config.kind === "filesystem" ? openFilesystem(config.root) : openS3(config);
}
