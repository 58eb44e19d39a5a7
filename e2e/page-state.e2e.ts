import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { black, gold, openVisit, recordVisit, seekTo, turnOffPageState } from './recorded-visit.ts'
import { recordedPage } from './recorded-shop.ts'

const note = `<p>Behind</p><button popovertarget="note"><b>Open</b></button><div popover id="note">A note</div>
  <dialog><p>A question</p><div popover="manual" id="hint">A hint</div></dialog>`

test('plays popovers and dialogs as they were open, in their order, also after seeking back', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await recordVisit(browser, service, tenant, { body: note }, async (page, mark) => {
    await mark()
    await page.evaluate(() => document.querySelector<HTMLElement>('#note')?.showPopover())
    await mark()
    await page.evaluate(() => {
      document.querySelector('dialog')?.showModal()
      document.querySelector<HTMLElement>('#hint')?.showPopover()
    })
    await mark()
  })
  const page = await openVisit(browser, service, tenant, visit)
  const [before, noted, asked] = visit.moments
  const recorded = recordedPage(page)
  const shows = async (moment: number | undefined, texts: string[]) => {
    await seekTo(page, moment)
    for (const text of ['A note', 'A question', 'A hint'])
      await expect(recorded.getByText(text)).toBeVisible({ visible: texts.includes(text) })
  }
  await shows(asked, ['A question', 'A hint'])
  await shows(noted, ['A note'])
  await shows(before, [])
  await shows(noted, ['A note'])
  await shows(asked, ['A question', 'A hint'])
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
})

test(
  'without the addition, clicks show which popovers their buttons opened',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    await turnOffPageState(service, tenant)
    const visit = await recordVisit(browser, service, tenant, { body: note }, async (page, mark) => {
      await mark()
      await page.getByText('Open').click()
      await mark()
      await page.getByText('Behind').click()
      await mark()
    })
    const page = await openVisit(browser, service, tenant, visit)
    const text = recordedPage(page).getByText('A note')
    const [before, opened, closed] = visit.moments
    for (const [moment, visible] of [
      [closed, false],
      [opened, true],
      [before, false],
      [opened, true],
    ] as const) {
      await seekTo(page, moment)
      await expect(text).toBeVisible({ visible })
    }
    // Playing passes the click that closes it.
    await page.keyboard.press(' ')
    await expect(text).toBeHidden()
    await page.getByRole('button', { name: '1 known gap' }).click()
    await expect(page.getByText('Popovers are shown only where')).toBeVisible()
  },
)

test(
  'plays animations of scripts as they went on, also after seeking back',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    const visit = await recordVisit(
      browser,
      service,
      tenant,
      { body: '<p>A lamp</p>' },
      async (page, mark) => {
        const lamp = page.getByText('A lamp')
        await mark()
        await lamp.evaluate((element) => {
          // One that the player's browser refuses does not stop the others.
          const { effect } = element.animate({ width: ['1px', '2px'] }, 4_000)
          Object.assign(effect ?? {}, { getTiming: () => ({ duration: -1 }) })
          element.animate({ opacity: [0, 1] }, 4_000)
        })
        await mark()
        await mark()
        await lamp.evaluate((element) =>
          element.getAnimations().forEach((animation) => {
            animation.pause()
            animation.currentTime = 3_600
          }),
        )
        await mark()
        await lamp.evaluate((element) => element.getAnimations().forEach((animation) => animation.cancel()))
        await mark()
      },
    )
    const page = await openVisit(browser, service, tenant, visit)
    const lamp = recordedPage(page).getByText('A lamp')
    const [before, early = 0, late = 0, paused, after] = visit.moments
    const opacity = () => lamp.evaluate((element) => Number(getComputedStyle(element).opacity))
    const since = (late - early) / 4_000
    for (const [moment, value] of [
      [paused, 0.9],
      [before, 1],
      [late, since + 0.05],
      [early, 0.05],
      [after, 1],
      [early, 0.05],
    ] as const) {
      await seekTo(page, moment)
      await expect.poll(opacity).toBeCloseTo(value, 1)
    }
    // Playing moves it by the clock of the replay.
    await page.keyboard.press(' ')
    await expect.poll(opacity, { intervals: [50] }).toBeCloseTo(since + 0.05, 1)
    await expect.poll(opacity, { intervals: [50] }).toBeCloseTo(0.9)
  },
)

test(
  'adds each font of a script once, however often it is shown',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    const visit = await recordVisit(
      browser,
      service,
      tenant,
      { body: '<p>A lamp</p>' },
      async (page, mark) => {
        await mark()
        await page.evaluate(() => document.fonts.add(new FontFace('Lamp', 'local(Arial)')))
        await mark()
      },
    )
    const page = await openVisit(browser, service, tenant, visit)
    const fonts = () =>
      recordedPage(page)
        .locator('body')
        .evaluate(() => [...document.fonts].filter(({ family }) => family === 'Lamp').length)
    const [before, after] = visit.moments
    for (const moment of [after, before, after, before, after]) {
      await seekTo(page, moment)
      await expect.poll(fonts).toBe(1)
    }
  },
)

test('marks the part that the address names', async ({ browser, service, tenant }) => {
  const head = '<style>h2:target { color: gold }</style>'
  const body = '<a href="#brass">To brass</a><h2 id="brass">Brass</h2>'
  const visit = await recordVisit(browser, service, tenant, { head, body }, async (page, mark) => {
    await mark()
    await page.getByText('To brass').click()
    await mark()
  })
  const page = await openVisit(browser, service, tenant, visit)
  const heading = recordedPage(page).getByRole('heading', { name: 'Brass' })
  const [before, after] = visit.moments
  for (const [moment, color] of [
    [after, gold],
    [before, black],
    [after, gold],
  ] as const) {
    await seekTo(page, moment)
    await expect(heading).toHaveCSS('color', color)
  }
})
