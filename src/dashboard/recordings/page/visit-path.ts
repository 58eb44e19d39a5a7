import type { SessionRecording } from '../../../contract/session-recording.ts'

/** Describes a visit by its pages and its end: "Home → Lamp → Cart → left at Coupon". */
export function visitPath({ visit, start_url: startUrl }: SessionRecording): string {
  if (!visit) return startUrl
  const { pages, page_count: count, outcome } = visit
  const labels = pages.map(({ label }) => label)
  const others = count - pages.length
  const end = {
    completed: `✓ ${outcome.label}`,
    left: `left at ${outcome.label}`,
    error: `▲ ${outcome.label}`,
  }
  return [...labels, ...(others > 0 ? [`${others} more`] : []), end[outcome.kind]].join(' → ')
}
