import { z } from 'zod'
import type { SecretBox } from '../engines/secret-box.ts'
import type { AlertChannelRow } from '../store/alerts/alert-channels.ts'

const ChannelSecrets = z.object({ url: z.string(), signingSecret: z.string().nullable() })
export type ChannelSecrets = z.infer<typeof ChannelSecrets>

export function sealChannelSecrets(box: SecretBox, secrets: ChannelSecrets): Buffer {
  return box.seal(JSON.stringify(secrets))
}

/** Returns the URL and the signing secret of a channel; null for e-mail. @throws when they were sealed with another key. */
export function openChannelSecrets(
  box: SecretBox,
  { secrets }: Pick<AlertChannelRow, 'secrets'>,
): ChannelSecrets | null {
  return secrets === null ? null : ChannelSecrets.parse(JSON.parse(box.open(secrets)))
}
