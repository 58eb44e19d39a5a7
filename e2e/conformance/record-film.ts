import type { Browser } from '@playwright/test'

/** Returns a video of about a second, recorded from a canvas: a square moves over a blue background. */
export async function recordFilm(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage()
  const film = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 400, height: 225 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('The browser has no canvas.')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const data = new Promise<Blob>((done) => {
      recorder.addEventListener('dataavailable', (event) => done(event.data))
    })
    recorder.start()
    for (let x = 0; x < 200; x += 5) {
      context.fillStyle = 'navy'
      context.fillRect(0, 0, 400, 225)
      context.fillStyle = 'gold'
      context.fillRect(x, 60, 100, 100)
      await new Promise(requestAnimationFrame)
      await new Promise((done) => {
        setTimeout(done, 20)
      })
    }
    recorder.stop()
    return [...new Uint8Array(await (await data).arrayBuffer())]
  })
  await page.close()
  return Buffer.from(film)
}
