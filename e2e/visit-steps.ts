import type { Locator } from '@playwright/test'
import type { Visitor } from './visitor.ts'
import type { Visit } from './visits.ts'

type Step = (visitor: Visitor, argument: string, visit: Visit) => Promise<void>

const towns = ['Utrecht', 'Graz', 'Porto', 'Lyon', 'Leipzig', 'Turin']

/** The actions of visitors in the demo shop, by the first words of a visit's steps. */
const steps: Record<string, Step> = {
  look: (visitor, seconds) => visitor.look(Number(seconds)),
  wait: (visitor, seconds) => visitor.wait(Number(seconds)),
  scroll: (visitor, pixels) => visitor.scroll(Number(pixels)),
  back: (visitor) => visitor.back(),
  search: (visitor, words) => visitor.search(words),
  go: (visitor, name) => visitor.follow(link(visitor, name)),
  see,
  press: (visitor, name) => visitor.click(button(visitor, name)),
  'rage click': (visitor, name) => visitor.rageClick(button(visitor, name)),
  unfold: (visitor, text) => visitor.click(visitor.page.getByText(text)),
  sort: (visitor, order) => visitor.choose(field(visitor, 'Sort by'), order),
  async add(visitor, product) {
    await see(visitor, product)
    await visitor.click(button(visitor, 'Add to cart'))
    await visitor.look(3)
  },
  async cart(visitor) {
    await visitor.follow(link(visitor, 'Cart'))
    await visitor.look(5)
  },
  async redeem(visitor, code) {
    await visitor.type(field(visitor, 'Coupon'), code)
    await visitor.click(button(visitor, 'Redeem'))
    await visitor.look(4)
  },
  async 'work out delivery'(visitor, postcode) {
    await visitor.type(field(visitor, 'Postcode'), postcode)
    await visitor.click(button(visitor, 'Work out delivery'))
    await visitor.wait(13)
  },
  async checkout(visitor) {
    await visitor.follow(link(visitor, 'Go to checkout'))
    await visitor.look(3)
  },
  address,
  card: (visitor, digits) => visitor.type(field(visitor, 'Card number'), digits),
  async pay(visitor, _, visit) {
    await address(visitor, '', visit)
    await visitor.type(field(visitor, 'Card number'), '4000 1234 5678 9010')
    await visitor.type(field(visitor, 'Expires'), '09/29')
    await visitor.click(field(visitor, 'I have read the terms'))
    await visitor.follow(button(visitor, 'Pay now'))
    await visitor.look(5)
  },
  async 'sign in'(visitor, _, { email }) {
    await visitor.follow(link(visitor, 'Account'))
    await visitor.type(field(visitor, 'E-mail'), email)
    await visitor.type(field(visitor, 'Password'), 'brass-and-linen')
    await visitor.click(button(visitor, 'Sign in'))
    await visitor.look(3)
  },
  async subscribe(visitor, _, { email }) {
    await visitor.type(field(visitor, 'E-mail'), email)
    await visitor.click(button(visitor, 'Subscribe'))
    await visitor.look(4)
  },
}

/** Performs the steps of a visit, then leaves unless the last step is `stay`. */
export async function makeVisit(visitor: Visitor, visit: Visit): Promise<void> {
  for (const text of visit.steps) {
    if (text === 'stay') return await visitor.stay()
    const stepName = Object.keys(steps).find((known) => text === known || text.startsWith(`${known} `))
    const step = steps[stepName ?? '']
    if (stepName === undefined || !step) throw new Error(`unknown step: ${text}`)
    await step(visitor, text.slice(stepName.length + 1), visit)
  }
  await visitor.leave()
}

async function see(visitor: Visitor, product: string): Promise<void> {
  await visitor.follow(link(visitor, product))
  await visitor.look(6)
}

async function address(visitor: Visitor, _: string, { name, email }: Visit): Promise<void> {
  await visitor.type(field(visitor, 'Name'), name)
  await visitor.type(field(visitor, 'E-mail'), email)
  await visitor.type(field(visitor, 'Street'), `Lampenweg ${name.length}`)
  await visitor.type(field(visitor, 'Town'), towns[name.length % towns.length] ?? '')
}

function link({ page }: Visitor, name: string): Locator {
  return page.getByRole('link', { name: new RegExp(`^${name}`) }).first()
}

function button({ page }: Visitor, name: string): Locator {
  return page.getByRole('button', { name })
}

function field({ page }: Visitor, label: string): Locator {
  return page.getByLabel(label)
}
