import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Frame, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Half as long as `axe.source`, which browsers parse for each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Looks whose contrast has passed in this process. A look is a text's element and font, and the colors of that element and all
 * around it. Contrast takes most of axe's time and is the same for the same look. Backgrounds that are not of ancestors, such as
 * a positioned sibling's, are not part of a look.
 */
const passedLooks = new Set<string>()

/** Expects no accessibility violation in the page's current state, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Repeated, because elements that fade in meanwhile have colors of no state. Other rules find the same in both themes.
    const found = async () => {
      const fading = await page.evaluate(fadingElements)
      return fading.length > 0 ? fading : await violationsIn(page, { onlyColors: colorScheme === 'dark' })
    }
    await expect.poll(found, { message: `${page.url()} in the ${colorScheme} theme` }).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

/** Returns what violates a rule of axe now. */
export async function violationsIn(page: Page, { onlyColors }: { onlyColors: boolean }): Promise<string[]> {
  await loadAxe(page.mainFrame())
  const { violations, looks } = await page.evaluate(runAxe, { onlyColors, passedLooks: [...passedLooks] })
  if (violations.length === 0) for (const look of looks) passedLooks.add(look)
  return violations
}

/** Loads axe into a frame, and into those in it that a person can use: the frame of a recorded page is inert. */
async function loadAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
  for (const child of frame.childFrames()) {
    const element = await child.frameElement()
    if (!(await element.evaluate((node: Element) => node.closest('[inert]')))) await loadAxe(child)
  }
}

type Check = { onlyColors: boolean; passedLooks: readonly string[] }

/** Runs axe in the page and its frames. Returns violations, frames that axe could not test, and the looks it checked. */
async function runAxe({
  onlyColors,
  passedLooks,
}: Check): Promise<{ violations: string[]; looks: string[] }> {
  const contrast = 'color-contrast'
  const passed = new Set(passedLooks)

  const around = new Map<Element, string>()
  const colorsOf = (element: Element | null): string => {
    if (!element) return ''
    const known = around.get(element)
    if (known !== undefined) return known
    const { color, backgroundColor, backgroundImage, opacity, filter, mixBlendMode } =
      getComputedStyle(element)
    const own = `${color} ${backgroundColor} ${backgroundImage} ${opacity} ${filter} ${mixBlendMode}`
    const colors = `${colorsOf(element.parentElement)}/${own}`
    around.set(element, colors)
    return colors
  }
  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  /** Whether axe sees the element, so that its result holds for others of its look. */
  const isInView = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return width > 1 && height > 1 && hit !== null && element.contains(hit)
  }
  // Axe does not check the contrast of disabled controls and their labels.
  const isDisabled = (element: Element) =>
    element.closest(':disabled, [aria-disabled=true], label:has(:disabled)') !== null
  const examples = new Map<string, Element>()
  const seen = new Set<string>()
  for (const element of document.querySelectorAll('body *')) {
    if (!hasText(element)) continue
    const { fontSize, fontWeight } = getComputedStyle(element)
    const look = `${element.nodeName} ${fontSize} ${fontWeight} ${colorsOf(element)}`
    if (passed.has(look) || seen.has(look)) continue
    if (isInView(element) && !isDisabled(element)) seen.add(look)
    else if (examples.has(look)) continue
    examples.set(look, element)
  }
  const run = async (options: axe.RunOptions, context: axe.ElementContext = document) => {
    const { violations, incomplete } = await window.axe.run(context, {
      ...options,
      resultTypes: ['violations'],
    })
    return [...violations, ...incomplete.filter(({ id }) => id === 'frame-tested')].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    )
  }
  const violations = await run(
    onlyColors ? { runOnly: ['link-in-text-block'] } : { rules: { [contrast]: { enabled: false } } },
  )
  // Frames have looks of their own.
  const include = [...examples.values(), ...document.querySelectorAll('iframe:not([inert], [inert] *)')]
  if (include.length > 0) violations.push(...(await run({ runOnly: [contrast] }, { include })))
  return { violations, looks: [...seen] }
}

/** Returns the elements that are fading and so do not have their final contrast yet. */
function fadingElements(): string[] {
  return document.getAnimations().flatMap(({ effect, playState }) => {
    const end = effect?.getComputedTiming().endTime
    // Longer animations are countdowns; those without a numeric end are driven by scrolling.
    const isFading = playState === 'running' && typeof end === 'number' && end < 1000
    return isFading && effect instanceof KeyframeEffect ? [effect.target?.outerHTML ?? ''] : []
  })
}
