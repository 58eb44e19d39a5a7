import { readable } from './readable-text.ts'
import type { NodeTable, PageNode } from './node-table.ts'

export type ElementName = {
  kind: 'button' | 'link' | 'field' | 'choice' | 'other'
  /** Name as the person saw it; null if missing or masked. */
  name: string | null
  /** Id of the element itself, not of the node inside it that was hit. */
  id: number | null
}

const levelsMax = 8
/** Long enough that typed text can be found and removed before names are shortened. */
const nameLengthMax = 300
const choiceTypes = new Set(['checkbox', 'radio', 'range', 'color', 'file'])
const buttonTypes = new Set(['submit', 'button', 'reset', 'image'])
const buttonRoles = new Set(['button', 'tab', 'menuitem', 'option', 'switch', 'menuitemradio'])

/** Finds and names the nearest interactive element around a node. */
export function nameElement(table: NodeTable, nodeId: number | null): ElementName {
  for (const node of table.upwards(nodeId).take(levelsMax)) {
    const kind = kindOf(node)
    if (kind) return { kind, name: nameOf(table, node, kind), id: node.id }
  }
  const node = table.get(nodeId)
  const isSmall = node !== undefined && node.childCount <= 3
  return { kind: 'other', name: isSmall ? readable(table.textIn(node), nameLengthMax) : null, id: nodeId }
}

/** Returns an element as it appears in sentences: `“Pay”`, or `a button` without a name. */
export function elementPhrase({ kind, name }: ElementName): string {
  if (name === null)
    return { button: 'a button', link: 'a link', field: 'a field', choice: 'a choice', other: 'the page' }[
      kind
    ]
  return `“${name}”`
}

/** Returns whether a person expects a click on the element to change the page. */
export function looksClickable(table: NodeTable, { kind, id }: ElementName): boolean {
  if (kind === 'button') return true
  const { href = '', target, download } = table.get(id)?.attributes ?? {}
  const leaves = target === '_blank' || download !== undefined || /^(mailto|tel|sms):/i.test(href)
  return kind === 'link' && !leaves
}

function kindOf({ tag, attributes }: PageNode): ElementName['kind'] | null {
  const { type = '', role = '', href, contenteditable } = attributes
  if (tag === 'input' && buttonTypes.has(type)) return 'button'
  if (tag === 'input' && choiceTypes.has(type)) return 'choice'
  if (tag === 'input' || tag === 'textarea' || role === 'textbox' || role === 'combobox') return 'field'
  if (contenteditable === '' || contenteditable === 'true') return 'field'
  if (tag === 'select' || tag === 'option' || tag === 'label' || role === 'checkbox' || role === 'radio')
    return 'choice'
  if (tag === 'button' || tag === 'summary' || buttonRoles.has(role)) return 'button'
  return (tag === 'a' && href !== undefined) || role === 'link' ? 'link' : null
}

function nameOf(table: NodeTable, node: PageNode, kind: ElementName['kind']): string | null {
  for (const candidate of candidates(table, node, kind)) {
    const name = readable(candidate ?? '', nameLengthMax)
    if (name !== null) return name
  }
  return null
}

function* candidates(
  table: NodeTable,
  node: PageNode,
  kind: ElementName['kind'],
): Generator<string | undefined> {
  const { id, value, title, placeholder, name } = node.attributes
  yield node.attributes['aria-label']
  const labelledBy = node.attributes['aria-labelledby']?.split(' ')[0]
  if (labelledBy) yield textOf(table, ({ attributes }) => attributes['id'] === labelledBy)
  if (kind === 'button' || kind === 'link') {
    if (node.tag === 'input') yield value
    yield table.textIn(node)
    yield title
    return
  }
  if (node.tag === 'label' || node.tag === 'option') yield table.textIn(node)
  if (id) yield textOf(table, ({ tag, attributes }) => tag === 'label' && attributes['for'] === id)
  const label = table.upwards(node.parent).find(({ tag }) => tag === 'label')
  // A text area's own text was typed, so the label consists only of the text beside it.
  if (label) yield table.textIn(label, node.id)
  yield placeholder
  yield title
  yield name?.replaceAll(/[_-]+/g, ' ')
}

function textOf(table: NodeTable, matches: (node: PageNode) => boolean): string | undefined {
  const node = table.find(matches)
  return node && table.textIn(node)
}
