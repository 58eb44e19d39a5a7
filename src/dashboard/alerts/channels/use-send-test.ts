import { useQueryClient } from '@tanstack/react-query'
import type { AlertChannel } from '../../../contract/alerts/alert-channel.ts'
import { useAccount } from '../../account.ts'
import { changeAlerts } from '../../queries/alerts.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import type { OpenedChannel } from './open-channel.ts'

/** Returns a function that sends a test message and opens it. */
export function useSendTest(onOpen: (opened: OpenedChannel) => void) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const send = async ({ id }: AlertChannel) => {
    const sent = await changeAlerts(client, 'channels', 'testAlertChannel', {
      params: { project_id: projectId, id },
      body: {},
    })
    onOpen({ channel: id, delivery: sent.id })
  }
  return (channel: AlertChannel) =>
    void send(channel).catch(toastFailure(`A test could not be sent to ${channel.name}.`))
}
