import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { sharedAtOnceMax } from '../../../contract/recordings/sharing.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { shareMany } from '../../queries/recordings/sharing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { copyText, toast } from '../../ui/feedback/toasts.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { counted } from '../../format/amount.ts'
import { namedRecordings } from '../../format/recording-name.ts'
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

function ShareMany({ rows }: { rows: readonly SessionRecording[] }) {
  const client = useQueryClient()
  const { projectId } = useAccount()
  const [busy, setBusy] = useState<number | null>(null)
  const [links, setLinks] = useState<readonly string[]>([])
  /** Changes the default links of recordings; resolves to those that were changed. */
  const change = async (ids: readonly string[], body: { enabled: boolean; keep_token?: boolean }) => {
    const changed: ResponseOf<'bulkUpdateSharing'>['results'] = []
    setBusy(0)
    try {
      for (let first = 0; first < ids.length; first += sharedAtOnceMax) {
        const some = ids.slice(first, first + sharedAtOnceMax)
        changed.push(...(await shareMany(client, projectId, { ids: some, ...body })))
        setBusy(first + some.length)
      }
    } finally {
      setBusy(null)
    }
    setLinks(body.enabled ? changed.map(sharedLink) : [])
    return changed.map(({ id }) => id)
  }
  const failed = 'Sharing could not be changed.'
  const ids = rows.map(({ id }) => id)
  const share = () =>
    sendAction({
      failed,
      send: () => change(ids, { enabled: true }),
      done: (shared) => `Shared ${counted(shared.length, 'recording')}.`,
    })
  const stop = async () => {
    let closed: readonly string[] = []
    await sendAction({
      failed,
      send: async () => (closed = await change(ids, { enabled: false })),
      done: () => {
        if (closed.length > 0) return `Stopped sharing ${counted(closed.length, 'recording')}.`
        // Without Undo.
        toast('None of these recordings was shared.')
        return null
      },
      undo: () =>
        void sendAction({ failed, send: () => change(closed, { enabled: true, keep_token: true }) }),
    })
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
