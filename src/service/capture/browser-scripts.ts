import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { recorderAddition } from './recorder-addition.ts'

/** Name of posthog-js' recorder with our addition. */
export const extendedRecorder = 'extended-recorder'
/** Scripts that posthog-js loads on demand, and `array`, which pages load first. */
const names = [
  'array',
  'recorder',
  'recorder-v2',
  'posthog-recorder',
  'lazy-recorder',
  extendedRecorder,
  'exception-autocapture',
  'dead-clicks-autocapture',
  'tracing-headers',
  'surveys',
  'logs',
  'web-vitals',
  'web-vitals-with-attribution',
  'web-vitals-soft-navs',
  'web-vitals-with-attribution-soft-navs',
]
const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'))
const scripts = new Map<string, Promise<Buffer>>()

/** Returns a script of the installed posthog-js, or its extended recorder, by its file name in the URL (`recorder.js`); null if not served. */
export async function browserScript(file: string): Promise<Buffer | null> {
  const name = names.find((candidate) => `${candidate}.js` === file)
  if (name === undefined) return null
  const script = scripts.get(name) ?? readScript(name)
  scripts.set(name, script)
  return script
}

async function readScript(name: string): Promise<Buffer> {
  if (name !== extendedRecorder) return readFile(join(folder, `${name}.js`))
  return Buffer.concat([await readFile(join(folder, 'lazy-recorder.js')), Buffer.from(recorderAddition)])
}
