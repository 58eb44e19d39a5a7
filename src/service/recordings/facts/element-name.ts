import { readable } from './readable-text.ts'
import type { PageNode } from '../../../replay/page-nodes.ts'
import { tagOf } from '../../../replay/page-tree.ts'
import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { attributeOf, type NodeTable } from './node-table.ts'

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
  const isSmall = node !== undefined && hasFewChildren(table, node)
  return { kind: 'other', name: isSmall ? readable(table.textIn(node), nameLengthMax) : null, id: nodeId }
}

/** Returns an element as it appears in sentences: `“Pay”`, or `a button` without a name. */
export function elementPhrase({ kind, name }: ElementName): string {
  if (name !== null) return `“${name}”`
  return kind === 'other' ? 'the page' : `a ${kind}`
}

/** Returns whether a person expects a click on the element to change the page. */
export function looksClickable(table: NodeTable, { kind, id }: ElementName): boolean {
  if (kind === 'button') return true
  const node = table.get(id)
  if (kind !== 'link' || !node) return kind === 'link'
  const leaves = attributeOf(node, 'target') === '_blank' || attributeOf(node, 'download') !== undefined
  return !leaves && !/^(mailto|tel|sms):/i.test(attributeOf(node, 'href') ?? '')
}

function hasFewChildren(table: NodeTable, node: PageNode): boolean {
  const shown = table.childrenOf(node).filter(({ own }) => own['type'] !== NodeType.Comment)
  return shown.take(4).toArray().length <= 3
}

function kindOf(node: PageNode): ElementName['kind'] | null {
  const tag = tagOf(node)
  const type = attributeOf(node, 'type') ?? ''
  const role = attributeOf(node, 'role') ?? ''
  const contenteditable = attributeOf(node, 'contenteditable')
  if (tag === 'input' && buttonTypes.has(type)) return 'button'
  if (tag === 'input' && choiceTypes.has(type)) return 'choice'
  if (tag === 'input' || tag === 'textarea' || role === 'textbox' || role === 'combobox') return 'field'
  if (contenteditable === '' || contenteditable === 'true') return 'field'
  if (tag === 'select' || tag === 'option' || tag === 'label' || role === 'checkbox' || role === 'radio')
    return 'choice'
  if (tag === 'button' || tag === 'summary' || buttonRoles.has(role)) return 'button'
  return (tag === 'a' && attributeOf(node, 'href') !== undefined) || role === 'link' ? 'link' : null
}

function nameOf(table: NodeTable, node: PageNode, kind: ElementName['kind']): string | null {
  for (const candidate of candidates(table, node, kind)) {
    const name = readable(candidate ?? '', nameLengthMax)
    if (name !== null) return name
  }
  return null
}

function* candidates(table: NodeTable, node: PageNode, kind: ElementName['kind']) {
  const attribute = (name: string) => attributeOf(node, name)
  const tag = tagOf(node)
  yield attribute('aria-label')
  const labelledBy = attribute('aria-labelledby')?.split(' ')[0]
  if (labelledBy) yield textOf(table, (other) => attributeOf(other, 'id') === labelledBy)
  if (kind === 'button' || kind === 'link') {
    if (tag === 'input') yield attribute('value')
    yield table.textIn(node)
    yield attribute('title')
    return
  }
  if (tag === 'label' || tag === 'option') yield table.textIn(node)
  const id = attribute('id')
  if (id) yield textOf(table, (other) => tagOf(other) === 'label' && attributeOf(other, 'for') === id)
  const label = table.closest(node.parent, 'label')
  // A text area's own text was typed, so the label consists only of the text beside it.
  if (label) yield table.textIn(label, node.id)
  yield attribute('placeholder')
  yield attribute('title')
  yield attribute('name')?.replaceAll(/[_-]+/g, ' ')
}

function textOf(table: NodeTable, matches: (node: PageNode) => boolean): string | undefined {
  const node = table.find(matches)
  return node && table.textIn(node)
}
