import type { Replayer } from '@rrweb/replay'
import type { Assets } from './assets.ts'
import { allCandidates, loadableCandidates, placeholderStart } from '../reader/placeholders.ts'
import { isElement } from './replay-part.ts'

/** Replaces the placeholders of assets that have been stored since a replayer built its documents. */
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

/** Replaces each rule where it is: the text of the style sheet lacks the rules that scripts added. */
function resolveRules(sheet: CSSStyleSheet | null, assets: Assets): void {
  for (const [index, { cssText }] of [...(sheet?.cssRules ?? [])].entries()) {
    if (!cssText.includes(placeholderStart)) continue
    const resolved = assets.resolveText(cssText)
    if (resolved === cssText) continue
    sheet?.insertRule(resolved, index + 1)
    sheet?.deleteRule(index)
  }
}
