import { IncrementalSource, MouseInteractions, sourceOf } from '../../../replay/recorded/rrweb.ts'
import { focusAttributes } from '../../../replay/recorded/adapt-css.ts'
import { isElement, type ReplayPart } from './replay-part.ts'

const marks = Object.values(focusAttributes)
const inputsWithoutText = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/i

/** The focus ring of browsers, for elements whose page does not define one. */
export const focusRing = `:where([${focusAttributes['focus-visible']}]) { outline: -webkit-focus-ring-color auto 1px }`

/** Sets attributes on the focused element and its ancestors, which `adaptCss` makes the style sheets match. */
export function createFocusMarks(): ReplayPart {
  let marked: Element[] = []

  const clear = () => {
    for (const element of marked) for (const name of marks) element.removeAttribute(name)
    marked = []
  }
  const focus = (target: Element, isVisible: boolean) => {
    clear()
    marked = [...ancestorsOf(target)]
    target.setAttribute(focusAttributes.focus, '')
    if (isVisible) target.setAttribute(focusAttributes['focus-visible'], '')
    for (const element of marked) element.setAttribute(focusAttributes['focus-within'], '')
  }

  return {
    onEvent(event, replayer) {
      const { type, id, isByPointer } = event.data
      const source = sourceOf(event)
      if (source === IncrementalSource.Mutation && marked[0]?.isConnected === false) clear()
      if (source !== IncrementalSource.MouseInteraction) return
      const target = replayer.getMirror().getNode(Number(id))
      if (type === MouseInteractions.Blur) clear()
      if (type === MouseInteractions.Focus && isElement(target))
        focus(target, isByPointer !== true || isTextField(target))
    },
  }
}

/** Returns an element and the elements that contain it, through shadow roots. */
function* ancestorsOf(target: Element): Generator<Element> {
  for (let node: Node | null = target; node; node = node.parentNode ?? hostOf(node))
    if (isElement(node)) yield node
}

function hostOf(node: Node): Node | null {
  return 'host' in node ? (node.host as Node) : null
}

function isTextField(element: Element): boolean {
  if (element.nodeName === 'INPUT') return !inputsWithoutText.test(element.getAttribute('type') ?? 'text')
  return (
    element.nodeName === 'TEXTAREA' ||
    element.closest('[contenteditable]:not([contenteditable=false])') !== null
  )
}
