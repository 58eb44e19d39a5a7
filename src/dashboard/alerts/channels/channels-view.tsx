import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { channelTypes, type AlertChannel, type ChannelType } from '../../../contract/alerts/alert-channel.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { channelsQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { channelTypeNames } from '../../format/alert.ts'
import { BrowserCard } from './browser-card.tsx'
import { ChannelButtons, ChannelSwitch } from './channel-buttons.tsx'
import { ChannelReceiver } from './channel-receiver.tsx'
import { ChannelSheet } from './channel-sheet.tsx'
import { OpenChannel, type OpenedChannel } from './open-channel.ts'
import { useSendTest } from './use-send-test.ts'

const ChannelDialog = lazy(() =>
  import('./channel-dialog.tsx').then((module) => ({ default: module.ChannelDialog })),
)

const about: Record<ChannelType, string> = {
  webhook: 'Signed JSON to your own service, with retries.',
  slack: 'A message in a Slack channel, by its incoming webhook.',
  teams: 'A card in a Microsoft Teams channel, by its workflow’s webhook.',
  email: 'An e-mail to one or more addresses.',
}

type ChannelsViewProps = OpenedChannel & { onOpen: (opened: OpenedChannel) => void }

/** The channels that are notified of incidents, and cards that add one. */
export function ChannelsView({ channel: opened, delivery, onOpen }: ChannelsViewProps) {
  const { projectId, scopes } = useAccount()
  const { data, error, refetch } = useQuery(channelsQuery(projectId))
  const [adding, setAdding] = useState<ChannelType | null>(null)
  const sendTest = useSendTest(onOpen)
  const reason = writeReason(scopes)
  const shown = data?.results.find(({ id }) => id === opened)
  const close = () => onOpen({})
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
    <OpenChannel value={onOpen}>
      <h2 className="mb-2 text-lg">Add a channel</h2>
      <ul className="mb-6 grid gap-2 sm:grid-cols-2 lg:grid-cols-5">
        {channelTypes.map((type) => (
          <li key={type} className="flex flex-col gap-2 rounded-md border border-line p-3">
            <h3>{channelTypeNames[type]}</h3>
            <p className="flex-1 text-ink-2">{about[type]}</p>
            <div>
              <Button
                reason={reason ?? typeReason(type, data?.email)}
                aria-label={`Add ${channelTypeNames[type]}`}
                onClick={() => setAdding(type)}
              >
                Add
              </Button>
            </div>
          </li>
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
        filteredEmpty={null}
      />
      <Suspense>
        {adding && <ChannelDialog type={adding} channel={null} onClose={() => setAdding(null)} />}
      </Suspense>
      {shown && <ChannelSheet channel={shown} delivery={delivery ?? null} onClose={close} />}
    </OpenChannel>
  )
}

/** Returns why a channel of this type cannot be added; null if it can. */
function typeReason(type: ChannelType, email: boolean | undefined): string | null {
  return type === 'email' && email === false ? 'This service cannot send e-mail: set SPOOL_SMTP_URL.' : null
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
  {
    header: 'Actions',
    silent: true,
    end: true,
    hiddenBelow: 'md',
    cell: (channel) => <ChannelButtons channel={channel} />,
  },
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
