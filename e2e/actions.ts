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
