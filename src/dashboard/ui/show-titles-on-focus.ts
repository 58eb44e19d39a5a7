/** Shows the title of a focused element whose text is cut; browsers show titles only to the pointer. */
export function showTitlesOnFocus(): void {
  const tip = document.createElement('div')
  tip.popover = 'manual'
  tip.ariaHidden = 'true'
  tip.className = 'anchored-tip max-w-96 rounded-md bg-ink px-2 py-1 text-xs text-bg wrap-anywhere'
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.title === '' || !target.matches(':focus-visible')) return
    if (target.scrollWidth <= target.clientWidth) return
    tip.textContent = target.title
    document.body.append(tip)
    tip.showPopover({ source: target })
  })
  addEventListener('focusout', () => tip.remove())
}
