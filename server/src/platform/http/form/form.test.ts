import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aForm } from "../../../testing/forms.ts";
import { AppError } from "../../errors.ts";
import { type Form, type FormShape, readForm } from "./form.ts";

/** A request whose body arrives in these chunks. */
function aRequest(headers: Record<string, string>, pieces: Buffer[]): IncomingMessage {
  const body = Object.assign(new PassThrough(), { headers, socket: { bytesRead: 0 } });
  for (const piece of pieces) body.write(piece);
  body.end();
  return body as unknown as IncomingMessage;
}

const shape: Omit<FormShape, "openFile"> = {
  texts: { a: 10, b: 10 },
  file: "file",
  pace: { graceMs: 5000, minBytesPerSecond: 1 },
  maxBytes: 1_000_000,
  tooLarge: () => new AppError("recording_too_large", "too large"),
};

async function read(headers: Record<string, string>, pieces: Buffer[]): Promise<{ form: Form; file: Buffer }> {
  const file: Uint8Array[] = [];
  const form = await readForm(aRequest(headers, pieces), {
    ...shape,
    openFile: () => (chunk) => {
      file.push(Buffer.from(chunk));
      return file.length % 3 === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    },
  });
  return { form, file: Buffer.concat(file) };
}

const content = Buffer.from("\r\n--not the boundary\r\n------hearback-test-boundar\r\n\r\n-".repeat(9));
const { headers, payload } = aForm(["a", "1"], ["file", content], ["b", ""], ["x", "y"]);

test("parses the form wherever the body is split in two", async () => {
  for (let cut = 0; cut <= payload.length; cut++) {
    const { form, file } = await read(headers, [payload.subarray(0, cut), payload.subarray(cut)]);
    expect({ ...form, file: file.toString() }).toEqual({
      texts: { a: "1", b: "" },
      hasFile: true,
      wrong: [],
      unknown: ["x"],
      file: content.toString(),
    });
  }
});

test("parses the form from chunks of any size", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), async (sizes) => {
      const pieces: Buffer[] = [];
      for (let at = 0, i = 0; at < payload.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        pieces.push(payload.subarray(at, at + size));
        at += size;
      }
      const { form, file } = await read(headers, pieces);
      expect(form.texts).toEqual({ a: "1", b: "" });
      expect(file.equals(content)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("yields to the event loop while reading a body that has fully arrived", async () => {
  const sent = Buffer.alloc(4_000_000);
  const { headers, payload } = aForm(["file", sent]);
  const pieces = Array.from({ length: Math.ceil(payload.length / 65_536) }, (_, n) =>
    payload.subarray(n * 65_536, (n + 1) * 65_536),
  );
  let received = 0;
  let max = 0;
  let before = 0;
  const measure = () => {
    max = Math.max(max, received - before);
    before = received;
  };
  const eachIteration = () => {
    measure();
    if (received < sent.length) setImmediate(eachIteration);
  };
  setImmediate(eachIteration);
  await readForm(aRequest(headers, pieces), {
    ...shape,
    maxBytes: 5_000_000,
    openFile: () => (chunk) => {
      received += chunk.length;
      return undefined;
    },
  });
  measure();
  expect(received).toBe(sent.length);
  expect(max).toBeLessThanOrEqual(256 * 1024);
});

const refusals: [string, Parameters<typeof aForm>, string][] = [
  [
    "a repeated part",
    [
      ["a", "1"],
      ["a", "2"],
    ],
    "part_repeated",
  ],
  ["a text part sent as a file", [["a", Buffer.from("1")]], "part_not_text"],
  ["the file sent as text", [["file", "1"]], "part_not_file"],
];
test.each(refusals)("rejects %s", async (_, parts, code) => {
  const form = aForm(...parts);
  await expect(read(form.headers, [form.payload])).rejects.toMatchObject({ code });
});

test("collects text parts that are too long or not UTF-8 instead of failing immediately", async () => {
  const form = aForm(["a", "x".repeat(11)], ["b", "MARK"]);
  const { form: read1 } = await read(form.headers, [form.payload]);
  expect(read1.wrong).toEqual([expect.objectContaining({ part: "a", code: "too_long" })]);
  const bytes = Buffer.from(form.payload.toString("latin1").replace("MARK", "\xff"), "latin1");
  const { form: read2 } = await read(form.headers, [bytes]);
  expect(read2.wrong).toContainEqual(expect.objectContaining({ part: "b", code: "not_utf8" }));
});

test.each([
  ["no boundary", "multipart/form-data", "body_malformed"],
  ["another type", "application/json", "content_type_wrong"],
  ["a boundary that is too long", `multipart/form-data; boundary=${"x".repeat(71)}`, "body_malformed"],
  ["a tab in its boundary", 'multipart/form-data; boundary="a\tb"', "body_malformed"],
  ["a backslash in its boundary", 'multipart/form-data; boundary="a\\b"', "body_malformed"],
  ["non-ASCII letters in its boundary", 'multipart/form-data; boundary="é"', "body_malformed"],
])("rejects a content type with %s", async (_, type, code) => {
  await expect(async () => read({ "content-type": type }, [payload])).rejects.toMatchObject({ code });
});

test("rejects a body without its closing boundary", async () => {
  await expect(read(headers, [payload.subarray(0, -20)])).rejects.toMatchObject({ code: "body_malformed" });
});

test("rejects a body that is too large, even after its closing boundary", async () => {
  await expect(read(headers, [payload, Buffer.alloc(1_000_001)])).rejects.toMatchObject({
    code: "recording_too_large",
  });
});

test("parses or rejects the form for any boundary", async () => {
  // All characters that a header value can contain.
  const character = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const wide = fc.string({ unit: character, maxLength: 80 });
  const legal = fc.string({ unit: fc.constantFrom(..."abcXYZ019'()+_,-./:=? *"), minLength: 1, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(wide, legal), fc.boolean(), async (boundary, quoted) => {
      const type = `multipart/form-data; boundary=${quoted ? `"${boundary}"` : boundary}`;
      const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1';
      const body = Buffer.from(`--${boundary}\r\n${part}\r\n--${boundary}--\r\n`, "latin1");
      const outcome: unknown = await (async () => (await read({ "content-type": type }, [body])).form)().catch(
        (error: unknown) => error,
      );
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "AppError", code: "body_malformed" });
      const valid = quoted ? /^[\w'()+,./:=?* -]{1,70}$/ : /^[\w'()+,./:=?*-]{1,70}$/;
      if (valid.test(boundary)) expect(outcome).toMatchObject({ texts: { a: "1" } });
    }),
    { numRuns: 2_000 },
  );
});
