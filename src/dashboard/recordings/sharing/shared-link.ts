import { call } from '../../api/call.ts'

/** Returns the URL that opens a shared recording without an API key. */
export function sharedLink({ access_token: token }: { access_token: string }): string {
  return `${location.origin}/shared/${token}`
}

/** Returns the HTML that shows a shared recording in another page. */
export function embedCode({ access_token: token }: { access_token: string }): string {
  const source = `${location.origin}/embedded/${token}`
  return `<iframe src="${source}" title="A recorded visit" width="100%" height="540" style="border: 0" allowfullscreen></iframe>`
}

/** Creates a public link that shows the picture from a second of the recording on, and returns its URL. */
export async function createPublicLink(
  projectId: string,
  recordingId: string,
  { start }: { start: number },
): Promise<string> {
  const params = { project_id: projectId, recording_id: recordingId }
  return sharedLink(await call('createRecordingLink', { params, body: { start: start > 0 ? start : null } }))
}
