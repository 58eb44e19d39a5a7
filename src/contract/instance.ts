import { z } from 'zod'

/** Features and settings of this installation, from which forms derive their choices. */
export const Instance = z.object({
  destinations: z.array(z.string()),
  exports_folder: z.string().nullable(),
  private_destinations_allowed: z.boolean(),
  settle_seconds: z.number(),
})
export type Instance = z.infer<typeof Instance>
