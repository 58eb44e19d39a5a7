import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What posthog-js loads when it needs it, and `array`, which pages load to begin with. */
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
const scripts = new Map<string, Promise<Buffer>>()

/** A script of the installed posthog-js by its name in the URL (`recorder.js`); null when it is none of those served. */
export async function browserScript(file: string): Promise<Buffer | null> {
  const name = names.find((candidate) => `${candidate}.js` === file)
  if (name === undefined) return null
  const script = scripts.get(name) ?? readFile(join(scriptsFolder(), `${name}.js`))
  scripts.set(name, script)
  return script
}

function scriptsFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('posthog-js'))
}
