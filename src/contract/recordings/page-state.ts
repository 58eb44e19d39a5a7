import { z } from 'zod'

/**
 * What the addition to posthog-js' recorder tells of a page, by the tag of its custom events. The latest event of a tag
 * counts, until the next full snapshot.
 */
export const pageStates = {
  'spool/preferences': z.object({
    scheme: z.enum(['light', 'dark']),
    contrast: z.enum(['no-preference', 'more', 'less', 'custom', 'forced']),
  }),
}

export type StateTag = keyof typeof pageStates

type Payloads = { [Tag in StateTag]: z.infer<(typeof pageStates)[Tag]> }

/** A part of a page's state; the payload is null if nothing was told. */
export type PageState = { [Tag in StateTag]: { tag: Tag; payload: Payloads[Tag] | null } }[StateTag]
