/** What rrweb has recorded at one moment, unpacked. */
export type ReplayEvent = {
  type: number
  /** Milliseconds since the epoch. */
  timestamp: number
  data: Record<string, unknown>
}

export type Size = { width: number; height: number }

export type WindowEvent = { window: string; event: ReplayEvent }

export const types = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const
export const sources = { mutation: 0, mouseInteraction: 2, resize: 4, font: 10 } as const

/** Of a mouse, of a finger, of something that is dragged. */
export const moves: readonly unknown[] = [1, 6, 12]

/** Moving, clicking, scrolling, resizing, typing, touching, playing media, dragging. */
const activeSources: readonly unknown[] = [1, 2, 3, 4, 5, 6, 7, 12]

/** Whether it shows that somebody was there. */
export function isActive({ type, data }: ReplayEvent): boolean {
  return type === types.incremental && activeSources.includes(data['source'])
}

/** Whether it holds the width and height that a window may have, in pixels. */
export function isSize(data: Record<string, unknown>): data is Size {
  return isLength(data['width']) && isLength(data['height'])
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 20_000
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
