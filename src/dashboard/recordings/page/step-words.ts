import { shownPattern } from '../../../contract/recordings/shown-pattern.ts'

/** Describes a step of a session's path, such as `click button "Add to cart"`, in the words of the summary. */
export function stepInWords(step: string): string {
  const [, kind = '', rest = ''] = /^(rage click|dead click|\S+) ?(.*)$/s.exec(step) ?? []
  const [, tag = '', name = ''] = /^([\w-]*)(?: "(.*)")?$/s.exec(rest) ?? []
  const element = name ? `“${name}”` : (unnamed.get(tag) ?? 'the page')
  const sentences = new Map([
    ['page', `opened ${rest === '/' ? 'Home' : rest}`],
    ['event', `recorded “${rest}”`],
    ['error', `error “${shownPattern(rest)}”`],
    ['click', `clicked ${element}`],
    ['touch', `clicked ${element}`],
    ['rage click', `clicked ${element} again and again`],
    ['dead click', `clicked ${element} without effect`],
    ['change', `${tag === 'select' ? 'chose in' : 'filled in'} ${element}`],
    ['submit', `submitted ${element}`],
  ])
  return sentences.get(kind) ?? `used ${element}`
}

const unnamed = new Map([
  ['a', 'a link'],
  ['button', 'a button'],
  ['form', 'a form'],
  ['img', 'a picture'],
  ['input', 'a field'],
  ['select', 'a field'],
  ['textarea', 'a field'],
])
