import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inclusionPath, merkleRoot, rootOfPath } from "./merkle-tree.ts";

// Test vectors of Certificate Transparency's reference implementation.
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  hexToBytes,
);
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test.each([...roots.entries()])("the root of %i leaves", (size, root) => {
  expect(bytesToHex(merkleRoot(leaves.slice(0, size)))).toBe(root);
});

test("the path of RFC 6962 from a leaf leads to the root, and no other does", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, at, flipped) => {
      const all = Array.from({ length: size }, (_, index) => Uint8Array.of(index, 7));
      const index = at % size;
      const leaf = all[index] as Uint8Array;
      const path = inclusionPath(all, index);
      const root = bytesToHex(merkleRoot(all));
      expect(bytesToHex(rootOfPath(leaf, { index, size, path }) ?? new Uint8Array())).toBe(root);
      expect(rootOfPath(leaf, { index, size, path: [...path, leaf] })).toBeUndefined();
      expect(rootOfPath(leaf, { index: size, size, path })).toBeUndefined();
      const altered = path.map((hash, level) =>
        level === flipped % (path.length || 1) ? hash.with(0, (hash[0] ?? 0) ^ 1) : hash,
      );
      if (path.length > 0)
        expect(bytesToHex(rootOfPath(leaf, { index, size, path: altered }) ?? new Uint8Array())).not.toBe(root);
    }),
  );
});
