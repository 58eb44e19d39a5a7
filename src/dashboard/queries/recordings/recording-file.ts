import { useMutation } from '@tanstack/react-query'
import { address, callForBytes, loadEndpoint } from '../../api/call.ts'
import { NetworkFailure, UnexpectedResponse } from '../../api/problem.ts'
import { readProblem } from '../../api/read-problem.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { recordingName } from '../../format/recording-name.ts'

/** Saves a recording as a file that an import can read. */
export async function downloadRecording(projectId: string, recording: SessionRecording): Promise<void> {
  const name = `${recordingName(recording)} ${recording.start_time.slice(0, 10)}`
  toast('Preparing the file of the recording.')
  try {
    const params = { project_id: projectId, recording_id: recording.id }
    const bytes = await callForBytes('fileOfSessionRecording', { params })
    const file = new Blob([bytes], { type: 'application/zstd' })
    saveFile(`${name.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')}.json.zst`, file)
  } catch (error) {
    const retry = () => void downloadRecording(projectId, recording)
    toastFailure('The recording could not be downloaded.', retry)(error)
  }
}

type Upload = {
  file: File
  asCopy: boolean
  /** Receives the part of the file that has been sent, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Imports the file of a recording. */
export function useImportRecording(projectId: string) {
  return useMutation({ mutationFn: (upload: Upload) => importRecording(projectId, upload) })
}

/** @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached. */
async function importRecording(projectId: string, { file, asCopy, onProgress, signal }: Upload) {
  const { method, path, response: schema } = await loadEndpoint('importSessionRecording')
  const search = asCopy ? { as_copy: 'true' } : {}
  // fetch does not report how much of a body has been sent.
  const request = new XMLHttpRequest()
  request.open(method, address(path, { project_id: projectId }, search))
  request.setRequestHeader('Content-Type', 'application/zstd')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(1, total)))
  signal.addEventListener('abort', () => request.abort())
  await new Promise<void>((resolve, reject) => {
    request.addEventListener('load', () => resolve())
    for (const event of ['error', 'abort'])
      request.addEventListener(event, (cause) => reject(new NetworkFailure(cause)))
    request.send(file)
  })
  const headers = new Headers({ 'X-Request-Id': request.getResponseHeader('X-Request-Id') ?? '' })
  const response = new Response(request.responseText, { status: request.status, headers })
  if (!response.ok) throw await readProblem(response)
  try {
    return schema.parse(await response.json())
  } catch (error) {
    throw new UnexpectedResponse(error)
  }
}
