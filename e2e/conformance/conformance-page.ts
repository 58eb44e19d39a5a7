import type { Page } from '@playwright/test'
import type { RecordedEvent, Size } from '../../src/replay/recorded/rrweb.ts'

/** A small page that shows one feature of the web. */
export type ConformancePage = {
  name: string
  /** HTML of the head; `{other}` is an origin whose responses lack CORS headers. */
  head?: string
  /** HTML of the body; `{other}` as above. */
  body: string
  /** The visitor's actions, once the page is being recorded. */
  act?: (page: Page) => Promise<void>
  /** An event that must be recorded before the picture is taken. */
  awaits?: (event: RecordedEvent) => boolean
  /** Options of posthog-js in addition to the token and the service's URL. */
  recorder?: { maskAllInputs?: boolean; captureCanvas?: object }
  size?: Size
  /** Whether the page lacks a doctype. */
  isQuirks?: boolean
  hasTouch?: boolean
  /** The contrast that the visitor prefers. */
  contrast?: 'more'
  /** The viewer's theme. */
  viewer?: 'light' | 'dark'
  /** A part of the page that the recorder cannot record, so that the replay can differ. */
  limit?: string
  /** What must hold for `limit` to excuse a difference, if the page names it. */
  proof?: {
    /** What no recorded event contains. */
    absent: RegExp
    /** A part of the player's badge. */
    badge?: string
  }
  /** Whether `npm test` also measures the page. */
  isFast?: boolean
}

/** Returns the page twice: for a light and for a dark viewer. */
export function inBothViewers(page: ConformancePage): ConformancePage[] {
  return (['light', 'dark'] as const).map((viewer) => ({
    ...page,
    name: `${page.name}, ${viewer} viewer`,
    viewer,
  }))
}
