import { useQuery } from '@tanstack/react-query'
import type { Passkey } from '../../contract/accounts/passkey.ts'
import { passkeyProblem } from '../api/passkey.ts'
import { passkeysQuery, useAddPasskey, useRemovePasskey, useRenamePasskey } from '../queries/credentials.ts'
import { sessionsQuery } from '../queries/sessions.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DialogButton } from '../ui/controls/dialog-button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { lazyNamed } from '../ui/lazy-named.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { actionsColumn } from '../ui/list/list-column.ts'
import { RelativeTime } from '../ui/time.tsx'
import { useCredentialsReason } from './use-credentials-reason.ts'

const PasskeyNameDialog = lazyNamed(() => import('./passkey-name-dialog.tsx'), 'PasskeyNameDialog')

/** The user's passkeys, with which they sign in without a password. */
export function PasskeysSection() {
  const { data, error, refetch } = useQuery(passkeysQuery)
  const reason = useCredentialsReason() ?? passkeyProblem()
  return (
    <section aria-labelledby="passkeys" className="mb-8">
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h2 id="passkeys" className="flex-1 text-base font-semibold">
          Passkeys
        </h2>
        <DialogButton label="Add a passkey" reason={reason}>
          {(onClose) => <AddPasskey onClose={onClose} />}
        </DialogButton>
      </div>
      {reason && <p className="mb-2 text-xs text-ink-3">{reason}</p>}
      <DataTable
        caption="Passkeys"
        columns={columns}
        rows={data}
        rowKey={(row) => row.id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No passkeys">
            With a passkey you sign in by fingerprint, face or PIN, without a password or a code. It works
            only on this site, so a fake sign-in page cannot steal it.
          </EmptyState>
        }
      />
    </section>
  )
}

const columns: readonly Column<Passkey>[] = [
  {
    header: 'Passkey',
    fills: true,
    wraps: true,
    cell: ({ name, host }) => (
      <>
        <span className="font-medium wrap-anywhere">{name}</span>
        {host !== location.hostname && <span className="ml-2 text-xs text-ink-3">for {host}</span>}
      </>
    ),
  },
  { header: 'Added', hiddenBelow: 'md', cell: (row) => <RelativeTime time={row.created_at} /> },
  {
    header: 'Last used',
    hiddenBelow: 'sm',
    cell: ({ last_used_at: at }) => (at === null ? 'never' : <RelativeTime time={at} />),
  },
  { ...actionsColumn, cell: (row) => <Actions row={row} /> },
]

function Actions({ row }: { row: Passkey }) {
  const reason = useCredentialsReason()
  return (
    <>
      <DialogButton label="Rename" look="quiet" reason={reason}>
        {(onClose) => <RenamePasskey passkey={row} onClose={onClose} />}
      </DialogButton>
      <DialogButton label="Remove" look="quiet" reason={reason}>
        {(onClose) => <RemovePasskey passkey={row} onClose={onClose} />}
      </DialogButton>
    </>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const { data: sessions } = useQuery(sessionsQuery)
  const add = useAddPasskey()
  return (
    <PasskeyNameDialog
      title="Add a passkey"
      about="Your browser then asks where to keep the passkey: on this device, on your phone or on a security key."
      action="Continue"
      name={sessions?.find(({ is_current }) => is_current)?.device ?? ''}
      busy={add.isPending}
      error={add.error}
      onSubmit={(name) =>
        add.mutate(name, {
          onSuccess: (passkey) => {
            toast(`Added the passkey ${passkey.name}.`)
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

type RowDialogProps = { passkey: Passkey; onClose: () => void }

function RenamePasskey({ passkey: { id, name: before }, onClose }: RowDialogProps) {
  const rename = useRenamePasskey()
  return (
    <PasskeyNameDialog
      title={`Rename ${before}`}
      about="The name is shown only here and in the audit log."
      action="Rename"
      name={before}
      busy={rename.isPending}
      error={rename.error}
      onSubmit={(name) =>
        rename.mutate(
          { id, name },
          {
            onSuccess: () => {
              toast(`Renamed ${before} to ${name}.`)
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}

function RemovePasskey({ passkey, onClose }: RowDialogProps) {
  const remove = useRemovePasskey()
  const confirm = () =>
    remove.mutate(passkey.id, {
      onSuccess: () => {
        toast(`Removed the passkey ${passkey.name}.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      action="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      It no longer signs you in. Browsers that are signed in stay signed in. Delete the passkey on your device
      as well.
    </ConfirmDialog>
  )
}
