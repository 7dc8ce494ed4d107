/** Series with their own colour and pattern. The others are combined. */
export const maxSeries = 6;
