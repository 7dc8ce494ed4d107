import { expect, test } from "vitest";
import { signLink } from "./sign-request.ts";

const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const at = new Date("2013-05-24T00:00:00Z");
const link = { host: "examplebucket.s3.amazonaws.com", path: "/test.txt", parameters: {}, seconds: 86_400 };
const signatureOf = (query: string) => new URLSearchParams(query).get("X-Amz-Signature");

test("matches the example in Amazon's documentation", () => {
  const query = signLink(link, credentials, "us-east-1", at);
  expect(query).toBe(
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

test.each([
  ["host", { ...link, host: "other.s3.amazonaws.com" }],
  ["path", { ...link, path: "/other.txt" }],
  ["lifetime", { ...link, seconds: 86_401 }],
  ["response header", { ...link, parameters: { "response-content-type": "text/html" } }],
])("a different %s changes the signature", (_, other) => {
  const [first, second] = [link, other].map((input) => signatureOf(signLink(input, credentials, "us-east-1", at)));
  expect(first).not.toBe(second);
});

test("includes the session token and sorts the parameters", () => {
  const query = signLink(
    { ...link, parameters: { "response-content-disposition": `inline; filename="it's (1).wav"` } },
    { ...credentials, sessionToken: "a+b/c=" },
    "us-east-1",
    at,
  );
  expect(query).toContain("X-Amz-Security-Token=a%2Bb%2Fc%3D");
  expect(query).toContain("filename%3D%22it%27s%20%281%29.wav%22");
  const names = query.split("&").map((pair) => pair.split("=")[0]);
  expect(names.slice(0, -1)).toEqual(names.slice(0, -1).toSorted());
});
