import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { isStatus } from '../../api/problem.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { useImportRecording } from '../../queries/recordings/recording-file.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'

/** A button that imports the file of a recording and opens the recording. */
export function ImportRecording() {
  const { scopes } = useAccount()
  const fieldRef = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <Button reason={recordingCan.change(scopes)} onClick={() => fieldRef.current?.click()}>
        Import a recording
      </Button>
      <input
        ref={fieldRef}
        type="file"
        accept=".zst"
        aria-label="File of a recording"
        hidden
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      {file && <ImportDialog file={file} onClose={() => setFile(null)} />}
    </>
  )
}

function ImportDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [part, setPart] = useState(0)
  const { mutate, error, isPending } = useImportRecording(projectId)
  const stopRef = useRef<AbortController>(null)
  const start = (asCopy: boolean) => {
    const stop = new AbortController()
    stopRef.current = stop
    setPart(0)
    mutate(
      { file, asCopy, onProgress: setPart, signal: stop.signal },
      {
        onSuccess: async ({ id }) => {
          onClose()
          void invalidate(client, 'listSessionRecordings')
          await navigate({ to: '/recordings/$id', params: { id } })
        },
      },
    )
  }
  const startRef = useRef(start)
  useEffect(() => {
    startRef.current(false)
    return () => stopRef.current?.abort()
  }, [])
  const isKnown = isStatus(error, 409)
  return (
    <Dialog title="Import a recording" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere">{file.name}</p>
        {isPending && (
          <>
            <progress className="w-full" value={part < 1 ? part : undefined} aria-label="Import" />
            <output className="text-ink-2">
              {part < 1 ? `${Math.floor(part * 100)} % sent` : 'Reading the recording…'}
            </output>
          </>
        )}
        {isKnown && (
          <p role="alert">
            This project has, or had, a recording of the same session. You can import a copy beside it.
          </p>
        )}
        {error && !isKnown && (
          <ProblemNote error={error} onRetry={isStatus(error, 400) ? undefined : () => start(false)} />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{isPending ? 'Cancel' : 'Close'}</Button>
          {isKnown && (
            <Button look="primary" onClick={() => start(true)}>
              Import as a copy
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
