import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { recorderAddition } from './recorder-addition.ts'

/** Scripts that posthog-js loads on demand, and `array`, which pages load first. */
const names = [
  'array',
  'recorder',
  'recorder-v2',
  'posthog-recorder',
  'lazy-recorder',
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
/** Those that give the recorder the instance of posthog-js, which has the project's setting; they get our addition. */
const extended = ['posthog-recorder', 'lazy-recorder']
const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'))
const scripts = new Map<string, Promise<Buffer>>()

/** Returns a script of the installed posthog-js by its file name in the URL (`recorder.js`); null if not served. */
export async function browserScript(file: string): Promise<Buffer | null> {
  const name = names.find((candidate) => `${candidate}.js` === file)
  if (name === undefined) return null
  const script = scripts.get(name) ?? readScript(name)
  scripts.set(name, script)
  script.catch(() => scripts.delete(name))
  return script
}

async function readScript(name: string): Promise<Buffer> {
  const script = await readFile(join(folder, `${name}.js`))
  return extended.includes(name) ? Buffer.concat([script, Buffer.from(recorderAddition)]) : script
}
