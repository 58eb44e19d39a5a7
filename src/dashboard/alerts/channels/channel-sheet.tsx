import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import type { AlertChannel } from '../../../contract/alerts/alert-channel.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { deliveriesOfChannelQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { DeliveryList } from '../delivery-list.tsx'
import { ChannelReceiver } from './channel-receiver.tsx'
import { OpenChannel } from './open-channel.ts'
import { useSendTest } from './use-send-test.ts'

type ChannelSheetProps = { channel: AlertChannel; delivery: string | null; onClose: () => void }

/** Shows the messages to a channel, with their requests and responses. */
export function ChannelSheet({ channel, delivery, onClose }: ChannelSheetProps) {
  return (
    <Dialog title={`Messages to ${channel.name}`} kind="sheet" onClose={onClose}>
      <Messages channel={channel} delivery={delivery} />
    </Dialog>
  )
}

function Messages({ channel, delivery }: Omit<ChannelSheetProps, 'onClose'>) {
  const { projectId, scopes } = useAccount()
  const { data, error, refetch } = useQuery(deliveriesOfChannelQuery(projectId, channel.id))
  const sendTest = useSendTest(use(OpenChannel))
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
        deliveries={data?.results}
        opened={delivery}
        error={error}
        onRetry={() => void refetch()}
        empty="No message was sent to this channel yet. Tests are delivered exactly like alerts."
      />
    </>
  )
}
