import { mentionsMax } from './recording-filter.ts'

/** Names in a text by which recordings can be found. */
export type Mentions = { emails: string[]; ids: string[]; urls: string[] }

const urlPattern = /\bhttps?:\/\/[^\s<>"'`]+/gi
const emailPattern = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** Words with a digit and at least six characters, as ids have: not amounts, dates or times. */
const idPattern = /(?<![\w@.:/-])(?=[\w:-]*[a-z])(?=[\w:-]*\d)[\w:-]{6,200}(?![\w@])/gi

/** Finds the e-mail addresses, ids and URLs in a text, such as a ticket's; each once, `mentionsMax` at most. */
export function mentionsIn(text: string): Mentions {
  const urls = [...new Set(found(text, urlPattern).map((url) => url.replace(/[.,;:!?)\]}]+$/, '')))]
  const withoutUrls = text.replaceAll(urlPattern, ' ')
  const emails = found(withoutUrls, emailPattern)
  const ids = found(withoutUrls.replaceAll(emailPattern, ' '), idPattern).map((id) =>
    id.replace(/[-:]+$/, ''),
  )
  const left = (used: number) => Math.max(mentionsMax - used, 0)
  return {
    emails: emails.slice(0, mentionsMax),
    urls: urls.filter((url) => url.length <= 500).slice(0, left(emails.length)),
    ids: ids.slice(0, left(emails.length + urls.length)),
  }
}

/** Whether a text is more than a search for a name or part of an address: it names something among other words, or an id. */
export function isTicket(text: string): boolean {
  const { emails, ids, urls } = mentionsIn(text)
  const named = emails.length + ids.length + urls.length
  return named > 0 && (/\s/.test(text.trim()) || uuid.test(text.trim()))
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function found(text: string, pattern: RegExp): string[] {
  return [...new Set(text.match(pattern))]
}
