import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";

/** Merkle trees as in RFC 6962, section 2.1. The prefixes keep a leaf from passing for a node. */
const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(concatBytes(leafPrefix, leaf));
const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(nodePrefix, left, right));

export interface MerkleTree {
  readonly size: number;
  add(leaf: Uint8Array): void;
  root(): Uint8Array;
}

/** Computes the root of leaves that are added one by one. Keeps one hash per level, not the leaves. */
export function openMerkleTree(): MerkleTree {
  /** Roots of complete subtrees, from large to small: one for each bit of `size` that is set. */
  const subtrees: Uint8Array[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(leaf) {
      let hash = leafHash(leaf);
      for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) {
        hash = nodeHash(subtrees.pop() as Uint8Array, hash);
      }
      subtrees.push(hash);
      size++;
    },
    root() {
      const [smallest, ...larger] = subtrees.toReversed();
      if (!smallest) return sha256(new Uint8Array());
      return larger.reduce((root, subtree) => nodeHash(subtree, root), smallest);
    },
  };
}

export function merkleRoot(leaves: Iterable<Uint8Array>): Uint8Array {
  const tree = openMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

/** The largest power of two that is smaller than `size`. */
const splitOf = (size: number) => 2 ** Math.floor(Math.log2(size - 1));

/** The hashes that lead from a leaf to the root (RFC 6962, section 2.1.1), lowest first. */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  return index < split
    ? [...inclusionPath(leaves.slice(0, split), index), merkleRoot(leaves.slice(split))]
    : [...inclusionPath(leaves.slice(split), index - split), merkleRoot(leaves.slice(0, split))];
}

/** The root of a tree of `size` leaves, from one leaf and its path. Undefined if the path has the wrong length. */
export function rootOfPath(
  leaf: Uint8Array,
  { index, size, path }: { readonly index: number; readonly size: number; readonly path: readonly Uint8Array[] },
): Uint8Array | undefined {
  if (index >= size) return undefined;
  const sides: ("left" | "right")[] = [];
  for (let [at, left] = [index, size]; left > 1; ) {
    const split = splitOf(left);
    sides.push(at < split ? "right" : "left");
    [at, left] = at < split ? [at, split] : [at - split, left - split];
  }
  if (sides.length !== path.length) return undefined;
  return path.reduce((root, sibling, level) => {
    const side = sides[sides.length - 1 - level];
    return side === "left" ? nodeHash(sibling, root) : nodeHash(root, sibling);
  }, leafHash(leaf));
}
