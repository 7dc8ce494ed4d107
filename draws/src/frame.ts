import { utf8 } from "./bytes.ts";
import { merkleRoot, openMerkleTree } from "./merkle-tree.ts";

/** Computes the root of an agent's calls, which are added in ascending order of their ids. */
export function openAgentRoot() {
  const tree = openMerkleTree();
  return {
    add: (callId: string) => tree.add(utf8(callId)),
    root: () => tree.root(),
    get calls() {
      return tree.size;
    },
  };
}

/** The root of an agent's calls. */
export const agentRoot = (callIds: readonly string[]): Uint8Array => merkleRoot(callIds.map(utf8));

/** The root of a frame: of the roots of its agents, in ascending order of agent ids. */
export const frameRoot = (agentRoots: Iterable<Uint8Array>): Uint8Array => merkleRoot(agentRoots);
