import { setTimeout } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'

/** Shortest duration (ms) that the browser tells; shorter ones count as this. */
const thresholdMs = 16
/** Time (ms) that a pointer is over a button before it is pressed, in which the page of a link is loaded. */
const hoverMs = 70
/** Time (ms) that the mouse button is held; people take 60 to 100 ms. Without it, press and release would share one frame. */
const holdMs = 80
/** Time (ms) between two keys of a person who types fast. */
const keyMs = 90
/** Time (ms) after an interaction in which its responses arrive; the next interaction then waits until the page is idle. */
const restMs = 70

/** One click or key, and the time (ms) to the next paint. */
export type Interaction = { name: string; ms: number }

/**
 * Uses the dashboard by mouse and keyboard, on a processor that is slower from each press until the page is idle. Elements are
 * found in between, so that the scripts that find them do not count; only CSS finds them, because finding elements by role walks
 * the whole page.
 */
export class Analyst {
  readonly interactions: Interaction[] = []
  readonly #page: Page
  readonly #session: CDPSession
  readonly #slowdown: number

  private constructor(page: Page, session: CDPSession, slowdown: number) {
    this.#page = page
    this.#session = session
    this.#slowdown = slowdown
  }

  /** Watches the interactions in all documents that the page opens from now on; `slowdown` is a factor. */
  static async of(page: Page, slowdown: number): Promise<Analyst> {
    await page.addInitScript(watchInteractions, thresholdMs)
    return new Analyst(page, await page.context().newCDPSession(page), slowdown)
  }

  /** Clicks the first visible element that matches and has the text, at a share of its width. */
  async click(name: string, selector: string, hasText?: string | RegExp, share = 0.5): Promise<void> {
    const { x, y, width, height } = await this.#boxOf(selector, hasText)
    const at = [x + width * share, y + height / 2] as const
    await this.#page.mouse.move(...at)
    await setTimeout(hoverMs)
    await this.#idle()
    await this.#measure(name, 1, () => this.#page.mouse.click(...at, { delay: holdMs }))
  }

  /** Drags over an element, from its first third to its second one. */
  async drag(name: string, selector: string): Promise<void> {
    const { x, y, width, height } = await this.#boxOf(selector)
    const { mouse } = this.#page
    await mouse.move(x + width / 3, y + height / 3)
    await this.#measure(name, 1, async () => {
      await mouse.down()
      await mouse.move(x + (width * 2) / 3, y + (height * 2) / 3, { steps: 20 })
      await mouse.up()
    })
  }

  /** Presses keys one after another, as fast as a person who types fast. */
  async press(name: string, ...keys: readonly string[]): Promise<void> {
    await this.#measure(name, keys.length, async () => {
      for (const key of keys) {
        await this.#page.keyboard.press(key)
        await setTimeout(keyMs)
      }
    })
  }

  async type(name: string, text: string): Promise<void> {
    await this.press(name, ...text)
  }

  /** Focuses an element without an interaction. */
  async focus(selector: string): Promise<void> {
    await this.#page.locator(selector).first().focus()
  }

  /** Waits for what an interaction should show. */
  async see(selector: string, hasText?: string | RegExp): Promise<void> {
    await this.#page
      .locator(selector, hasText === undefined ? {} : { hasText })
      .first()
      .waitFor()
    await this.#idle()
  }

  /** Opens a page without an interaction. */
  async open(path: string): Promise<void> {
    await this.#page.goto(new URL(path, this.#page.url()).href)
  }

  rest(ms: number): Promise<void> {
    return setTimeout(ms)
  }

  async #boxOf(selector: string, hasText?: string | RegExp) {
    const filter = { visible: true, ...(hasText === undefined ? {} : { hasText }) }
    const target = this.#page.locator(selector).filter(filter).first()
    // In the centre, no bar at an edge of the window covers the element.
    await target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = await target.boundingBox()
    if (!box) throw new Error(`${selector} is not visible.`)
    return box
  }

  /** Records the interactions of an input; those of which the browser tells nothing were shorter than the threshold. */
  async #measure(name: string, count: number, input: () => Promise<void>): Promise<void> {
    await this.#slowDown(this.#slowdown)
    await input()
    await setTimeout(restMs)
    const told = await this.#page.evaluate(takeInteractions)
    await this.#slowDown(1)
    const untold = Array.from({ length: Math.max(0, count - told.length) }, () => ({ ms: thresholdMs }))
    this.interactions.push(...[...told, ...untold].map((times) => ({ name, ...times })))
  }

  async #slowDown(rate: number): Promise<void> {
    await this.#session.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** Waits until the page has nothing else to do. */
  async #idle(): Promise<void> {
    await this.#page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }))
  }
}

/** Collects in the page what the browser reports about each interaction. */
function watchInteractions(durationThreshold: number): void {
  const told: PerformanceEventTiming[] = []
  Object.assign(globalThis, { told })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry instanceof PerformanceEventTiming) told.push(entry)
  })
  const init: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold }
  observer.observe(init)
}

/** Returns the interactions since the last call, once the page is idle; of the events of one interaction, the longest counts. */
async function takeInteractions(): Promise<Omit<Interaction, 'name'>[]> {
  await scheduler.postTask(() => undefined, { priority: 'background' })
  const { told } = globalThis as unknown as { told: (PerformanceEventTiming & { interactionId: number })[] }
  const events = told.splice(0).filter(({ interactionId }) => interactionId > 0)
  const interactions = Object.values(Object.groupBy(events, ({ interactionId }) => interactionId))
  return interactions.map((of = []) => ({
    ms: Math.max(...of.map(({ duration }) => duration)),
  }))
}
