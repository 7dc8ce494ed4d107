/** Runs of the recording life cycle model. A release requires 10,000. */
export const modelRuns = Number(process.env.MODEL_RUNS ?? 150);

/** Jobs in the queue test. A release requires 2,000,000. */
export const queueJobs = Number(process.env.QUEUE_JOBS ?? 20_000);

/** Events in the paging test. A release requires 1,000,000. */
export const eventRows = Number(process.env.EVENT_ROWS ?? 60_000);

/** Rounds of imports that race with the erasure of their call. A release requires 60. */
export const erasureRaces = Number(process.env.ERASURE_RACES ?? 20);

/** Pending deliveries in the test of a dead webhook. A release requires 50,000. */
export const waitingDeliveries = Number(process.env.WAITING_DELIVERIES ?? 5_000);

/** Reviews in the what-if test. A release requires 100,000. */
export const whatIfReviews = Number(process.env.WHAT_IF_REVIEWS ?? 5_000);
