import { oneLine } from '../mail/mail-content.ts'
import type { AlertMessage } from '../store/schema/alert-tables.ts'
import type { DeliveryRow } from '../store/alerts/alert-deliveries.ts'

export type Outgoing = Pick<DeliveryRow, 'id' | 'transition' | 'message'>

/** Returns the JSON of a webhook, the same at every attempt. */
export function webhookBody({ id, transition, message }: Outgoing, origin: string): string {
  const { title, detail, project, incident, path, at } = message
  return JSON.stringify({
    id,
    transition,
    title,
    detail,
    project,
    incident,
    url: origin + path,
    created_at: at,
  })
}

/** Returns the JSON that Slack's incoming webhooks take. */
export function slackBody({ transition, message }: Outgoing, origin: string): string {
  const text = `*${mrkdwn(headline(transition, message))}*\n${mrkdwn(message.detail)}`
  return JSON.stringify({
    text: `${text}\n<${origin + message.path}|Open in Spool>`,
    unfurl_links: false,
  })
}

/** Slack reads these three characters as the start of links and mentions. */
function mrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns the JSON of a message with a card, which workflows of Teams take. */
export function teamsBody({ transition, message }: Outgoing, origin: string): string {
  const block = (text: string, more: object) => ({
    type: 'TextBlock',
    text: plain(text),
    wrap: true,
    ...more,
  })
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(headline(transition, message), { weight: 'Bolder' }), block(message.detail, {})],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Spool', url: origin + message.path }],
        },
      },
    ],
  })
}

/** Escapes the characters that cards read as Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_[\]()#~<>]/g, '\\$&')
}

/** Returns the subject and the text of an e-mail, which has no HTML. */
export function mailContent(
  { transition, message }: Outgoing,
  origin: string,
): { subject: string; text: string } {
  const { detail, project, incident, path } = message
  const names = incident?.exports.map(({ name }) => `- ${name}`) ?? []
  const more = (incident?.export_count ?? 0) - names.length
  const exports = names.length > 1 ? [...names, ...(more > 0 ? [`and ${more} more`] : []), ''] : []
  const lines = [detail, '', ...exports, origin + path, '', `Project: ${project.name}`]
  return {
    subject: oneLine(`[Spool] ${headline(transition, message)}`),
    text: lines.join('\n'),
  }
}

const prefixes = { opened: '', reminded: 'Still: ', recovered: 'Recovered: ', test: '' } as const

function headline(transition: DeliveryRow['transition'], { title }: AlertMessage): string {
  return prefixes[transition] + title
}
