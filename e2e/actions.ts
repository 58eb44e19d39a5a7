import { expect, type Locator, type Page } from '@playwright/test'
import { tabTo } from './journey.ts'

/**
 * Counts what a person does. One action is a click, a drag, a key, or a text typed into a field together with the keys that
 * open and leave the field; moving to a row with `j`, or to a control with Tab, and opening it is one, as a click on it is.
 */
export class Actions {
  count = 0
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    this.count += 1
    await from.dragTo(to)
  }

  /** Drags over only these checkboxes: between them, the pointer moves to the right of their column. */
  async dragOver(boxes: readonly Locator[]): Promise<void> {
    this.count += 1
    const { mouse } = this.page
    for (const [index, box] of boxes.entries()) {
      const bounds = await box.boundingBox()
      if (!bounds) throw new Error('a checkbox is not visible')
      const { x, y, width, height } = bounds
      const [middleX, middleY] = [x + width / 2, y + height / 2]
      if (index > 0) await mouse.move(middleX + 100, middleY, { steps: 4 })
      await mouse.move(middleX, middleY, { steps: 4 })
      if (index === 0) await mouse.down()
      await mouse.move(middleX + 100, middleY, { steps: 4 })
    }
    await mouse.up()
  }

  async press(key: string): Promise<void> {
    this.count += 1
    await this.page.keyboard.press(key)
  }

  /** Types into the field that a key opens, or that is focused already, and leaves it with another. */
  async type(text: string, { open, leave }: { open?: string; leave?: string } = {}): Promise<void> {
    this.count += 1
    if (open) {
      await this.page.keyboard.press(open)
      await expect(this.page.locator('input:focus')).toBeVisible()
    }
    await this.page.keyboard.type(text)
    if (leave) await this.page.keyboard.press(leave)
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.count += 1
    await field.fill(text)
  }

  /** Presses Tab until a control is focused, then Enter. */
  async reach(target: Locator): Promise<void> {
    this.count += 1
    await tabTo(this.page, target)
    await this.page.keyboard.press('Enter')
  }

  /** Moves to the first row and opens it. */
  async openRow(key: string): Promise<void> {
    this.count += 1
    await this.page.keyboard.press('j')
    await this.page.keyboard.press(key)
  }
}
