import { focusAttributes } from '../../../replay/recorded/adapted-css.ts'
import { IncrementalSource, sourceOf } from '../../../replay/recorded/rrweb.ts'
import { notLoaded } from '../reader/neutralize.ts'
import { placeholderStart } from '../reader/placeholders.ts'
import { isElement, isStyle, type ReplayPart } from './replay-part.ts'

const hatching =
  'repeating-linear-gradient(135deg, rgb(128 128 128 / 0.16) 0 6px, rgb(128 128 128 / 0.06) 6px 12px)'
const missingImage = `img[src^="${placeholderStart}"]`

/** The first cascade layer of a document or shadow root: any style of the page overrides it, also one in a layer. */
const firstLayer = '@layer player-defaults'

/** What the player adds to the styles of a document. */
export const playerStyles = [
  `${firstLayer} {
    /* The focus ring of browsers. */
    :where([${focusAttributes['focus-visible']}]) { outline: -webkit-focus-ring-color auto 1px }
    /* The replayed window never has the focus, so its selection would be grey. */
    ::selection { background: Highlight; color: HighlightText }
    /* Gives a missing image with an alternative text the size in its attributes. */
    :where(${missingImage}) { display: inline-block }
  }`,
  `[${notLoaded}], ${missingImage} { background: ${hatching} !important; }`,
  // Without scripts, a document shows the controls of all media.
  'video:not([controls])::-webkit-media-controls { display: none !important; }',
  'audio:not([controls]) { display: none !important; }',
]

/** The same for a shadow root, where the styles of the document do not apply; rrweb's among them. */
const shadowStyles = `${playerStyles.join('\n')}
  noscript { display: none !important }
  :host-context(.rrweb-paused) * { animation-play-state: paused !important }`

/** Adds the styles of the player to each shadow root. */
export function createShadowStyles(): ReplayPart {
  const built = new Set<HTMLStyleElement>()
  const sheets = new WeakMap<Document, CSSStyleSheet>()
  const adopt = (host: Node | null) => {
    const root = isElement(host) ? host.shadowRoot : null
    const view = root?.ownerDocument.defaultView
    if (!root || !view) return
    const sheet = sheets.get(root.ownerDocument) ?? new view.CSSStyleSheet()
    if (sheet.cssRules.length === 0) sheet.replaceSync(shadowStyles)
    sheets.set(root.ownerDocument, sheet)
    root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets.filter((other) => other !== sheet)]
  }
  return {
    onBuild(node) {
      adopt(node)
      const style = node.nodeName === '#text' ? node.parentNode : node
      if (isStyle(style)) built.add(style)
    },
    onEvent(event, replayer) {
      // Adopted style sheets follow those in the tree, so each of these that has layers declares the first one.
      for (const style of built)
        if ('host' in style.getRootNode() && /^(?!@layer player).*@layer/is.test(style.textContent))
          style.prepend(`${firstLayer};`)
      built.clear()
      if (sourceOf(event) === IncrementalSource.AdoptedStyleSheet)
        adopt(replayer.getMirror().getNode(Number(event.data['id'])))
    },
  }
}
