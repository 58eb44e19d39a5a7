import type { PageVisit } from '../facts/fact-log.ts'
import { pathName } from '../facts/page-path.ts'
import { safeMessage } from '../facts/readable-text.ts'

const lengthMax = 40

/** Returns a page's name in a word or two: of “Brass lamp – Lighting” or `/shop/brass-lamp`, "Brass lamp". */
export function pageLabel({ path }: Pick<PageVisit, 'path'>, name: string): string {
  if (path === '/') return 'Home'
  const isPath = name === pathName(path)
  const label = safeMessage(isPath ? lastPart(path) : (name.split(' – ')[0] ?? name)) ?? 'Page'
  return label.length > lengthMax ? `${label.slice(0, lengthMax - 1).trimEnd()}…` : label
}

/** Returns the last part of a path that is not an id, as words. */
function lastPart(path: string): string {
  const part = path.split('/').findLast((each) => each !== '' && each !== '…') ?? ''
  const words = part.replace(/\.\w{1,5}$/, '').replaceAll(/[-_+\s]+/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
