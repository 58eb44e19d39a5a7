import { z } from 'zod'
import type { SecretBox } from '../engines/secret-box.ts'
import { partMin } from '../http/remove-secrets.ts'
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

/** Returns the texts of a channel's URL and its signing secret that must not be recorded. */
export function secretTexts({ url, signingSecret }: ChannelSecrets): string[] {
  const { pathname, search } = new URL(url)
  const query = search.slice(1)
  const parts = [...pathname.split('/'), ...query.split(/[&=]/)].filter(({ length }) => length >= partMin)
  const texts = [pathname + search, pathname, query, signingSecret ?? '', ...parts]
  return texts.flatMap((text) => [text, decoded(text)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
