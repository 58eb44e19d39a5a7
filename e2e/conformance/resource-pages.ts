import type { Page } from '@playwright/test'
import { IncrementalSource, sourceOf, type RecordedEvent } from '../../src/replay/recorded/rrweb.ts'
import { inBothViewers, type ConformancePage } from './conformance-page.ts'

const isFrame = (event: RecordedEvent) => sourceOf(event) === IncrementalSource.CanvasMutation

/** Pages that show images, styles, fonts, canvases and media. */
export const resourcePages: readonly ConformancePage[] = [
  {
    name: 'images by URL',
    body: `<p>Before <img src="/lamp.png" alt="A lamp"> after</p>
      <img src="{other}/lamp.png" width="300" height="90" alt="Another lamp"><p>Below the images</p>`,
  },
  {
    name: 'backgrounds by URL',
    head: `<style>.a { height: 200px; background: url(/lamp.png) repeat-x } .b { height: 200px; background: center / contain no-repeat url({other}/lamp.png), #eee }</style>`,
    body: `<div class="a"></div><div class="b"></div><div style="height: 120px; background-image: url('/lamp.png')"></div>`,
  },
  {
    name: 'picture and srcset',
    body: `<picture><source media="(min-width: 5000px)" srcset="/missing.png"><source srcset="/lamp.png"><img alt="A lamp"></picture>
      <img srcset="/lamp.png 1x, /missing.png 3x" alt="Another lamp"><p>Below</p>`,
  },
  {
    name: 'images added later',
    body: `<div id="list"></div><img id="first" src="/lamp.png" alt="">`,
    act: (page) =>
      page.evaluate(async () => {
        const list = document.querySelector('#list')
        for (let number = 0; number < 3; number += 1) {
          const image = Object.assign(new Image(), { src: '/lamp.png', alt: 'Lamp' })
          list?.append(image)
          await image.decode()
        }
        document.querySelector('#first')?.setAttribute('src', '/lamp.png?large')
      }),
  },
  { name: 'image as data', body: `<img alt="" src="${dataImage()}"><p>Below</p>` },
  {
    name: 'CSS of another origin',
    head: `<link rel="stylesheet" href="{other}/theme.css">`,
    body: `<h1>Lamps</h1><p class="card">A card with a border, styled by another origin.</p>`,
  },
  {
    name: 'imported CSS',
    head: `<style>@import url(/theme.css); p { margin: 20px }</style>`,
    body: `<h1>Lamps</h1><p class="card">Styled by an imported style sheet.</p>`,
  },
  {
    name: 'canvas 2D',
    head: `<style>canvas { border: 2px solid teal }</style>`,
    body: `<p>Before</p><canvas width="400" height="200"></canvas><p>Below the canvas</p>`,
    awaits: isFrame,
    act: (page) => drawn(page, false),
    isFast: true,
  },
  {
    name: 'canvas scaled by CSS',
    head: `<style>canvas { display: block; width: 60%; margin: 10px auto; background: #fee }</style>`,
    body: `<canvas width="400" height="200"></canvas><p>Below the canvas</p>`,
    awaits: isFrame,
    act: (page) => drawn(page, false),
  },
  {
    name: 'canvas WebGL',
    body: `<canvas width="400" height="200"></canvas><p>Below the canvas</p>`,
    awaits: isFrame,
    act: (page) => drawn(page, true),
  },
  {
    name: 'canvas without its picture',
    body: `<p>Before <canvas width="400" height="200"></canvas> after</p><p>Below the canvas</p>`,
    recorder: { captureCanvas: { recordCanvas: false } },
  },
  {
    name: 'fonts by URL',
    head: `<style>@font-face { font-family: Sample; src: url(/inter.woff2) format('woff2'); font-weight: 100 900 }
      body { font: 24px Sample, serif } b { font-weight: 800 }</style>`,
    body: `<p>Brass lamps <b>and linen shades</b></p><p>0123456789</p>`,
  },
  {
    name: 'external SVG sprite',
    body: `<svg width="120" height="120"><use href="/sprite.svg#lamp"></use></svg> <svg width="60" height="60" fill="crimson"><use xlink:href="/sprite.svg#lamp"></use></svg>`,
  },
  {
    name: 'video',
    body: `<p>Before</p><video width="400" height="225" poster="/lamp.png"></video><p>Below the video</p>`,
    act: (page) =>
      page.evaluate(async () => {
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: 400, height: 225 })
        const context = canvas.getContext('2d')
        if (context) Object.assign(context, { fillStyle: 'navy' })
        context?.fillRect(0, 0, 400, 225)
        const video = document.querySelector('video')
        if (!video) return
        Object.assign(video, { srcObject: canvas.captureStream(10), muted: true })
        await video.play()
      }),
    limit: 'media are not recorded; the player shows their state',
  },
  {
    name: 'video with a poster',
    body: `<video width="400" height="225" poster="/lamp.png"></video><p>Below the video</p>`,
    limit: 'media are not recorded; the player shows their state',
  },
  ...inBothViewers({
    name: 'video file',
    body: `<p>Before</p><video controls width="400" height="225" src="/film.webm"></video><p>Below the video</p>`,
    act: (page) =>
      page.locator('video').evaluate(async (video: HTMLVideoElement) => {
        const seeked = new Promise((done) => {
          video.addEventListener('seeked', done)
        })
        video.currentTime = 0.5
        await seeked
      }),
    limit: 'media are not recorded; the player shows their state',
    proof: { absent: /data:video|"blob:/, badge: 'the frames of videos' },
  }),
  {
    name: 'audio',
    body: `<p>Before</p><audio controls src="/tone.wav"></audio><p>Below the audio</p>`,
    limit: 'media are not recorded; the player shows their state',
  },
  ...inBothViewers({
    name: 'fonts of scripts',
    head: `<style>p { font-size: 60px; margin: 8px; white-space: nowrap }</style>`,
    body: `<p style="font-family: url, serif">WWW Lamp iii 0123</p>`,
    act: (page) =>
      page.evaluate(async () => {
        document.fonts.add(new FontFace('url', 'url(/inter.woff2)', { weight: '100 900' }))
        await document.fonts.ready
      }),
  }),
  ...inBothViewers({
    name: 'font before the recorder',
    body: `<p style="font: 60px early, serif">WWW Lamp iii 0123</p>
      <script>document.fonts.add(new FontFace('early', 'url(/inter.woff2)'))</script>`,
    limit: 'a font that a script adds before the recorder starts',
    proof: { absent: /inter\.woff2/, badge: '1 font not available' },
  }),
  ...inBothViewers({
    name: 'font made of bytes',
    body: `<p style="font: 60px file, serif">WWW Lamp iii 0123</p>`,
    act: (page) =>
      page.evaluate(async () => {
        document.fonts.add(new FontFace('file', await (await fetch('/inter.woff2')).arrayBuffer()))
        await document.fonts.ready
      }),
    limit: 'the bytes of a font are not recorded',
    proof: { absent: /"file"/, badge: '1 font not available' },
  }),
  ...inBothViewers({
    name: 'images at blob: addresses',
    body: `<p>Before <img alt="A lamp" id="small"> after</p><img id="large" width="400" alt="">`,
    act: (page) =>
      page.evaluate(async () => {
        const show = async (id: string, blob: Blob | null) => {
          const image = document.querySelector<HTMLImageElement>(`#${id}`)
          if (image && blob) image.src = URL.createObjectURL(blob)
          await image?.decode()
          URL.revokeObjectURL(image?.src ?? '')
        }
        const lamp = await (await fetch('/lamp.png')).blob()
        const canvas = Object.assign(document.createElement('canvas'), { width: 3_000, height: 2_000 })
        canvas.getContext('2d')?.drawImage(await createImageBitmap(lamp), 0, 0, 3_000, 2_000)
        await show('small', lamp)
        await show('large', await new Promise<Blob | null>((done) => canvas.toBlob(done)))
      }),
  }),
  ...inBothViewers({
    name: 'masked image at a blob: address',
    body: `<p class="ph-mask"><img alt="" width="200" height="150"></p>`,
    act: (page) =>
      page.evaluate(async () => {
        const lamp = await (await fetch('/lamp.png')).blob()
        const image = document.querySelector('img')
        if (image) image.src = URL.createObjectURL(lamp)
        await image?.decode()
      }),
    limit: 'where texts are masked, pictures at blob: addresses are not recorded',
    proof: { absent: /data:image/, badge: '1 image not available' },
  }),
  {
    name: 'background at a blob: address',
    body: `<p style="width: 240px; height: 160px">A lamp</p>`,
    act: (page) =>
      page.evaluate(async () => {
        const lamp = await (await fetch('/lamp.png')).blob()
        const text = document.querySelector('p')
        if (text) text.style.backgroundImage = `url(${URL.createObjectURL(lamp)})`
      }),
    limit: 'pictures at blob: addresses are recorded only of images',
    proof: { absent: /data:image/, badge: '1 image not available' },
  },
]

/** Draws a picture. */
async function drawn(page: Page, isWebGl: boolean): Promise<void> {
  await page.evaluate((isWebGl) => {
    const canvas = document.querySelector('canvas')
    const draw = () => {
      if (isWebGl) {
        const context = canvas?.getContext('webgl')
        context?.clearColor(0.2, 0.5, 0.4, 1)
        context?.clear(context.COLOR_BUFFER_BIT)
        return
      }
      const context = canvas?.getContext('2d')
      if (!context) return
      context.clearRect(0, 0, 400, 200)
      context.fillStyle = 'seagreen'
      context.fillRect(20, 20, 160, 120)
      context.fillStyle = 'gold'
      context.fillRect(220, 60, 140, 100)
    }
    draw()
  }, isWebGl)
}

/** Returns a picture that the recorder keeps whole. */
function dataImage(): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='300' height='120'><rect width='300' height='120' fill='%23357'/><circle cx='150' cy='60' r='40' fill='gold'/></svg>`
  return `data:image/svg+xml,${svg}`
}
