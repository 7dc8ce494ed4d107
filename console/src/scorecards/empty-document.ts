/** The start of a scorecard without a template, as the API has it. */
export const emptyDocument = { format: "hearback.scorecard/1", passing_score: 80, sections: [] };
