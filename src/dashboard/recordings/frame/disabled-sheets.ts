import { isObject, objectsIn } from '../../../replay/recorded/rrweb.ts'
import type { ReplayPart } from './replay-part.ts'

/** Disables style sheets whose link the page disabled: rrweb rebuilds such a link as a `style`, which ignores the attribute. */
export function createDisabledSheets(): ReplayPart {
  const built = new Set<HTMLStyleElement>()
  return {
    onBuild(node) {
      if (isStyle(node) && node.hasAttribute('disabled')) built.add(node)
    },
    onEvent({ data }, replayer) {
      // An element has a sheet only while it is in a document.
      for (const style of built) style.disabled = true
      built.clear()
      for (const { id, attributes } of objectsIn(data['attributes'])) {
        const style = replayer.getMirror().getNode(Number(id))
        if (isStyle(style) && isObject(attributes) && 'disabled' in attributes)
          style.disabled = attributes['disabled'] !== null
      }
    },
  }
}

function isStyle(node: Node | null): node is HTMLStyleElement {
  return node?.nodeName === 'STYLE'
}
