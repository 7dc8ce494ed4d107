/*
 * Limits of scorecards and answers. Without the schemas, so that browsers can use them and the formula without loading zod.
 */
export const documentLimits = { sections: 30, questions: 150, bytes: 200 * 1000 } as const;
export const questionLimits = { options: 30, bands: 30, tags: 10, points: 1000, weight: 1000, number: 1e9 } as const;
export const conditionLimits = { levels: 3, entries: 10, answers: 20 } as const;
export const answerLimits = { comment: 4000, text: 4000, moments: 20, milliseconds: 7 * 24 * 60 * 60 * 1000 } as const;
