/** An autocaptured element from `$elements`, which older versions of posthog-js send, innermost first. */
type Element = Record<string, unknown>

/**
 * Converts `$elements` to an elements chain: elements separated by `;`, each
 * `tag.class.class:key="value"key="value"` with sorted keys. Newer clients send this text themselves as `$elements_chain`.
 */
export function elementsChain(elements: readonly unknown[]): string {
  return elements.filter(isElement).map(elementText).join(';')
}

function elementText(element: Element): string {
  const tag = textOf(element['tag_name'])
  const classes = classNames(element['attr__class'] ?? element['classes'])
  const attributes: [string, string][] = []
  for (const [key, value] of Object.entries(element)) {
    if (key === 'tag_name' || key === 'classes' || value === null || value === undefined) continue
    attributes.push([names[key] ?? key, textOf(value)])
  }
  attributes.sort(([left], [right]) => (left < right ? -1 : Number(left > right)))
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

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
