import { z } from 'zod'

/** Lengths of a reel, in seconds. */
export const reelLengths = [15, 30, 60] as const

/** The search parameter `reel`, in a separate file because the router parses it before the page loads. */
export const ReelSeconds = z.literal(reelLengths).optional().catch(undefined)
