/**
 * Transaction settings of statements that read the latest reviews of a period. Only an index in the order of calls gives these alone:
 * the statistics of a growing table make the planner read the table instead. Sorts of all that is read fit into memory.
 */
export const reviewerSettings = { jit: "off", enable_seqscan: "off", work_mem: "32MB" } as const;
