import { z } from 'zod'

export const snapshotSources = ['web', 'mobile'] as const
export const SnapshotSource = z.enum(snapshotSources)
export type SnapshotSource = z.infer<typeof SnapshotSource>
