import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { channelTypes, type AlertChannel, type ChannelType } from '../../../contract/alerts/alert-channel.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { noMail } from '../../../contract/no-mail.ts'
import { useAccount } from '../../account.ts'
import { channelsQuery, deliveriesOfChannelQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { actionsColumn } from '../../ui/list/list-column.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { channelTypeNames } from '../../format/alert.ts'
import { alertsPage, ChannelButtons, ChannelSwitch, useOpenChannel, useSendTest } from './channel-buttons.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { browserChannel } from '../browser-channel.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { DeliveryList } from '../delivery-list.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ChannelDialog = lazyNamed(() => import('./channel-dialog.tsx'), 'ChannelDialog')

const about: Record<ChannelType, string> = {
  webhook: 'Signed JSON to your own service, with retries.',
  slack: 'A message in a Slack channel, by its incoming webhook.',
  teams: 'A card in a Microsoft Teams channel, by its workflow’s webhook.',
  email: 'An e-mail to one or more addresses.',
}

/** The channels that are notified of incidents, and cards that add one. */
export function ChannelsView() {
  const { channel: opened, delivery } = alertsPage.useSearch()
  const open = useOpenChannel()
  const { projectId, scopes } = useAccount()
  const { data, error, refetch } = useQuery(channelsQuery(projectId))
  const [adding, setAdding] = useState<ChannelType | null>(null)
  const sendTest = useSendTest()
  const reason = writeReason(scopes)
  const shown = data?.results.find(({ id }) => id === opened)
  usePaletteActions([
    ...channelTypes.map((type) => ({
      id: `add channel ${type}`,
      label: `Add a channel: ${channelTypeNames[type]}`,
      reason: reason ?? typeReason(type, data?.email),
      run: () => setAdding(type),
    })),
    ...(data?.results ?? []).map((channel) => ({
      id: `test ${channel.id}`,
      label: `Send a test to ${channel.name}`,
      reason,
      run: () => sendTest(channel),
    })),
  ])
  return (
    <>
      <h2 className="mb-2 text-lg">Add a channel</h2>
      <ul className="mb-6 grid gap-2 sm:grid-cols-2 lg:grid-cols-5">
        {channelTypes.map((type) => (
          <Card key={type} title={channelTypeNames[type]} about={about[type]}>
            <Button
              reason={reason ?? typeReason(type, data?.email)}
              aria-label={`Add ${channelTypeNames[type]}`}
              onClick={() => setAdding(type)}
            >
              Add
            </Button>
          </Card>
        ))}
        <BrowserCard />
      </ul>
      <h2 className="mb-2 text-lg">Channels of this project</h2>
      <DataTable
        caption="Channels, by name"
        columns={columns}
        rows={data?.results}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No channels yet">
            <p>Incidents are listed here, but nobody is notified. Add a channel above.</p>
          </EmptyState>
        }
      />
      <Suspense>
        {adding && <ChannelDialog type={adding} channel={null} onClose={() => setAdding(null)} />}
      </Suspense>
      {shown && (
        <Dialog title={`Messages to ${shown.name}`} kind="sheet" onClose={() => open({})}>
          <Messages channel={shown} delivery={delivery} />
        </Dialog>
      )}
    </>
  )
}

type CardProps = { title: ReactNode; about: string; children: ReactNode }

function Card({ title, about: text, children }: CardProps) {
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line p-3">
      <h3 className="flex flex-wrap items-center justify-between gap-2">{title}</h3>
      <p className="flex-1 text-ink-2">{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}

/** Returns why a channel of this type cannot be added; null if it can. */
function typeReason(type: ChannelType, email: boolean | undefined): string | null {
  return type === 'email' && email === false ? noMail : null
}

const columns: readonly Column<AlertChannel>[] = [
  { header: 'On', cell: (channel) => <ChannelSwitch channel={channel} /> },
  { header: 'Channel', fills: true, cell: (channel) => <Name channel={channel} /> },
  { header: 'Last message', hiddenBelow: 'sm', cell: (channel) => <LastDelivery channel={channel} /> },
  {
    header: 'Added by',
    hiddenBelow: 'lg',
    cell: ({ by }) => (
      <span className="block max-w-60 truncate" title={by}>
        {by}
      </span>
    ),
  },
  { ...actionsColumn, hiddenBelow: 'md', cell: (channel) => <ChannelButtons channel={channel} /> },
]

function Name({ channel }: { channel: AlertChannel }) {
  return (
    <div className="min-w-40 wrap-anywhere">
      <p className="font-medium">{channel.name}</p>
      <p className="text-xs text-ink-3">
        <ChannelReceiver channel={channel} />
      </p>
      <div className="sm:hidden">
        <LastDelivery channel={channel} />
      </div>
      <div className="mt-1 md:hidden">
        <ChannelButtons channel={channel} />
      </div>
    </div>
  )
}

function LastDelivery({ channel: { last_delivery: last } }: { channel: AlertChannel }) {
  if (last === null) return <span className="text-ink-3">none yet</span>
  const isDelivered = last.status === 'delivered'
  return (
    <Status tone={isDelivered ? 'ok' : 'failed'}>
      {isDelivered ? 'delivered' : 'not delivered'} <RelativeTime time={last.at} />
    </Status>
  )
}

/** Turns on notifications of this browser. */
function BrowserCard() {
  const { projectId } = useAccount()
  const [isOn, setOn] = useState(() => browserChannel.isOn(projectId))
  const [blocked, setBlocked] = useState(browserChannel.blocked)
  const turnOn = async () => {
    const permission = await Notification.requestPermission()
    setBlocked(browserChannel.blocked())
    if (permission !== 'granted') return
    browserChannel.set(projectId, true)
    setOn(true)
    toast('This browser shows alerts of this project.', { undo: turnOff })
  }
  const turnOff = () => {
    browserChannel.set(projectId, false)
    setOn(false)
  }
  return (
    <Card
      title={<>This browser {isOn && <Status tone="ok">on</Status>}</>}
      about="Shows notifications while any tab of Spool is open, each once for all tabs. The choice is stored in this browser."
    >
      {isOn ? (
        <>
          <Button aria-label="Test this browser" onClick={browserChannel.test}>
            Send test
          </Button>
          <Button look="quiet" aria-label="Turn off this browser" onClick={turnOff}>
            Turn off
          </Button>
        </>
      ) : (
        <Button reason={blocked} aria-label="Turn on this browser" onClick={() => void turnOn()}>
          Turn on
        </Button>
      )}
    </Card>
  )
}

/** Shows the messages to a channel, with their requests and responses. */
function Messages({ channel, delivery }: { channel: AlertChannel; delivery: string | undefined }) {
  const { projectId, scopes } = useAccount()
  const deliveries = useQuery(deliveriesOfChannelQuery(projectId, channel.id))
  const sendTest = useSendTest()
  const reason = writeReason(scopes)
  useKeys({ t: { does: 'Send a test', reason, run: () => sendTest(channel) } })
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-ink-2 wrap-anywhere">
          <ChannelReceiver channel={channel} />
        </p>
        <Button reason={reason} onClick={() => sendTest(channel)}>
          Send test
        </Button>
      </div>
      <DeliveryList
        query={deliveries}
        opened={delivery}
        empty="No message was sent to this channel yet. Tests are delivered exactly like alerts."
      />
    </>
  )
}

/** Names the type of a channel and where its messages go; the path of a URL is secret. */
function ChannelReceiver({ channel }: { channel: AlertChannel }) {
  const { type, origin, recipients, recording_alerts: hasRecordings } = channel
  return (
    <>
      {channelTypeNames[type]} · {origin === null ? recipients.join(', ') : <code>{origin}/••••</code>}
      {!hasRecordings && ' · no alerts about recordings: its key cannot read them'}
    </>
  )
}
