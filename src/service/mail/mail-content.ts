import type { Mail } from './send-mail.ts'

/** What an e-mail says: paragraphs of plain text, and a link below the first ones. */
export type MailContent = {
  to: string
  subject: string
  paragraphs: readonly string[]
  link: { label: string; url: string } | null
  /** Paragraphs below the link. */
  notes: readonly string[]
}

/** Writes an e-mail as plain text and as HTML without images, in which texts from users are escaped. */
export function writeMail(id: string, { to, subject, paragraphs, link, notes }: MailContent): Mail {
  const html = [
    ...paragraphs.map(paragraph),
    ...(link
      ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`, paragraph(link.url)]
      : []),
    ...notes.map(paragraph),
  ]
  return {
    id,
    to: [to],
    subject: oneLine(`[Spool] ${subject}`),
    text: [...paragraphs, ...(link ? [link.url] : []), ...notes].join('\n\n'),
    html: html.join('\n'),
  }
}

/** A line break would end a header. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

function paragraph(text: string): string {
  return `<p style="white-space: pre-wrap">${escaped(text)}</p>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
