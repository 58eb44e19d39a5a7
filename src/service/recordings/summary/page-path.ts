import { readable } from './readable-text.ts'

const partMax = 60

/**
 * The path of an address as it may be shown: without its query, ids and anything longer than words shortened to `…`. A hash
 * that is a path (`#/basket`) belongs to it. What is no address, such as the name of an app's screen, is its own path.
 */
export function pagePath(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : null
  const pathname = url?.pathname ?? href.replace(/[?#].*$/s, '')
  const route = url?.hash.startsWith('#/') ? url.hash.slice(1).replace(/\?.*$/, '') : ''
  const path = (pathname.replace(/\/$/, '') + route).replace(/\/$/, '')
  return path.split('/').map(safePart).join('/').slice(0, 120) || '/'
}

/** A path in words, for a page without a title; "" where the address is not known. */
export function pathName(path: string): string {
  if (path === '') return 'A page'
  return path === '/' ? 'Home page' : path
}

function safePart(part: string): string {
  const plain = decoded(part)
  const isId =
    (/^\d{4,}$/.test(plain) && !/^(19|20)\d\d$/.test(plain)) ||
    /^[0-9a-f-]{12,}$/i.test(plain) ||
    plain.includes('@') ||
    (/\d/.test(plain) && /^[\w-]{20,}$/.test(plain) && !/-.*-/.test(plain))
  return part !== '' && (isId || plain.length > partMax || readable(plain, partMax) === null) ? '…' : plain
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // An address may hold any percent sign.
    return part
  }
}
