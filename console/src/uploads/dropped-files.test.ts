import { expect, test } from "vitest";
import { droppedFiles, maxFiles } from "./dropped-files.ts";

const aFile = (fullPath: string, readable = true) => ({
  isFile: true,
  isDirectory: false,
  fullPath,
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    readable ? resolve(new File([], fullPath.split("/").at(-1) ?? "")) : reject(new Error("not readable")),
});

/** Browsers return at most 100 entries per call. */
const aFolder = (fullPath: string, entries: readonly object[], readable = true) => ({
  isFile: false,
  isDirectory: true,
  fullPath,
  createReader() {
    let at = 0;
    return {
      readEntries(resolve: (some: readonly object[]) => void, reject: (error: Error) => void) {
        if (!readable) return reject(new Error("not readable"));
        at += 100;
        resolve(entries.slice(at - 100, at));
      },
    };
  },
});

const dropped = (...entries: readonly object[]) =>
  droppedFiles({
    items: entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => null })),
  } as unknown as DataTransfer);

test("reads folders recursively in order, without system files", async () => {
  const { files, unreadable, left } = await dropped(
    aFolder("/night", [
      aFile("/night/10.wav"),
      aFile("/night/.DS_Store"),
      aFolder("/night/a", [aFile("/night/a/1.wav")]),
    ]),
    aFile("/2.wav"),
  );
  expect(files.map(({ path }) => path)).toEqual(["2.wav", "night/10.wav", "night/a/1.wav"]);
  expect([unreadable, left]).toEqual([[], 0]);
});

test("reports unreadable files", async () => {
  const { files, unreadable } = await dropped(
    aFile("/1.wav", false),
    aFolder("/night", [aFile("/night/2.wav")]),
    aFolder("/locked", [], false),
  );
  expect(files.map(({ path }) => path)).toEqual(["night/2.wav"]);
  expect(unreadable).toEqual(["1.wav", "locked"]);
});

const many = (count: number) =>
  aFolder(
    "/all",
    Array.from({ length: count }, (_, n) => aFile(`/all/${n}.wav`)),
  );

test("counts files over the limit, up to a bound", async () => {
  const some = await dropped(many(maxFiles + 321));
  expect([some.files.length, some.left, some.uncounted]).toEqual([maxFiles, 321, false]);
  const endless = await dropped(many(maxFiles + 50_200));
  expect([endless.files.length, endless.left, endless.uncounted]).toEqual([maxFiles, 50_000, true]);
});
