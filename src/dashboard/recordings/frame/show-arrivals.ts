import type { Replayer } from '@rrweb/replay'
import type { Assets } from './assets.ts'
import { allCandidates, loadableCandidates, placeholderStart } from './placeholders.ts'

/** Replaces the placeholders in a replayer's documents whose assets are stored now. */
export function showArrivals(replayer: Replayer, assets: Assets): void {
  const mirror = replayer.getMirror()
  for (const id of mirror.getIds()) {
    const node = mirror.getNode(id)
    if (!node) continue
    if (isElement(node)) {
      for (const attribute of node.attributes) resolveAttribute(node, attribute, assets)
      if ('sheet' in node) resolveRules(node.sheet as CSSStyleSheet | null, assets)
    }
    for (const sheet of rootOf(node)?.adoptedStyleSheets ?? []) resolveRules(sheet, assets)
  }
}

function rootOf(node: Node): ShadowRoot | Document | null {
  return isElement(node) ? node.shadowRoot : (node as Document)
}

function resolveAttribute(element: Element, attribute: Attr, assets: Assets): void {
  const resolved = assets.resolveText(attribute.value)
  if (resolved === attribute.value) return
  attribute.value = resolved
  if (attribute.name === allCandidates) element.setAttribute('srcset', loadableCandidates(resolved))
}

/** Replaces rules in their place: the text of the style sheet lacks those that scripts added. */
function resolveRules(sheet: CSSStyleSheet | null, assets: Assets): void {
  for (const [index, { cssText }] of [...(sheet?.cssRules ?? [])].entries()) {
    if (!cssText.includes(placeholderStart)) continue
    const resolved = assets.resolveText(cssText)
    if (resolved === cssText) continue
    sheet?.insertRule(resolved, index + 1)
    sheet?.deleteRule(index)
  }
}

/** The nodes belong to another document, whose classes differ. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}
