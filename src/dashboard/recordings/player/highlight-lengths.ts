/** Lengths of highlights, in seconds. */
export const highlightLengths = [15, 30, 60] as const
