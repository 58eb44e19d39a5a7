import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { NamedIcon } from './named-icon.tsx'

type Device = Pick<RecordingFacts, 'browser' | 'os' | 'device' | 'country'>

/** The device, browser and country of a recording, each with its name on hover, or beside it. */
export function DeviceIcons({ device: { browser, os, device, country } }: { device: Device }) {
  const system = [device && deviceNames[device], os].filter(Boolean).join(', ')
  return (
    <span className="flex shrink-0 items-center gap-2">
      {system && <NamedIcon shape={deviceShapes[device ?? 'desktop']} name={system} />}
      {browser && <NamedIcon shape={browserShape(browser)} name={browser} />}
      {country && <Country code={country} />}
    </span>
  )
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** A country's code with its name; not every system can show its flag. */
function Country({ code }: { code: string }) {
  const name = /^[A-Z]{2}$/.test(code) ? countryNames.of(code) : undefined
  if (!name) return null
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here has no file
    <span role="img" aria-label={name} title={name} className="text-xs text-ink-3">
      {code}
    </span>
  )
}

const deviceNames = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' } as const

const deviceShapes = {
  desktop: 'M2 3.5h12v7.5H2zM6 13.5h4M8 11v2.5',
  mobile: 'M5 2h6v12H5zM7.3 12h1.4',
  tablet: 'M3.5 2.5h9v11h-9zM7.3 11.7h1.4',
} as const

const circle = 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z'
const browserShapes = {
  Chrome: `${circle}M8 10.4a2.4 2.4 0 1 0 0-4.8a2.4 2.4 0 0 0 0 4.8zM8 5.6h5.5M5.9 9.2L3.2 4.6M10.1 9.2L7.4 14`,
  Safari: `${circle}M10.8 5.2L9 9l-3.8 1.8L7 7z`,
  Firefox:
    'M13.4 6A6 6 0 1 1 3 4.7c.3 1 1 1.5 1.7 1.4C5 3.7 6.5 2.5 8.5 2c-.3 2 2.4 2.6 2.4 5.2a2.9 2.9 0 1 1-4.6-2.4',
  Edge: 'M14 8.5A6 6 0 1 0 10.5 13.5C6.5 13.2 6.3 9.6 8.6 8.3M2.2 8C3.2 4.8 9.6 4.6 10 8.2c.1 1-.8 1.3-.8 1.3c0 1.6 4 1.5 4.8-1',
} as const
const anyBrowser = 'M2 3h12v10H2zM2 6h12M4 4.5h.01M6 4.5h.01'

function browserShape(browser: string): string {
  const known = Object.entries(browserShapes).find(([name]) => browser.includes(name))
  return known ? known[1] : anyBrowser
}
