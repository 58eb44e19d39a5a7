import { rewriteCss } from '../../../replay/recorded/css-references.ts'
import { isEmbedded, isStored } from './safe-elements.ts'

/** Stands for a file that is missing. */
const nothing = 'data:,'

/** Creates a list of the files that a picture shows; each is read once. */
export function createEmbeddedFiles() {
  const files = new Map<string, Promise<string>>()
  const dataUrls = new Map<string, string>()
  const add = (url: string) => {
    if (!files.has(url)) files.set(url, dataUrl(url))
  }
  return {
    add,
    /** Adds the files to which CSS refers. */
    addOf(css: string) {
      rewriteCss(css, (url) => {
        add(url)
        return null
      })
    },
    async load(): Promise<void> {
      for (const [url, file] of files) dataUrls.set(url, await file)
    },
    /** Returns the `data:` URL of a file that has been loaded. */
    of: (url: string) => dataUrls.get(url) ?? nothing,
    /** Returns CSS that contains its files. */
    inCss: (css: string) =>
      rewriteCss(css, (url) => (url.startsWith('#') ? null : (dataUrls.get(url) ?? nothing))),
  }
}

/** Returns the file at a URL as a `data:` URL; an empty one if the recording does not contain the file. */
async function dataUrl(url: string): Promise<string> {
  try {
    if (isEmbedded(url)) return url
    if (url.startsWith(`blob:${location.origin}/`)) return await picture(url)
    return isStored(url) ? await file(url) : nothing
  } catch {
    // The player would not show the file either.
    return nothing
  }
}

async function file(url: string): Promise<string> {
  const response = await fetch(url)
  const content = await response.blob()
  if (!response.ok || !/^(image|font)\//.test(content.type)) return nothing
  const bytes = new Uint8Array(await content.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${content.type.split(';')[0]};base64,${btoa(text)}`
}

/** Draws the picture at a `blob:` URL, which the policy of the dashboard does not let it fetch. */
async function picture(url: string): Promise<string> {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.toDataURL()
}
