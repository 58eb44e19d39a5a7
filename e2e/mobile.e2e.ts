import { expect, type Locator, type Page } from '@playwright/test'
import { RecordingLink } from '../src/contract/recordings/sharing.ts'
import { visitorName } from '../src/contract/recordings/visitor-name.ts'
import { compare, settledPicture } from './conformance/picture.ts'
import { expectAccessible, rowWith, signIn, test } from './journey.ts'
import { mobileProperties, screenshots, screenSize, wireframes, type Wireframe } from './mobile-recording.ts'
import { sendSession } from './recorded-session.ts'

const minute = 60_000

test('finds a recording of screenshots in the list, and plays it in a phone', async ({
  page,
  service,
  tenant,
}) => {
  const images = await Promise.all(['red', 'lime', 'blue'].map((color) => picture(page, color)))
  const events = screenshots(Date.now() - 10 * minute, images)
  const session = await sendSession(service, tenant, events, { properties: mobileProperties })

  await signIn(page, service, tenant.api_key, '/recordings?snapshot_source=mobile')
  await expect(rowWith(page, visitorName(null, 'ada'), 'mobile', 'LampsView')).toHaveCount(1)
  await page.goto(`${service.origin}/recordings/${session}?t=0`)
  const screenshot = screen(page).locator('img.screenshot')
  await expect(screenshot).toHaveJSProperty('complete', true)
  for (const [second, color] of ['255,0,0', '0,255,0', '0,0,255'].entries()) {
    await seek(page, second * 1000 + 100)
    await expect.poll(() => colorAt(page, screenshot, 0.5, 0.5)).toBe(color)
  }

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 375, height: 700 },
  ]) {
    await page.setViewportSize(viewport)
    await expect.poll(() => shapeOf(page)).toEqual({ isInside: true, ratio: '0.462' })
  }
  await expectAccessible(page)
})

test('draws every kind of wireframe, its changes, the keyboard and touches', async ({
  page,
  service,
  tenant,
}) => {
  const image = await picture(page, 'red')
  const events = wireframes(Date.now() - 10 * minute, image)
  const session = await sendSession(service, tenant, events, { properties: mobileProperties })

  await signIn(page, service, tenant.api_key, `/recordings/${session}?t=0`)
  const shown = screen(page)
  await expect(shown.getByText('Settings').first()).toBeVisible()
  await seek(page, 0)
  for (const text of [
    'Map of the shop',
    'https://shop.example/help',
    'Ada',
    '••••••••',
    'Newsletter',
    'Warm',
    'Wi-Fi',
    'Euro',
    'Pay',
    'Leave it',
    '★★★★☆',
    'New kind',
    '□',
  ])
    await expect(shown.getByText(text).first()).toBeVisible()
  await seek(page, 500)
  const whole = shown.locator('.view').first()
  const at = (x: number, y: number) => colorAt(page, whole, x / screenSize.width, y / screenSize.height)
  await expect.poll(() => at(200, 110)).toBe('0,255,0')
  await expect.poll(() => at(50, 160)).toBe('255,0,0')
  await expect(shown.getByText('Keyboard')).toBeHidden()

  await seek(page, 1500)
  await expect(shown.getByText('Keyboard')).toBeVisible()
  await expect(page.frameLocator('iframe[title="The recorded page"]').locator('.touch-device')).toHaveCount(1)
  await seek(page, 2500)
  await expect(shown.getByText('Saved settings')).toHaveCSS('color', 'rgb(0, 0, 255)')
  await expect(shown.getByText('Added at the end')).toBeVisible()
  await expect(shown.getByText('New kind')).toHaveCount(0)
  await seek(page, 3500)
  await expect(shown.getByText('Keyboard')).toBeHidden()
})

test('shows a large screen as a picture that looks like its wireframes', async ({
  page,
  service,
  tenant,
}) => {
  const image = await picture(page, 'red')
  const below = Array.from({ length: 2_000 }, (_, index) => styled(index, { type: 'text', y: 5_000 }))
  const pictures: Buffer[] = []
  await page.setViewportSize({ width: 1280, height: 1_000 })
  await signIn(page, service, tenant.api_key, '/recordings')
  for (const others of [[], below]) {
    const events = wireframes(Date.now() - 10 * minute, image, [...others, ...styledViews(image)])
    const session = await sendSession(service, tenant, events, { properties: mobileProperties })
    await page.goto(`${service.origin}/recordings/${session}?t=0`)
    await seek(page, 3500)
    const isLarge = others.length > 0
    await expect(screen(page).getByAltText('Saved settings')).toHaveCount(isLarge ? 1 : 0)
    await expect(screen(page).getByText('Saved settings')).toHaveCount(isLarge ? 0 : 1)
    pictures.push(await settledPicture(page.getByTitle('The recorded page')))
  }
  const [views, asPicture] = pictures
  if (!views || !asPicture) throw new Error('a picture is missing')
  expect(compare(views, asPicture).percent).toBeLessThan(1.5)
})

test(
  'a link to a range of an app’s recording begins with the screen at its start, and can hide its texts',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const events = wireframes(Date.now() - 10 * minute, await picture(page, 'red'))
    const session = await sendSession(service, tenant, events, { properties: mobileProperties })
    const open = async (settings: object) => {
      const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/links/`
      const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
      const created = await fetch(url, { method: 'POST', headers, body: JSON.stringify(settings) })
      const { access_token: token } = RecordingLink.parse(await created.json())
      await page.goto(`${service.origin}/shared/${token}`)
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open({ start: 2.5 })
    const shown = screen(page)
    await expect(shown.getByText('Saved settings')).toBeVisible()
    await expect(shown.getByText('Added at the end')).toBeVisible()
    await expect(shown.getByText('Keyboard')).toBeVisible()
    await expect(shown.getByText('New kind')).toHaveCount(0)
    await open({ start: 2.5, masks: [{ kind: 'text' }] })
    await expect(shown.getByText('***** ********', { exact: true })).toBeVisible()
    await expect(shown.getByText('Saved settings')).toHaveCount(0)
  },
)

/** Returns wireframes with each kind of style, below the others of the settings screen. */
function styledViews(image: string): Wireframe[] {
  const long = 'A text of several words that wraps where the view ends'
  return [
    {
      type: 'text',
      text: long,
      x: 20,
      y: 705,
      width: 120,
      height: 60,
      style: { fontSize: 12, paddingLeft: 4 },
    },
    {
      type: 'text',
      text: 'Right',
      y: 705,
      style: { horizontalAlign: 'right', verticalAlign: 'bottom', borderWidth: 2, borderColor: '#008000' },
    },
    {
      type: 'text',
      text: 'Too long for its view',
      y: 705,
      x: 250,
      width: 60,
      style: { fontFamily: 'monospace', backgroundColor: '#FFEECC' },
    },
    { type: 'input', inputType: 'button', value: 'Off', disabled: true, y: 705, x: 320, width: 50 },
    {
      type: 'rectangle',
      y: 745,
      x: 150,
      width: 90,
      style: { backgroundImage: image, backgroundSize: 'contain', borderWidth: 3, borderRadius: 12 },
    },
    { type: 'input', inputType: 'radio', checked: true, label: 'On', y: 745, x: 250, width: 60 },
    { type: 'input', inputType: 'checkbox', disabled: true, label: 'No', y: 745, x: 320, width: 60 },
    {
      type: 'text',
      text: 'Very muted',
      y: 770,
      x: 20,
      width: 120,
      style: { color: 'no color', fontSize: 18 },
    },
  ].map((wireframe, index) => styled(10_000 + index, wireframe))
}

function styled(index: number, wireframe: Wireframe): Wireframe {
  return { id: 1_000 + index, x: 150, width: 90, height: 36, style: {}, ...wireframe }
}

/** Locates the replayed screen. */
function screen(page: Page) {
  return page.frameLocator('iframe[title="The recorded page"]').frameLocator('iframe:visible')
}

/** Pauses at a time in milliseconds. */
async function seek(page: Page, at: number): Promise<void> {
  const pause = page.getByRole('button', { name: 'Pause' })
  if (await pause.isVisible()) await pause.click()
  await page.getByRole('slider', { name: 'Playback position' }).fill(String(at))
}

/** Returns an image of one color, compressed as recorders compress images. */
async function picture(page: Page, color: string): Promise<string> {
  return await page.evaluate((fill) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 39, height: 84 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('the browser has no canvas')
    context.fillStyle = fill
    context.fillRect(0, 0, 39, 84)
    return canvas.toDataURL('image/png')
  }, color)
}

/** Returns the color that a person sees at a part of an element, as `red,green,blue`. */
async function colorAt(page: Page, element: Locator, x: number, y: number): Promise<string> {
  const png = await element.screenshot()
  const blank = await page.context().newPage()
  const color = await blank.evaluate(
    async ([base64, x, y]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixel = context?.getImageData(
        Math.floor(x * image.width),
        Math.floor(y * image.height),
        1,
        1,
      ).data
      return [...(pixel ?? [])].slice(0, 3).join(',')
    },
    [png.toString('base64'), x, y] as const,
  )
  await blank.close()
  return color
}

/** Returns whether the phone and its edge are inside the player, and the screen's ratio of width to height. */
async function shapeOf(page: Page): Promise<{ isInside: boolean; ratio: string }> {
  const player = await page.getByTitle('The recorded page').boundingBox()
  const phone = await page
    .frameLocator('iframe[title="The recorded page"]')
    .locator('.phone iframe:visible')
    .boundingBox()
  if (!player || !phone) return { isInside: false, ratio: '' }
  const isInside =
    phone.x > player.x &&
    phone.y > player.y &&
    phone.x + phone.width < player.x + player.width &&
    phone.y + phone.height < player.y + player.height
  return { isInside, ratio: (phone.width / phone.height).toFixed(3) }
}
