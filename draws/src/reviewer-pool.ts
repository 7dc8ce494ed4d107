/** A review to assign. The order of a list of them is that of their tickets. */
export interface ReviewToAssign {
  readonly callId: string;
  readonly agentId: string;
  /** Of the same call, by another reviewer than the first. */
  readonly isSecond: boolean;
  /** Who has it already: it stays theirs and counts for their share. Null: nobody can review it. */
  readonly assignedTo?: string | null;
  /** Reviewers who must not get this call. */
  readonly except?: ReadonlySet<string> | undefined;
}

/** What a reviewer has been assigned. */
export interface Load {
  readonly id: string;
  readonly at: number;
  /** The reviewer's share of all reviews, rounded. */
  readonly quota: number;
  size: number;
  /** Reviews that can move, by agents' group: those that everybody can get who may review the agent, and the others. */
  readonly movable: readonly [Map<number, Set<number>>, Map<number, Set<number>>];
}

export interface Agent {
  /** Indexes of the first reviews to assign. */
  readonly firsts: number[];
  /** First reviews by each reviewer. Second reviews do not count for the agent. */
  readonly counts: Uint32Array;
  readonly group: Group;
}

/** Agents from whom the same reviewers are excluded. */
export interface Group {
  readonly at: number;
  /** By position of the reviewer. */
  readonly isAllowed: readonly boolean[];
  firsts: number;
}

export interface Pool {
  readonly reviews: readonly ReviewToAssign[];
  readonly loads: readonly Load[];
  readonly groups: readonly Group[];
  readonly agents: readonly Agent[];
  readonly agentOf: (index: number) => Agent;
  readonly holderOf: (index: number) => Load | undefined;
  readonly mayReview: (load: Load, index: number) => boolean;
  /** Whether not everybody can get the review who may review the agent. */
  readonly isSingle: (index: number) => boolean;
  /** Assigns a review, or moves it. */
  readonly put: (index: number, load: Load) => void;
}

/** Reviewers without reviews to assign, but with those that they have already. */
export async function openPool(
  reviews: readonly ReviewToAssign[],
  quotas: ReadonlyMap<string, number>,
  isExcluded: (reviewerId: string, agentId: string) => boolean,
  step: () => Promise<void>,
): Promise<Pool> {
  const loads = [...quotas].map(
    ([id, quota], at): Load => ({ id, at, quota, size: 0, movable: [new Map(), new Map()] }),
  );
  const loadsById = new Map(loads.map((load) => [load.id, load]));
  const groups = new Map<string, Group>();
  const agents = new Map<string, Agent>();
  const siblings = await findSiblings(reviews, step);
  const holders: (Load | undefined)[] = new Array(reviews.length).fill(undefined);

  const isSingle = (index: number) => {
    const { isSecond, except } = reviews[index] as ReviewToAssign;
    const sibling = siblings.get(index);
    const isSiblingAssigned = sibling !== undefined && reviews[sibling]?.assignedTo !== undefined;
    return isSecond || isSiblingAssigned || (except?.size ?? 0) > 0;
  };
  function addAgent(id: string): Agent {
    const isAllowed = loads.map((load) => !isExcluded(load.id, id));
    const key = isAllowed.map(Number).join("");
    const group = groups.get(key) ?? { at: groups.size, isAllowed, firsts: 0 };
    groups.set(key, group);
    const agent = { firsts: [], counts: new Uint32Array(loads.length), group };
    agents.set(id, agent);
    return agent;
  }
  const agentOf = (index: number) => {
    const { agentId } = reviews[index] as ReviewToAssign;
    return agents.get(agentId) ?? addAgent(agentId);
  };
  const movableOf = (load: Load, index: number): Set<number> => {
    const byGroup = load.movable[siblings.has(index) || isSingle(index) ? 1 : 0];
    const { at } = agentOf(index).group;
    const indexes = byGroup.get(at) ?? new Set<number>();
    byGroup.set(at, indexes);
    return indexes;
  };
  function count(index: number, load: Load, change: 1 | -1): void {
    load.size += change;
    const { counts } = agentOf(index);
    if (!(reviews[index] as ReviewToAssign).isSecond) counts[load.at] = (counts[load.at] as number) + change;
  }
  function put(index: number, load: Load): void {
    const former = holders[index];
    if (former) {
      count(index, former, -1);
      movableOf(former, index).delete(index);
    }
    holders[index] = load;
    count(index, load, 1);
    movableOf(load, index).add(index);
  }

  for (const [index, review] of reviews.entries()) {
    const { assignedTo } = review;
    await step();
    const agent = agentOf(index);
    const holder = assignedTo == null ? undefined : loadsById.get(assignedTo);
    holders[index] = holder;
    if (holder) count(index, holder, 1);
    if (assignedTo !== undefined || isSingle(index)) continue;
    agent.firsts.push(index);
    agent.group.firsts++;
  }
  return {
    reviews,
    loads,
    groups: [...groups.values()],
    agents: [...agents.values()],
    agentOf,
    holderOf: (index) => holders[index],
    mayReview: (load, index) => {
      const sibling = siblings.get(index);
      if (reviews[index]?.except?.has(load.id)) return false;
      return agentOf(index).group.isAllowed[load.at] === true && (sibling === undefined || holders[sibling] !== load);
    },
    isSingle,
    put,
  };
}

/** The index of the other review of the same call. */
async function findSiblings(
  reviews: readonly ReviewToAssign[],
  step: () => Promise<void>,
): Promise<ReadonlyMap<number, number>> {
  const seconds = new Map<string, number>();
  for (const [index, { callId, isSecond }] of reviews.entries()) {
    await step();
    if (isSecond) seconds.set(callId, index);
  }
  const siblings = new Map<number, number>();
  for (const [index, { callId, isSecond }] of reviews.entries()) {
    await step();
    const second = isSecond ? undefined : seconds.get(callId);
    if (second !== undefined) siblings.set(second, index).set(index, second);
  }
  return siblings;
}
