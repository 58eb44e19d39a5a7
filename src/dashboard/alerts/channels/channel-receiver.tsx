import type { AlertChannel } from '../../../contract/alert-channel.ts'
import { channelTypeNames } from '../../words/alert.ts'

/** Names the type of a channel and where its messages go; the path of a URL is secret. */
export function ChannelReceiver({ channel: { type, origin, recipients } }: { channel: AlertChannel }) {
  return (
    <>
      {channelTypeNames[type]} · {origin === null ? recipients.join(', ') : <code>{origin}/••••</code>}
    </>
  )
}
