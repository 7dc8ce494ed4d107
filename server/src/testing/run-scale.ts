import { scale } from "@hearback/portable/testing/scale";

/** Runs of the recording life cycle model. */
export const modelRuns = scale(100, 150, 10_000);

/** Jobs in the queue test. */
export const queueJobs = scale(10_000, 20_000, 2_000_000);

/** Events in the paging test. */
export const eventRows = scale(30_000, 60_000, 1_000_000);

/** Rounds of imports that race with the erasure of their call. */
export const erasureRaces = scale(15, 20, 60);

/** Pending deliveries in the test of a dead webhook. */
export const waitingDeliveries = scale(3_000, 5_000, 50_000);

/** Reviews in the what-if test. */
export const whatIfReviews = scale(3_000, 5_000, 100_000);
