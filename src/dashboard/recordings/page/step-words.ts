/** Describes a step of a session's path, such as `click button "Add to cart"`, in the words of the summary. */
export function stepInWords(step: string): string {
  const [, kind = '', rest = ''] = /^(rage click|dead click|\S+) ?(.*)$/s.exec(step) ?? []
  const [, tag = '', name = ''] = /^([\w-]*)(?: "(.*)")?$/s.exec(rest) ?? []
  const element = name ? `“${name}”` : (unnamed[tag] ?? 'the page')
  switch (kind) {
    case 'page':
      return `opened ${rest === '/' ? 'Home' : rest}`
    case 'event':
      return `recorded “${rest}”`
    case 'error':
      return `error “${rest}”`
    case 'click':
    case 'touch':
      return `clicked ${element}`
    case 'rage click':
      return `clicked ${element} again and again`
    case 'dead click':
      return `clicked ${element} without effect`
    case 'change':
      return `${tag === 'select' ? 'chose in' : 'filled in'} ${element}`
    case 'submit':
      return `submitted ${element}`
    default:
      return `used ${element}`
  }
}

const unnamed: Record<string, string> = {
  a: 'a link',
  button: 'a button',
  form: 'a form',
  img: 'a picture',
  input: 'a field',
  select: 'a field',
  textarea: 'a field',
}
