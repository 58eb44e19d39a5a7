import { scopeReason } from '../accounts/scopes.ts'

// Limits, names and rules without schemas: the page of a recording loads no schemas at first.

/** Maximum number of blocks per request. */
export const blobKeysMax = 20
/** Longest note, in characters. */
export const noteLengthMax = 5000
/** Recordings that one request shares, or stops sharing. */
export const sharedAtOnceMax = 1000
/** Most recordings that a collection's link shows; it shows the newest. */
export const sharedRecordingsMax = 100

/** What visitors get besides the picture; `all` is the console and the network. */
export const linkShows = ['picture', 'console', 'network', 'all'] as const
export type LinkShows = (typeof linkShows)[number]

/**
 * Returns what visitors get: with masks, the picture alone, because a message or a request can contain the text that the
 * picture hides.
 */
export function shownWith({ shows, masks }: { shows: LinkShows; masks: readonly unknown[] }): LinkShows {
  return masks.length > 0 ? 'picture' : shows
}

/** Reasons why a key's scopes rule out an action on recordings, for the button's tooltip and the service's error; null if they do not. */
export const recordingCan = {
  change: (granted: readonly string[]) => scopeReason(granted, 'session_recording:write'),
  changeErrors: (granted: readonly string[]) => scopeReason(granted, 'error_tracking:write'),
  seeSharing: (granted: readonly string[]) => scopeReason(granted, 'sharing_configuration:read'),
  share: (granted: readonly string[]) => scopeReason(granted, 'sharing_configuration:write'),
}

/** Returns the number of the stored page at the start of a block, or the number of the block of a page. */
export function pageNumber(number: number): number {
  return -1 - number
}

/** Returns the query for the lines of the blocks `from` to `to`, both included, or of one stored page. */
export function linesQuery({ from, to }: { from: number; to: number }) {
  const isPage = from < 0
  const [first, last] = isPage ? [pageNumber(from), pageNumber(to)] : [from, to]
  return { source: isPage ? 'page' : 'blob_v2', start_blob_key: `${first}`, end_blob_key: `${last}` }
}
