import { expect, type Locator, type Page, type Request } from '@playwright/test'
import type { DemoShop } from './demo-shop.ts'
import { isRecording } from './is-recording.ts'

type Point = { x: number; y: number }

const rageClicks = 6
/** Page time (ms) between two positions of a moving mouse. */
const stepMs = 60

/**
 * Simulates a visitor on a page whose clock only advances during these actions: the mouse glides, keys follow one another
 * at a human pace, and reading takes time. In real time, every action is over quickly.
 */
export class Visitor {
  readonly page: Page
  readonly #random: () => number
  readonly #hasTouch: boolean
  readonly #shop: DemoShop
  readonly #requests = new Set<Request>()
  #mouse: Point = { x: 600, y: 300 }

  constructor(
    page: Page,
    { random, hasTouch, shop }: { random: () => number; hasTouch: boolean; shop: DemoShop },
  ) {
    this.page = page
    this.#random = random
    this.#hasTouch = hasTouch
    this.#shop = shop
    page.on('request', (request) => this.#requests.add(request))
    page.on('requestfinished', (request) => this.#requests.delete(request))
    page.on('requestfailed', (request) => this.#requests.delete(request))
  }

  async open(url: string): Promise<void> {
    await this.page.addInitScript(countBeacons)
    await this.#toNextPage(() => this.page.goto(url))
  }

  /** Reads for 1 to 2.6 times `seconds`. */
  async look(seconds: number): Promise<void> {
    const time = seconds * 1000 * this.#between(1, 2.6)
    if (this.#hasTouch) return await this.#pass(time)
    await this.#pass(time * 0.4)
    await this.#glide({ x: this.#between(200, 1000), y: this.#between(150, 600) })
    await this.#pass(time * 0.6)
  }

  /** Does nothing for `seconds`. */
  async wait(seconds: number): Promise<void> {
    await this.#pass(seconds * 1000)
  }

  async click(target: Locator): Promise<void> {
    await this.#reach(target)
    await this.#press()
    await this.#pass(this.#between(250, 600))
  }

  /** Clicks a control repeatedly, as visitors do when nothing happens. */
  async rageClick(target: Locator): Promise<void> {
    await this.#reach(target)
    for (let count = 0; count < rageClicks; count += 1) {
      await this.#press()
      await this.#pass(this.#between(110, 190))
    }
    await this.#pass(4000)
  }

  /** Clicks a control that opens another page. */
  async follow(target: Locator): Promise<void> {
    await this.#reach(target)
    await this.#toNextPage(() => this.#press())
  }

  async search(words: string): Promise<void> {
    await this.type(this.page.getByRole('searchbox', { name: 'Search' }), words)
    await this.#toNextPage(() => this.page.keyboard.press('Enter'))
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.click(field)
    await this.page.keyboard.press('Control+a')
    for (const key of text) {
      await this.page.keyboard.type(key)
      await this.page.clock.runFor(Math.round(this.#between(60, 190)))
    }
    await this.#pass(this.#between(300, 900))
  }

  async choose(field: Locator, value: string): Promise<void> {
    await this.click(field)
    await field.selectOption(value)
    await this.#pass(800)
  }

  /** Scrolls down by a number of pixels, or up if it is negative. */
  async scroll(pixels: number): Promise<void> {
    for (let rest = Math.abs(pixels); rest > 0; rest -= 120) {
      await this.page.evaluate(scrollBy, Math.sign(pixels) * Math.min(rest, 120))
      await this.#pass(110)
    }
  }

  async back(): Promise<void> {
    await this.#toNextPage(() => this.page.goBack())
  }

  /** Opens an unrecorded page of the same origin, so that the recorded page sends its remaining data. */
  async leave(): Promise<void> {
    await this.page.goto(new URL('/left', this.page.url()).href)
    await this.stay()
  }

  /** Waits until the shop has stored everything that its pages sent. */
  async stay(): Promise<void> {
    const sent = await this.page.evaluate(() => Number(sessionStorage.getItem('beacons')))
    await expect.poll(() => this.#shop.storedBeacons(), { timeout: 30_000 }).toBe(sent)
    await expect.poll(() => this.#requests.size).toBe(0)
  }

  async #toNextPage(act: () => Promise<unknown>): Promise<void> {
    let isLoaded = false
    this.page.once('domcontentloaded', () => (isLoaded = true))
    await act()
    await this.#until(() => isLoaded)
    await this.#until(() => this.page.evaluate(isRecording))
  }

  /** Polls while the page's clock advances: the shop and the recorder, which loads in parts, depend on timers. */
  async #until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const holdsAfterTick = async () => {
      await this.page.clock.runFor(20)
      return await holds()
    }
    const options = { message: `${this.page.url()} is recorded`, intervals: [20], timeout: 20_000 }
    await expect.poll(holdsAfterTick, options).toBe(true)
  }

  async #reach(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error(`${String(target)} is not visible`)
    await this.#glide({
      x: box.x + box.width * this.#between(0.35, 0.65),
      y: box.y + box.height * this.#between(0.35, 0.65),
    })
  }

  /** Moves the mouse along a slight curve, slower at both ends. */
  async #glide(to: Point): Promise<void> {
    const from = this.#mouse
    this.#mouse = to
    if (this.#hasTouch) return
    const distance = Math.hypot(to.x - from.x, to.y - from.y)
    const steps = Math.ceil(4 + distance / 90)
    const curve = this.#between(-0.15, 0.15)
    for (let step = 1; step <= steps; step += 1) {
      const share = (1 - Math.cos((Math.PI * step) / steps)) / 2
      const aside = curve * Math.sin(Math.PI * share)
      const x = from.x + (to.x - from.x) * share - (to.y - from.y) * aside
      const y = from.y + (to.y - from.y) * share + (to.x - from.x) * aside
      await this.page.mouse.move(x, y)
      await this.page.clock.runFor(stepMs)
    }
  }

  async #press(): Promise<void> {
    const { x, y } = this.#mouse
    if (this.#hasTouch) await this.page.touchscreen.tap(x, y)
    else await this.page.mouse.click(x, y)
  }

  /** Advances the clock in steps of a second, so that responses to requests arrive in time. */
  async #pass(time: number): Promise<void> {
    for (let rest = Math.round(time); rest > 0; rest -= 1000)
      await this.page.clock.runFor(Math.min(rest, 1000))
  }

  #between(min: number, max: number): number {
    return min + (max - min) * this.#random()
  }
}

/** Runs in the page before its scripts. Counts the beacons it sends on leaving, which Playwright does not report. */
function countBeacons(): void {
  const send = navigator.sendBeacon.bind(navigator)
  navigator.sendBeacon = (url, data) => {
    const isSent = send(url, data)
    const count = Number(sessionStorage.getItem('beacons')) + Number(isSent)
    sessionStorage.setItem('beacons', String(count))
    return isSent
  }
}

/** Runs in the page; resolves once its scroll event has fired, which happens with the next frame. */
function scrollBy(pixels: number): Promise<void> {
  const before = window.scrollY
  return new Promise((done) => {
    addEventListener('scroll', () => done(), { once: true })
    window.scrollBy(0, pixels)
    if (window.scrollY === before) done()
  })
}
