import type { Readable } from 'node:stream'
import { projectOf } from '../../auth/access.ts'
import { invalidInput, overloaded, tooLarge, unreadable } from '../../problems/api-error.ts'
import { importRecording } from '../../recordings/transfer/import-recording.ts'
import { TooLargeFile } from '../../recordings/transfer/read-file.ts'
import { DamagedFile } from '../../recordings/transfer/seal.ts'
import { recordingFile } from '../../recordings/transfer/write-file.ts'
import type { Handler } from '../handler.ts'
import { showRecording } from './show-recording.ts'

/** Imports of this process at once; each holds a block and the files of its recording in memory. */
const importsMax = 2
let imports = 0

export const fileOfSessionRecording: Handler<'fileOfSessionRecording'> = async ({ services, recording }) =>
  recordingFile(services, recording)

/** After a refusal, the rest of the body is read and dropped, so that the client gets the response. */
export const importSessionRecording: Handler<'importSessionRecording'> = async (request) => {
  const { services, caller, projects, query, body } = request
  const project = projectOf(projects)
  if (imports >= importsMax) {
    body.resume()
    throw overloaded('Other recordings are being imported at the moment. Try again shortly.')
  }
  imports += 1
  try {
    const asCopy = query.as_copy === 'true'
    const row = await importRecording(services, {
      projectId: project.id,
      userId: caller.userId,
      body: received(body),
      asCopy,
    })
    return await showRecording(services, row)
  } catch (error) {
    throw explain(error)
  } finally {
    imports -= 1
    body.resume()
  }
}

async function* received(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw unreadable('The request ended before the file was complete. Send it again.', cause)
  }
}

function explain(error: unknown): unknown {
  if (error instanceof DamagedFile)
    return invalidInput(
      `The file is not a complete recording: ${error.message}. Download the recording again, and import that file.`,
      [],
      { attr: null },
    )
  if (!(error instanceof TooLargeFile)) return error
  return tooLarge(`The recording cannot be imported: ${error.message}.`, error)
}
