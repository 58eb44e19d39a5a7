/** Lengths of a reel, in seconds. */
export const reelLengths = [15, 30, 60] as const
