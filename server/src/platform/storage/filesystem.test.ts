import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openFilesystem } from "./filesystem.ts";
import { storageContract } from "./storage-contract.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-"));
afterAll(() => rm(root, { recursive: true }));

storageContract(() => openFilesystem(root));
