import type { AlertChannel } from '../../../contract/alerts/alert-channel.ts'
import { channelTypeNames } from '../../format/alert.ts'

/** Names the type of a channel and where its messages go; the path of a URL is secret. */
export function ChannelReceiver({ channel }: { channel: AlertChannel }) {
  const { type, origin, recipients, recording_alerts: hasRecordings } = channel
  return (
    <>
      {channelTypeNames[type]} · {origin === null ? recipients.join(', ') : <code>{origin}/••••</code>}
      {!hasRecordings && ' · no alerts about recordings: its key cannot read them'}
    </>
  )
}
