import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyInput } from '../../../contract/endpoints.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { changeSharing, sharingQuery } from '../../queries/recordings/sharing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { sendToAll } from '../../ui/list/row-requests.ts'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../format/amount.ts'
import { namedRecordings, recordingName } from '../../format/recording-name.ts'
import type { Player } from '../player/player.ts'
import { LinkTargetContext } from './link-target.ts'
import { sharedLink } from './shared-link.ts'
import { SharingPanel } from './sharing-panel.tsx'

type ShareDialogProps = {
  rows: readonly SessionRecording[]
  /** The player's position, in seconds since the start; undefined without a player. */
  at?: number | undefined
  player?: Player
  onClose: () => void
}

/** Shows how one recording is shared, or shares several at once. */
export function ShareDialog({ rows, at, player, onClose }: ShareDialogProps) {
  const [only] = rows
  return (
    <Dialog title={`Share ${namedRecordings(rows)}`} onClose={onClose}>
      {rows.length === 1 && only ? (
        <LinkTargetContext value={{ player: player ?? null, isApp: only.snapshot_source === 'mobile' }}>
          <SharingPanel recordingId={only.id} at={at} />
        </LinkTargetContext>
      ) : (
        <ShareMany rows={rows} />
      )}
    </Dialog>
  )
}

type ChangeOf = (row: SessionRecording) => Promise<BodyInput<'updateSharing'> | null>

function ShareMany({ rows }: { rows: readonly SessionRecording[] }) {
  const client = useQueryClient()
  const { projectId } = useAccount()
  const [busy, setBusy] = useState<number | null>(null)
  const [links, setLinks] = useState<readonly string[]>([])
  /** Sends a change of each recording's default link; null changes nothing. Returns the changed recordings; null after a failure. */
  const changeAll = async (
    of: readonly SessionRecording[],
    participle: 'shared' | 'closed',
    changeOf: ChangeOf,
  ) => {
    const kind = { client, noun: 'recording', nameOf: recordingName, refresh: () => Promise.resolve() }
    setBusy(0)
    try {
      const { done } = await sendToAll(kind, of, {
        send: async (row) => {
          const change = await changeOf(row)
          return change && (await changeSharing(projectId, row.id, change))
        },
        retry: (failed) => void changeAll(failed, participle, changeOf),
        onProgress: setBusy,
        participle,
      })
      const changed = done.flatMap(({ item, response }) => (response ? [{ item, link: response }] : []))
      for (const { item, link } of changed)
        client.setQueryData(sharingQuery(projectId, item.id).queryKey, link)
      setLinks(participle === 'shared' ? changed.map(({ link }) => sharedLink(link)) : [])
      void invalidate(client, 'listSessionRecordings')
      return changed.map(({ item }) => item)
    } catch (error) {
      const failed = toastFailure('Sharing could not be changed.')
      failed(error)
      return null
    } finally {
      setBusy(null)
    }
  }
  const share = async () => {
    // A link shows the picture alone until its owner decides otherwise.
    const shared = await changeAll(rows, 'shared', async ({ id }) => {
      const { enabled } = await client.fetchQuery(sharingQuery(projectId, id))
      return enabled ? { enabled } : { enabled: true, shows: 'picture' }
    })
    if (shared) toast(`Shared ${counted(shared.length, 'recording')}.`)
  }
  const stop = async () => {
    const closed = await changeAll(rows, 'closed', async ({ id }) => {
      const { enabled } = await client.fetchQuery(sharingQuery(projectId, id))
      return enabled ? { enabled: false } : null
    })
    if (!closed) return
    const restore = () =>
      void changeAll(closed, 'shared', () => Promise.resolve({ enabled: true, keep_token: true }))
    if (closed.length === 0) toast('None of these recordings was shared.')
    else toast(`Stopped sharing ${counted(closed.length, 'recording')}.`, { undo: restore })
  }
  const copy = () =>
    copyText(
      links.join('\n'),
      `${counted(links.length, 'link')} copied.`,
      'The browser blocked copying the links.',
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
        <Button busy={busy !== null} onClick={() => void stop()}>
          Stop sharing all
        </Button>
        {links.length > 0 && (
          <Button onClick={() => void copy()}>
            <Icon name="copy" /> Copy all links
          </Button>
        )}
        <Button look="primary" busy={busy !== null} onClick={() => void share()}>
          Share all
        </Button>
      </div>
    </div>
  )
}
