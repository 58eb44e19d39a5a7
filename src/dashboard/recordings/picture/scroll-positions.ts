/** CSS of the two boxes that show a scrolled element: the outer clips, the inner is moved. */
type ScrolledBoxes = { outer: string; inner: string }

/** Returns the boxes of an element that is scrolled; null for all others. The page's own scroll position is not meant. */
export function scrollOf(element: Element, style: CSSStyleDeclaration): ScrolledBoxes | null {
  const { scrollTop, scrollLeft, clientWidth, clientHeight, ownerDocument } = element
  if (!scrollTop && !scrollLeft) return null
  if (element === ownerDocument.scrollingElement || !/auto|scroll|hidden/.test(style.overflow)) return null
  // A field named "scrollTop" hides the property of its form.
  if (typeof scrollTop !== 'number' || typeof scrollLeft !== 'number') return null
  const isInline = style.display.startsWith('inline')
  const inner = [
    `position:${style.position === 'static' ? 'static' : 'relative'}`,
    `display:${innerDisplay(style.display)}`,
    `margin:${-scrollTop}px 0 0 ${-scrollLeft}px`,
    `width:${clientWidth}px`,
    `height:${clientHeight}px`,
  ]
  return { outer: `padding:0;display:${isInline ? 'inline-block' : 'block'};`, inner: inner.join(';') }
}

/** Returns how a box lays out its content. */
function innerDisplay(display: string): string {
  const [, layout] = /(flex|grid)$/.exec(display) ?? []
  return layout ?? 'flow-root'
}

/** Returns CSS that places a sticky element where it is now, since nothing scrolls in a picture; empty for other elements. */
export function withoutStickiness(element: Element, { position }: CSSStyleDeclaration): string {
  if (position !== 'sticky' || !('style' in element)) return ''
  const before = element.getBoundingClientRect()
  const recorded = element.getAttribute('style')
  const style = element.style as CSSStyleDeclaration
  style.setProperty('position', 'relative', 'important')
  style.setProperty('inset', 'auto', 'important')
  const after = element.getBoundingClientRect()
  if (recorded === null) element.removeAttribute('style')
  else element.setAttribute('style', recorded)
  const [left, top] = [before.left - after.left, before.top - after.top]
  return `position:relative;inset:auto;left:${left}px;top:${top}px;`
}
