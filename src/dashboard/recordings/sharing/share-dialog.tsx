import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { changeSharing, sharingQuery } from '../../queries/sharing.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { sendToAll } from '../../ui/list/row-requests.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../words/amount.ts'
import { namedRecordings, recordingName } from '../../words/recording-name.ts'
import { sharedLink } from './shared-link.ts'
import { SharingPanel } from './sharing-panel.tsx'

type ShareDialogProps = {
  rows: readonly SessionRecording[]
  /** The player's position, in seconds since the start; undefined without a player. */
  at?: number | undefined
  onClose: () => void
}

/** Shows how one recording is shared, or shares several at once. */
export function ShareDialog({ rows, at, onClose }: ShareDialogProps) {
  const [only] = rows
  return (
    <Dialog title={`Share ${namedRecordings(rows)}`} onClose={onClose}>
      {rows.length === 1 && only ? <SharingPanel recordingId={only.id} at={at} /> : <ShareMany rows={rows} />}
    </Dialog>
  )
}

function ShareMany({ rows }: { rows: readonly SessionRecording[] }) {
  const client = useQueryClient()
  const { projectId } = useAccount()
  const [busy, setBusy] = useState<number | null>(null)
  const [links, setLinks] = useState<readonly string[]>([])
  const share = async (enabled: boolean) => {
    const kind = { client, noun: 'recording', nameOf: recordingName, refresh: () => Promise.resolve() }
    setBusy(0)
    try {
      const { done } = await sendToAll(kind, rows, {
        send: ({ id }) => changeSharing(projectId, id, { enabled }),
        retry: () => void share(enabled),
        onProgress: setBusy,
        participle: enabled ? 'shared' : 'closed',
      })
      for (const { item, response } of done)
        client.setQueryData(sharingQuery(projectId, item.id).queryKey, response)
      setLinks(enabled ? done.map(({ response }) => sharedLink(response)) : [])
      const recordings = counted(done.length, 'recording')
      toast(enabled ? `Shared ${recordings}.` : `Stopped sharing ${recordings}.`)
    } catch (error) {
      const failed = toastFailure('Sharing could not be changed.')
      failed(error)
    } finally {
      setBusy(null)
    }
  }
  const copy = () =>
    navigator.clipboard.writeText(links.join('\n')).then(
      () => toast(`${counted(links.length, 'link')} copied.`),
      () => toast('The browser blocked copying the links.', { tone: 'failed' }),
    )
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">
        Each recording gets its own link. Anyone with the link can watch without an API key: they see the page
        as the visitor saw it, but not the visitor’s properties.
      </p>
      <output className="empty:hidden">
        {busy === null
          ? links.length > 0 && `${counted(links.length, 'link')} ready.`
          : `${busy} of ${counted(rows.length, 'recording')} done`}
      </output>
      <div className="flex flex-wrap justify-end gap-2">
        <Button busy={busy !== null} onClick={() => void share(false)}>
          Stop sharing all
        </Button>
        {links.length > 0 && (
          <Button onClick={() => void copy()}>
            <Icon name="copy" /> Copy all links
          </Button>
        )}
        <Button look="primary" busy={busy !== null} onClick={() => void share(true)}>
          Share all
        </Button>
      </div>
    </div>
  )
}
