import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { linesQuery } from '../../../contract/recordings/recording-rules.ts'
import { sharingPasswordHeader } from '../../../contract/recordings/sharing-header.ts'
import type { LinkContent, OpenedLink } from '../../../contract/recordings/sharing.ts'
import type { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { NetworkFailure } from '../../api/problem.ts'
import { readProblem } from '../../api/read-problem.ts'

/** The credentials of a visitor with a link: its token replaces a key, and a password may be required. */
export type FollowedLink = { token: string; password: string | undefined }

/** Opens the recording or collection of a link; every request counts as a view. */
export function openLink(link: FollowedLink, signal: AbortSignal): Promise<LinkContent> {
  return requestJson<LinkContent>(`/api/shared/${encodeURIComponent(link.token)}/`, link, signal)
}

/** Opens a recording of a shared collection. */
export function openRecording(link: FollowedLink, id: string, signal: AbortSignal): Promise<OpenedLink> {
  const path = `/api/shared/${encodeURIComponent(link.token)}/recordings/${encodeURIComponent(id)}/`
  return requestJson<OpenedLink>(path, link, signal)
}

/** Returns the requests for the data of an opened recording. */
export function requestsFor({ team_id, id }: OpenedLink, link: FollowedLink) {
  const path = (part: 'snapshots' | 'assets') =>
    `/api/projects/${team_id}/session_recordings/${encodeURIComponent(id)}/${part}/?sharing_access_token=${encodeURIComponent(link.token)}`
  return {
    sources: (signal: AbortSignal) => requestJson<SnapshotSources>(path('snapshots'), link, signal),
    assets: (signal: AbortSignal) => requestJson<RecordedAssets>(path('assets'), link, signal),
    /** Reads the JSON lines of some blocks, both ends included, or of a stored page. */
    blocks: async (range: { from: number; to: number }, signal: AbortSignal) => {
      const query = new URLSearchParams(linesQuery(range))
      const response = await request(`${path('snapshots')}&${query}`, link, signal)
      return await received(signal, () => response.arrayBuffer())
    },
  }
}

/** Responses come from the service that sent this page, so they are not validated: a validator would double the page's size. */
async function requestJson<Answer>(path: string, link: FollowedLink, signal: AbortSignal): Promise<Answer> {
  const response = await request(path, link, signal)
  return await received(signal, () => response.json() as Promise<Answer>)
}

async function request(path: string, { password }: FollowedLink, signal: AbortSignal): Promise<Response> {
  const headers = password === undefined ? {} : { [sharingPasswordHeader]: headerValue(password) }
  const response = await received(signal, () => fetch(path, { headers, signal, cache: 'no-store' }))
  if (!response.ok) throw await readProblem(response)
  return response
}

async function received<Answer>(signal: AbortSignal, read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (signal.aborted) throw error
    throw new NetworkFailure(error)
  }
}

/** Encodes a text as a header value: one character for each of its UTF-8 bytes. */
function headerValue(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
