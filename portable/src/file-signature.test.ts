import { expect, test } from "vitest";
import { describeNonAudio, hasId3Tag, recogniseContainer } from "./file-signature.ts";

const bytes = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from([
    ...parts.flatMap((part) => (typeof part === "string" ? [...part].map((sign) => sign.charCodeAt(0)) : part)),
    ...Array.from({ length: 32 }, () => 0),
  ]);

test.each([
  ["wav", bytes("RIFF\x24\0\0\0WAVEfmt ")],
  ["wav", bytes("RF64\xff\xff\xff\xffWAVEds64")],
  ["mp4", bytes([0, 0, 0, 32], "ftypM4A ")],
  ["mp4", bytes([0, 0, 0, 8], "wide")],
  ["ogg", bytes("OggS")],
  ["flac", bytes("fLaC")],
  ["webm", bytes([0x1a, 0x45, 0xdf, 0xa3])],
  ["au", bytes(".snd")],
  ["amr", bytes("#!AMR\n")],
  ["amr-wb", bytes("#!AMR-WB\n")],
  ["aac", bytes([0xff, 0xf1, 0x50, 0x80])],
  ["mp3", bytes([0xff, 0xfb, 0x90, 0x00])],
])("recognises %s", (container, head) => expect(recogniseContainer(head)).toBe(container));

test.each([
  ["no bytes", new Uint8Array(0)],
  ["text that looks like a box", bytes("Get free tickets")],
  ["an MP3 sync with a reserved version", bytes([0xff, 0xeb, 0x90, 0x00])],
  ["an MP3 sync without a bit rate", bytes([0xff, 0xfb, 0x00, 0x00])],
  ["a UTF-16 text", bytes([0xff, 0xfe], "a\0b\0")],
  ["a tag", bytes("ID3\x04")],
])("recognises no container in %s", (_, head) => expect(recogniseContainer(head)).toBeUndefined());

test("recognises an ID3 tag", () => {
  expect([bytes("ID3\x04"), bytes("TAG")].map(hasId3Tag)).toEqual([true, false]);
});

test.each([
  ["%PDF-1.7", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive or an office document"],
  ["PK\x05\x06", "an empty ZIP archive"],
  ["\xd0\xcf\x11\xe0", "an office document"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["MZ\x90", "a Windows program"],
  ["RIFF\0\0\0\0AVI ", "an AVI video"],
  ["\0\0\0\x18styp", "a single segment of a stream, which cannot be played on its own"],
  ["\x02#!SILK", "a SILK file"],
  ["", "a file of zeros, as left by a failed copy"],
])("describes %j", (start, kind) => expect(describeNonAudio(bytes(start))).toBe(kind));

test("describes text, and nothing that it does not know", () => {
  const head = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  expect(describeNonAudio(head("Call of Ann Lee\nat 10:30"))).toBe("a text file");
  expect(describeNonAudio(head("\xc3\xa9a".repeat(300)))).toBe("a text file");
  expect(describeNonAudio(Uint8Array.of(0, 1, 2, 3, 250, 251))).toBeUndefined();
});
