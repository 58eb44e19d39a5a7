import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { AlertChannel } from '../../../contract/alerts/alert-channel.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { changeAlerts, rulesQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { useSending } from '../use-sending.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { counted } from '../../format/amount.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ChannelDialog = lazyNamed(() => import('./channel-dialog.tsx'), 'ChannelDialog')

type ChannelProps = { channel: AlertChannel }

/** Turns a channel on or off. */
export function ChannelSwitch({ channel: { id, name, enabled } }: ChannelProps) {
  const { scopes } = useAccount()
  const sending = useSending()
  const set = (on: boolean) =>
    void changeAlerts(sending, 'updateAlertChannel', { id, body: { enabled: on } }).then(
      () => toast(`${name} is ${on ? 'on' : 'off'}.`, { undo: () => set(!on) }),
      toastFailure(`${name} could not be turned ${on ? 'on' : 'off'}.`),
    )
  return <Switch label={`Channel ${name}`} on={enabled} reason={writeReason(scopes)} onChange={set} />
}

/** The actions on a channel. */
export function ChannelButtons({ channel }: ChannelProps) {
  const { scopes } = useAccount()
  const open = useOpenChannel()
  const sendTest = useSendTest()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const reason = writeReason(scopes)
  const { id, name } = channel
  const close = () => setDialog(null)
  return (
    <span className="flex items-center gap-2 max-md:flex-wrap">
      <Button reason={reason} aria-label={`Send a test to ${name}`} onClick={() => sendTest(channel)}>
        Send test
      </Button>
      <Button aria-label={`Messages to ${name}`} onClick={() => open({ channel: id })}>
        Messages
      </Button>
      <Menu
        label={`More actions for ${name}`}
        items={[
          { label: 'Edit', reason, onSelect: () => setDialog('edit') },
          { label: 'Delete', reason, danger: true, onSelect: () => setDialog('delete') },
        ]}
      />
      <Suspense>
        {dialog === 'edit' && <ChannelDialog type={channel.type} channel={channel} onClose={close} />}
      </Suspense>
      {dialog === 'delete' && <DeleteChannel channel={channel} onClose={close} />}
    </span>
  )
}

function DeleteChannel({ channel: { id, name }, onClose }: ChannelProps & { onClose: () => void }) {
  const sending = useSending()
  const { data: rules } = useQuery(rulesQuery(sending.projectId))
  const only =
    rules?.results.filter(({ channels }) => channels?.length === 1 && channels[0] === id).length ?? 0
  const remove = useMutation({
    mutationFn: () => changeAlerts(sending, 'deleteAlertChannel', { id }),
    onSuccess: () => {
      toast(`Deleted ${name}.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Rules stop using this channel, and pending retries are dropped. Messages already sent stay listed under
      their incidents. This cannot be undone: to add the channel again, you need its address and secret.
      {only > 0 && (
        <strong className="mt-2 block font-semibold text-fail-ink">
          {only === 1 ? '1 rule notifies' : `${counted(only, 'rule')} notify`} only this channel, and will
          then notify nobody.
        </strong>
      )}
    </ConfirmDialog>
  )
}

/** Returns a function that sends a test message and opens it. */
export function useSendTest() {
  const sending = useSending()
  const open = useOpenChannel()
  const send = async ({ id }: AlertChannel) => {
    const sent = await changeAlerts(sending, 'testAlertChannel', { id, body: {} })
    open({ channel: id, delivery: sent.id })
  }
  return (channel: AlertChannel) =>
    void send(channel).catch(toastFailure(`A test could not be sent to ${channel.name}.`))
}

/** The page of alerts; its URL names the channel whose messages are shown, and the message that is open. */
export const alertsPage = getRouteApi('/_app/settings/alerts')

/** Returns a function that opens the messages of a channel, or closes them. */
export function useOpenChannel() {
  const navigate = alertsPage.useNavigate()
  return (opened: { channel?: string; delivery?: string }) =>
    void navigate({
      search: (now) => ({ ...now, channel: undefined, delivery: undefined, ...opened }),
      resetScroll: false,
    })
}
