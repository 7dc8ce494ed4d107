/** How many runs the model of a recording's life takes: 10,000 count for a release. */
export const modelRuns = Number(process.env.MODEL_RUNS ?? 150);
