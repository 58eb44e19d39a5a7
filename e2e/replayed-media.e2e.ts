import { expect } from '@playwright/test'
import { EventType, IncrementalSource, MediaInteractions } from '../src/replay/recorded/rrweb.ts'
import { signIn, test } from './journey.ts'
import { clicked, element, pageShown, sendSession } from './recorded-session.ts'

test('the player shows whether a video was playing, and its position', async ({ page, service, tenant }) => {
  const start = Date.now() - 600_000
  const video = element('video', { width: '320', height: '180', src: 'https://shop.example/film.mp4' })
  const interaction = (at: number, type: number, currentTime: number) => ({
    type: EventType.IncrementalSnapshot,
    timestamp: start + at,
    data: { source: IncrementalSource.MediaInteraction, id: video.id, type, currentTime },
  })
  const session = await sendSession(service, tenant, [
    ...pageShown(start, { body: [video] }),
    interaction(1_000, MediaInteractions.Play, 10),
    clicked(start + 2_000, video.id),
    interaction(60_000, MediaInteractions.Pause, 69),
    clicked(start + 61_000, video.id),
  ])
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, service, tenant.api_key, `/recordings/${session}?t=5`)
  const player = page.frameLocator('iframe[title="The recorded page"]')
  await expect(player.getByText('Playing 0:14')).toBeVisible()
  await page.getByRole('slider', { name: 'Playback position' }).fill('60500')
  await expect(player.getByText('Paused 1:09')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(player.getByText('Playing 1:04')).toBeVisible()
  expect(problems).toEqual([])
})
