/** What rrweb has recorded at one moment, unpacked. */
export type ReplayEvent = {
  type: number
  /** Milliseconds since the epoch. */
  timestamp: number
  data: Record<string, unknown>
}

export type WindowEvent = { window: string; event: ReplayEvent }

export const types = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const
export const sources = { mutation: 0, mouseInteraction: 2, styleSheetRule: 8, font: 10 } as const

/** Moving, clicking, scrolling, resizing, typing, touching, playing media, dragging. */
const activeSources: readonly unknown[] = [1, 2, 3, 4, 5, 6, 7, 12]

/** Whether it shows that somebody was there. */
export function isActive({ type, data }: ReplayEvent): boolean {
  return type === types.incremental && activeSources.includes(data['source'])
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
