import { z } from 'zod'

/** Id of a node in the recording. */
const nodeId = z.int().min(1)

/**
 * What the addition to posthog-js' recorder tells of a page, by the tag of its custom events. The latest event of a tag
 * counts, until the next full snapshot.
 */
export const pageStates = {
  'spool/preferences': z.object({
    scheme: z.enum(['light', 'dark']),
    contrast: z.enum(['no-preference', 'more', 'less', 'custom', 'forced']),
  }),
  /** Open popovers and modal dialogs, the uppermost last. */
  'spool/top-layer': z.object({ ids: z.array(nodeId).max(100) }),
  /** The element that the page's address points to; null if there is none. */
  'spool/target': z.object({ id: nodeId.nullable() }),
  /** Nodes clicked last where clicks open popovers; the reader adds these if the recorder does not tell the top layer. */
  'spool/popover-clicks': z.object({ ids: z.array(nodeId).max(100) }),
}

export type StateTag = keyof typeof pageStates

type Payloads = { [Tag in StateTag]: z.infer<(typeof pageStates)[Tag]> }

/** A part of a page's state; the payload is null if nothing was told. */
export type PageState = { [Tag in StateTag]: { tag: Tag; payload: Payloads[Tag] | null } }[StateTag]
