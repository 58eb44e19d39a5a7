import { isObject } from '../../replay/recorded/rrweb.ts'

/**
 * Converts `$elements`, which older versions of posthog-js send, to an elements chain: elements, innermost first, separated
 * by `;`, each `tag.class.class:key="value"key="value"` with sorted keys. Newer clients send this text themselves as
 * `$elements_chain`.
 */
export function elementsChain(elements: readonly unknown[]): string {
  return elements.filter(isObject).map(elementText).join(';')
}

function elementText(element: Record<string, unknown>): string {
  const tag = textOf(element['tag_name'])
  const classes = classNames(element['attr__class'] ?? element['classes'])
  const attributes = Object.entries(element)
    .filter(
      ([key, value]) => key !== 'tag_name' && key !== 'classes' && value !== null && value !== undefined,
    )
    .map(([key, value]) => [names[key] ?? key, textOf(value)] as const)
    .sort(([left], [right]) => (left < right ? -1 : Number(left > right)))
  const list = attributes.map(([key, value]) => `${key}="${escaped(value)}"`).join('')
  return `${[tag, ...classes.sort()].join('.')}:${list}`
}

const names: Record<string, string> = {
  $el_text: 'text',
  nth_child: 'nth-child',
  nth_of_type: 'nth-of-type',
}

function classNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/\s+/)
  return list.map((name) => name.replaceAll('"', '')).filter(Boolean)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', ' ')
}
